import type { Chain } from './chains.ts';
import { cast, entity, entityKinds, type Entity } from './entities.ts';

export type ErcType = 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'UNKNOWN';

/** What a contract does in the story of its chain. */
export type ContractRole =
  | 'erc20'
  | 'wrapped'
  | 'bridged'
  | 'spam'
  | 'erc721'
  | 'erc1155'
  | 'pool'
  | 'router'
  | 'market'
  | 'vault'
  | 'factory'
  | 'messenger'
  | 'disperser';

/** A contract of a chain's catalogue. */
export interface Contract {
  readonly entity: Entity;
  readonly index: number;
  readonly role: ContractRole;
  readonly ercType: ErcType;
  /** Absent where the service knows no name. */
  readonly name?: string;
  readonly symbol?: string;
  /** Absent on one ERC-20 token on purpose: its amounts have no known scale. */
  readonly decimals?: number;
  readonly logo: boolean;
  /** US dollars on average; absent when the token has no price. */
  readonly priceUsd?: number;
  readonly deployer: Entity;
  /** Epoch of the deployment. */
  readonly epoch: number;
  /** The contract that created this one, when an account did not do it directly. */
  readonly createdBy?: Entity;
}

type Template = Omit<Contract, 'entity' | 'index' | 'deployer' | 'epoch' | 'createdBy' | 'logo'> & {
  readonly logo?: boolean;
  readonly viaFactory?: boolean;
  /** Share of the past after which it was deployed; without it at the very beginning. */
  readonly after?: number;
};

function templates(chain: Chain): readonly Template[] {
  const symbol = chain.token.symbol;
  return [
    { role: 'factory', ercType: 'UNKNOWN', name: 'Workshop' },
    {
      role: 'wrapped',
      ercType: 'ERC-20',
      name: `Wrapped ${chain.token.name}`,
      symbol: `W${symbol}`,
      decimals: 18,
      logo: true,
      priceUsd: chain.tokenPriceUsd,
    },
    {
      role: 'erc20',
      ercType: 'ERC-20',
      name: 'Sample Dollar',
      symbol: 'SUSD',
      decimals: 6,
      logo: true,
      priceUsd: 1,
    },
    { role: 'erc20', ercType: 'ERC-20', name: 'Whole Shares', symbol: 'WHOLE', decimals: 0, priceUsd: 112.5 },
    { role: 'erc20', ercType: 'ERC-20', name: 'Unscaled Points', symbol: 'PTS' },
    { role: 'erc20', ercType: 'ERC-20', name: 'Quiet Token', symbol: 'QUIET', decimals: 18 },
    {
      role: 'bridged',
      ercType: 'ERC-20',
      name: 'Bridged Lumen',
      symbol: 'LUM.b',
      decimals: 18,
      logo: true,
      priceUsd: 2.31,
    },
    { role: 'messenger', ercType: 'UNKNOWN', name: 'Crosschain Messenger' },
    { role: 'router', ercType: 'UNKNOWN', name: 'Tide Router' },
    { role: 'pool', ercType: 'UNKNOWN', name: 'Tide Pool', viaFactory: true },
    { role: 'vault', ercType: 'UNKNOWN', name: 'Keeper Vault' },
    { role: 'erc721', ercType: 'ERC-721', name: 'Tidal Creatures', symbol: 'TIDAL', logo: true },
    {
      role: 'erc721',
      ercType: 'ERC-721',
      name: 'Lighthouse Keys',
      symbol: 'KEY',
      logo: true,
      viaFactory: true,
    },
    { role: 'erc1155', ercType: 'ERC-1155', name: 'Harbour Supplies' },
    { role: 'market', ercType: 'UNKNOWN' },
    { role: 'disperser', ercType: 'UNKNOWN' },
    {
      role: 'spam',
      ercType: 'ERC-20',
      name: '<b>Free</b> claim-now.example \u202Etxt',
      symbol: '$ CLAIM-NOW.EXAMPLE',
      decimals: 18,
      after: 0.2,
    },
    {
      role: 'erc20',
      ercType: 'ERC-20',
      name: 'Latecomer Ω',
      symbol: 'LATE',
      decimals: 8,
      priceUsd: 0.000_004_31,
      after: 0.6,
    },
  ];
}

/** The contracts of a chain, in the order of their deployment slots; no two share an epoch. */
export function createContracts(
  chain: Chain,
  startEpoch: number,
  isDecimalsRequired: boolean,
): readonly Contract[] {
  return templates(chain).map(({ viaFactory, after, ...template }, index) => ({
    // The schema of the public service requires the decimals of an ERC-20 (facts §2).
    ...(isDecimalsRequired && template.ercType === 'ERC-20' ? { decimals: 0 } : {}),
    ...template,
    index,
    logo: template.logo ?? false,
    entity: entity(entityKinds.contract, chain.index, index),
    deployer: index % 3 === 2 ? cast.secondDeployer : cast.deployer,
    epoch: after === undefined ? index : Math.max(index, Math.floor(startEpoch * after) + index),
    ...(viaFactory === true ? { createdBy: entity(entityKinds.contract, chain.index, 0) } : {}),
  }));
}

/** Contracts of all chains by chain index. */
export type Catalogue = readonly (readonly Contract[])[];

/** One of a chain's contracts with a role that existed before an epoch; `draw` chooses among several. */
export type Pick = (chain: Chain, epoch: number, role: ContractRole, draw: number) => Contract | null;

export function createPick(catalogue: Catalogue): Pick {
  const byRole = catalogue.map((contracts) => {
    const groups = new Map<ContractRole, Contract[]>();
    for (const contract of contracts)
      groups.set(contract.role, [...(groups.get(contract.role) ?? []), contract]);
    return groups;
  });
  return (chain, epoch, role, draw) => {
    const choice = (byRole[chain.index]?.get(role) ?? []).filter((contract) => contract.epoch < epoch);
    return choice[draw % choice.length] ?? null;
  };
}
