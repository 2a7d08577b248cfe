import type { EndpointDefinition } from '../../../shared/endpoints/define.ts';
import { err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { StoredWalk } from '../ports.ts';

/**
 * How far the walk through a list has come. Pages are linked by tokens; while rows come in order of blocks, all blocks
 * before the last one reached are complete, so that after a refused token the list is restarted from that block.
 */
export interface RunWalk extends Omit<StoredWalk, 'stored' | 'seen'> {
  stored: Map<string, number>;
  seen: Map<string, number>;
}

export function beginWalk(): RunWalk {
  return {
    nextToken: null,
    range: null,
    order: 'unknown',
    block: null,
    stored: new Map(),
    seen: new Map(),
    restartedAt: null,
  };
}

/** Parameters of the next request; `params` are the user's. */
export function nextParams(walk: RunWalk, params: Readonly<Record<string, string>>): Record<string, string> {
  const asked: Record<string, string> = { ...params, ...walk.range };
  if (walk.nextToken !== null) asked['pageToken'] = walk.nextToken;
  else if (walk.range !== null) delete asked['pageToken'];
  return asked;
}

/** Advances the walk by the rows of a page; also returns the positions of rows that were already stored. */
export function takeRows(
  before: RunWalk,
  endpoint: EndpointDefinition,
  rows: readonly unknown[],
  hasUnreadable: boolean,
): { walk: RunWalk; repeatedRows: number[] } {
  const walk = { ...before, stored: new Map(before.stored), seen: new Map(before.seen) };
  const repeatedRows: number[] = [];
  // The block of an unreadable row is unknown, so the order can no longer be relied on.
  if (!hasBlockRange(endpoint) || hasUnreadable) walk.order = 'none';
  for (const [position, row] of rows.entries()) {
    if (walk.order === 'none') break;
    const block = blockOf(row);
    moveTo(walk, block);
    if (block === null || walk.block !== block.toString()) continue;
    const identity = identityOf(row);
    const seen = (walk.seen.get(identity) ?? 0) + 1;
    walk.seen.set(identity, seen);
    if (seen <= (walk.stored.get(identity) ?? 0)) repeatedRows.push(position);
    else walk.stored.set(identity, seen);
  }
  if (walk.order === 'none') {
    walk.stored.clear();
    walk.seen.clear();
  }
  return { walk, repeatedRows };
}

function moveTo(walk: RunWalk, block: bigint | null): void {
  if (block === null) {
    walk.order = 'none';
    return;
  }
  if (walk.block !== null) {
    const last = BigInt(walk.block);
    if (block === last) return;
    // A list that was begun again, whose direction is not known, may have grown above its first block.
    if (walk.order === 'unknown' && walk.seen.size === 0) return;
    const step = block < last ? 'descending' : 'ascending';
    if (walk.order === 'unknown') walk.order = step;
    else if (walk.order !== step) {
      walk.order = 'none';
      return;
    }
  }
  walk.block = block.toString();
  walk.stored.clear();
  walk.seen.clear();
}

/** Restarts the walk from the last block that is known to be complete; an error where that is not possible. */
export function restartWalk(
  walk: RunWalk,
  endpoint: EndpointDefinition,
  params: Readonly<Record<string, string>>,
  refusal: AppError,
): Result<RunWalk> {
  const refuse = (reason: string): Result<never> =>
    err(runAgain(refusal, `The service no longer accepts the page token, and ${reason}.`));
  if (!hasBlockRange(endpoint)) return refuse('this list can’t start at a block');
  if (walk.order === 'none') return refuse('the rows weren’t in block order');
  if (walk.order === 'unknown' && params['pageToken'] !== undefined)
    return refuse('we don’t know where the list began');
  const [restartedAt, range] = [placeOf(walk), rangeFrom(walk)];
  return ok({ ...walk, nextToken: null, seen: new Map(), restartedAt, range });
}

/** For a second refusal without any progress since the restart. */
export const refusedAgain = (refusal: AppError): AppError =>
  runAgain(refusal, 'The service refused the page token twice at this block.');

function runAgain(refusal: AppError, reason: string): AppError {
  return {
    ...refusal,
    message: `${refusal.message} ${reason} What was fetched so far is kept. Run the query again.`,
  };
}

/** Identifies the place: the last block reached, and how many of its rows are stored. */
export const placeOf = ({ block, stored }: RunWalk): string =>
  `${block ?? ''} ${[...stored.values()].reduce((sum, count) => sum + count, 0)}`;

/** Includes the last block: some of its rows may be missing. */
function rangeFrom({ block, order }: RunWalk): NonNullable<StoredWalk['range']> {
  if (block === null || order === 'unknown') return {};
  return order === 'descending' ? { endBlock: (BigInt(block) + 1n).toString() } : { startBlock: block };
}

const hasBlockRange = ({ params }: EndpointDefinition): boolean =>
  params['startBlock'] !== undefined && params['endBlock'] !== undefined;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  // Reading a property of any object is safe; the values stay unknown.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Rows of the list of an address's transactions have these fields in `nativeTransaction`. */
function frameOf(row: unknown): Fields {
  const fields = fieldsOf(row);
  return fields['blockNumber'] === undefined ? fieldsOf(fields['nativeTransaction']) : fields;
}

function blockOf(row: unknown): bigint | null {
  const block = frameOf(row)['blockNumber'];
  return typeof block === 'string' && /^\d{1,40}$/.test(block) ? BigInt(block) : null;
}

/** The fields that stay when a row is fetched again; prices do not. Rows of a block may be equal, so they are counted. */
function identityOf(row: unknown): string {
  const frame = frameOf(row);
  const token = ['erc20Token', 'erc721Token', 'erc1155Token'].map((name) => {
    const { address, tokenId } = fieldsOf(frame[name]);
    return [address, tokenId];
  });
  const { txHash, logIndex, internalTxType, value } = frame;
  const parties = [fieldsOf(frame['from'])['address'], fieldsOf(frame['to'])['address']];
  return JSON.stringify([txHash, logIndex, internalTxType, value, parties, token]);
}

export function writeWalk(walk: RunWalk): StoredWalk {
  return { ...walk, stored: [...walk.stored], seen: [...walk.seen] };
}

export function readWalk(walk: StoredWalk): RunWalk {
  return { ...walk, stored: new Map(walk.stored), seen: new Map(walk.seen) };
}
