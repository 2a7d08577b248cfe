import type { ParamKind } from '../../../../../shared/endpoints/define.ts';
import { catalogue, type ExploreRequest } from '../../../state/catalogue.ts';

/** A value in a result that can be queried further, such as an address. */
export interface Mention {
  kind: ParamKind;
  value: string;
  /** Its chain; null when the result does not name it. */
  chainId: string | null;
}

/** The name of each kind of mention. */
export const mentionWords: Partial<Record<ParamKind, string>> = {
  address: 'address',
  chain: 'chain',
  'tx-hash': 'transaction',
  block: 'block',
  'node-id': 'node ID',
  'subnet-id': 'subnet ID',
  'blockchain-id': 'blockchain ID',
};

const idKeys: Readonly<Record<string, ParamKind>> = {
  chainId: 'chain',
  sourceChainId: 'chain',
  destinationChainId: 'chain',
  subnetId: 'subnet-id',
  srcBlockchainId: 'blockchain-id',
  destBlockchainId: 'blockchain-id',
  platformChainId: 'blockchain-id',
};

/** The mention in the value at this path of a row, or null. `askedChainId` is the chain of the query. */
export function mentionOf(
  path: string,
  value: unknown,
  cells: ReadonlyMap<string, unknown>,
  askedChainId: string | null,
): Mention | null {
  if (typeof value !== 'string' || value === '') return null;
  const kind = kindOf(path.split('.').at(-1) ?? path, value);
  if (kind === null) return null;
  const parent = path.split('.').slice(0, -1);
  const nearby = [[...parent, 'chainId'].join('.'), 'nativeTransaction.chainId', 'chainId'].map((near) =>
    cells.get(near),
  );
  const chainId = nearby.find((candidate) => typeof candidate === 'string') ?? askedChainId;
  return { kind, value, chainId: typeof chainId === 'string' ? chainId : null };
}

function kindOf(key: string, value: string): ParamKind | null {
  if (/^0x[0-9a-fA-F]{40}$/.test(value)) return 'address';
  if (/^0x[0-9a-fA-F]{64}$/.test(value)) {
    if (/tx_?hash$/i.test(key)) return 'tx-hash';
    return /blockHash$/i.test(key) ? 'block' : null;
  }
  if (/blockNumber$/i.test(key)) return /^\d+$/.test(value) ? 'block' : null;
  if (value.startsWith('NodeID-')) return 'node-id';
  return idKeys[key] ?? null;
}

/** A form that takes the mention. */
export interface MentionRequest extends ExploreRequest {
  title: string;
  /** The parameter that the mention fills. */
  name: string;
}

/** The forms that take a mention, one for each parameter of its kind. */
export function requestsFor(mention: Mention): MentionRequest[] {
  return catalogue.flatMap(({ id, title, params }) => {
    const chainName = Object.entries(params).find(([, spec]) => spec.kind === 'chain')?.[0];
    return Object.entries(params)
      .filter(([, spec]) => spec.kind === mention.kind)
      .map(([name]) => ({
        id,
        title,
        name,
        values: {
          ...(chainName !== undefined && mention.chainId !== null ? { [chainName]: mention.chainId } : {}),
          [name]: mention.value,
        },
      }));
  });
}
