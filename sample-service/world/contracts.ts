import type { Chain } from './chains.ts';
import { sampleAddress } from './identifiers.ts';
import type { Cast } from './people.ts';
import type { Timeline } from './timeline.ts';

export type ErcType = 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'UNKNOWN';

/** The roles of contracts in the stories, with their token standard. */
const standards = {
  erc20: 'ERC-20',
  wrapped: 'ERC-20',
  bridged: 'ERC-20',
  spam: 'ERC-20',
  erc721: 'ERC-721',
  erc1155: 'ERC-1155',
  pool: 'UNKNOWN',
  router: 'UNKNOWN',
  market: 'UNKNOWN',
  vault: 'UNKNOWN',
  factory: 'UNKNOWN',
  messenger: 'UNKNOWN',
  disperser: 'UNKNOWN',
} as const satisfies Record<string, ErcType>;

export type ContractRole = keyof typeof standards;

/** A contract of a chain's catalogue. */
export interface Contract {
  readonly address: string;
  readonly chain: Chain;
  readonly index: number;
  readonly role: ContractRole;
  readonly ercType: ErcType;
  /** Absent where the service does not know a name. */
  readonly name?: string;
  readonly symbol?: string;
  /** Absent on one ERC-20 token on purpose: its amounts have no known scale. */
  readonly decimals?: number;
  readonly logo: boolean;
  /** US dollars on average; absent when the token has no price. */
  readonly priceUsd?: number;
  readonly deployer: string;
  /** When it was deployed, in seconds since 1970. */
  readonly seconds: number;
  /** The contract that created this one, when an account did not do it directly. */
  readonly createdBy?: string;
}

type Template = Omit<
  Contract,
  'address' | 'chain' | 'index' | 'ercType' | 'deployer' | 'seconds' | 'createdBy' | 'logo'
> & {
  readonly logo?: boolean;
  readonly viaFactory?: boolean;
  /** The share of the past after which it was deployed; absent: at the very beginning. */
  readonly after?: number;
};

function templates(chain: Chain): readonly Template[] {
  const symbol = chain.token.symbol;
  return [
    { role: 'factory', name: 'Workshop' },
    {
      role: 'wrapped',
      name: `Wrapped ${chain.token.name}`,
      symbol: `W${symbol}`,
      decimals: 18,
      logo: true,
      priceUsd: chain.tokenPriceUsd,
    },
    { role: 'erc20', name: 'Sample Dollar', symbol: 'SUSD', decimals: 6, logo: true, priceUsd: 1 },
    { role: 'erc20', name: 'Whole Shares', symbol: 'WHOLE', decimals: 0, priceUsd: 112.5 },
    { role: 'erc20', name: 'Unscaled Points', symbol: 'PTS' },
    { role: 'erc20', name: 'Quiet Token', symbol: 'QUIET', decimals: 18 },
    { role: 'bridged', name: 'Bridged Lumen', symbol: 'LUM.b', decimals: 18, logo: true, priceUsd: 2.31 },
    { role: 'messenger', name: 'Crosschain Messenger' },
    { role: 'router', name: 'Tide Router' },
    { role: 'pool', name: 'Tide Pool', viaFactory: true },
    { role: 'vault', name: 'Keeper Vault' },
    { role: 'erc721', name: 'Tidal Creatures', symbol: 'TIDAL', logo: true },
    { role: 'erc721', name: 'Lighthouse Keys', symbol: 'KEY', logo: true, viaFactory: true },
    { role: 'erc1155', name: 'Harbour Supplies' },
    { role: 'market' },
    { role: 'disperser' },
    {
      role: 'spam',
      name: '<b>Free</b> claim-now.example \u202Etxt',
      symbol: '$ CLAIM-NOW.EXAMPLE',
      decimals: 18,
      after: 0.2,
    },
    { role: 'erc20', name: 'Latecomer Ω', symbol: 'LATE', decimals: 8, priceUsd: 0.000_004_31, after: 0.6 },
  ];
}

/** Between two deployments at the beginning of a chain. */
const deploymentSeconds = 600;
/** By this share of the activity, all contracts that other transactions need are deployed. */
export const foundingShare = 1 / 100;

/** The contracts of a chain, in the order of their deployment. */
export function createContracts(
  seed: number,
  chain: Chain,
  timeline: Timeline,
  cast: Cast,
  isDecimalsRequired: boolean,
): readonly Contract[] {
  const addressOf = (index: number) => sampleAddress(seed, 0x100 + chain.index, index);
  return templates(chain).map(({ viaFactory, after, ...template }, index) => ({
    // The schema of the public service requires the decimals of an ERC-20 (service-and-node.md §2).
    ...(isDecimalsRequired && standards[template.role] === 'ERC-20' ? { decimals: 0 } : {}),
    ...template,
    ercType: standards[template.role],
    index,
    chain,
    logo: template.logo ?? false,
    address: addressOf(index),
    deployer: index % 3 === 2 ? cast.secondDeployer : cast.deployer,
    seconds:
      after === undefined
        ? timeline.genesisSeconds + (index + 1) * deploymentSeconds
        : timeline.secondsAt(after),
    ...(viaFactory === true ? { createdBy: addressOf(0) } : {}),
  }));
}

/** One of a chain's contracts with a role that exist at a moment; `draw` chooses among several. */
export type PickContract = (chain: Chain, role: ContractRole, seconds: number, draw?: number) => Contract;

export function createPick(contracts: readonly Contract[]): PickContract {
  const byRole = new Map<string, Contract[]>();
  for (const contract of contracts) {
    const key = `${contract.chain.index} ${contract.role}`;
    byRole.set(key, [...(byRole.get(key) ?? []), contract]);
  }
  return (chain, role, seconds, draw = 0) => {
    let choice = byRole.get(`${chain.index} ${role}`) ?? [];
    // Contracts are sorted by time; mostly all exist.
    while ((choice.at(-1)?.seconds ?? 0) > seconds) choice = choice.slice(0, -1);
    const contract = choice[draw % choice.length];
    if (contract === undefined) throw new Error(`chain ${chain.chainId} has no ${role} contract yet`);
    return contract;
  };
}
