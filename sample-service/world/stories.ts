import type { Chain } from './chains.ts';
import type { ContractRole, Pick } from './contracts.ts';
import { entity, entityKinds, zeroEntity, type Entity } from './entities.ts';
import type { InternalCall, Method, Move } from './plan.ts';
import { amount, mix } from './random.ts';

/** What a transaction is about, apart from who takes part. */
export type Story =
  | 'native'
  | 'erc20'
  | 'approve'
  | 'swap'
  | 'swapNative'
  | 'mint721'
  | 'transfer721'
  | 'sale721'
  | 'transfer1155'
  | 'batch1155'
  | 'call'
  | 'lab'
  | 'claim'
  | 'create'
  | 'poison';

/** How often each story is told, per thousand. */
const commonStories: readonly (readonly [Story, number])[] = [
  ['native', 260],
  ['erc20', 230],
  ['swap', 130],
  ['approve', 60],
  ['swapNative', 50],
  ['call', 50],
  ['mint721', 45],
  ['sale721', 35],
  ['transfer721', 30],
  ['poison', 30],
  ['transfer1155', 25],
  ['claim', 20],
  ['batch1155', 15],
  ['lab', 15],
  ['create', 5],
];

/** Index of the chain on which mostly collectibles move. */
const gamesChain = 3;

const gamesStories: readonly (readonly [Story, number])[] = [
  ['transfer1155', 220],
  ['batch1155', 120],
  ['mint721', 170],
  ['transfer721', 110],
  ['sale721', 90],
  ['native', 100],
  ['erc20', 80],
  ['claim', 50],
  ['call', 30],
  ['poison', 15],
  ['lab', 10],
  ['create', 5],
];

const call = (hash: string, name: string): Method => ({ callType: 'CONTRACT_CALL', hash, name });

export const methods = {
  native: { callType: 'NATIVE_TRANSFER', name: 'Native Transfer' },
  create: { callType: 'CONTRACT_CREATION', name: 'Contract Created' },
  erc20: call('0xa9059cbb', 'transfer(address,uint256)'),
  approve: call('0x095ea7b3', 'approve(address,uint256)'),
  swap: call('0x38ed1739', 'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)'),
  swapNative: call('0x7ff36ab5', 'swapExactETHForTokens(uint256,address[],address,uint256)'),
  mint721: call('0x40c10f19', 'mint(address,uint256)'),
  transfer721: call('0x42842e0e', 'safeTransferFrom(address,address,uint256)'),
  sale721: call('0xab834bab', 'atomicMatch(address[14],uint256[18])'),
  transfer1155: call('0xf242432a', 'safeTransferFrom(address,address,uint256,uint256,bytes)'),
  batch1155: call('0x2eb2c2d6', 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)'),
  call: call('0x2e1a7d4d', 'withdraw(uint256)'),
  lab: call('0x775c300c', 'deploy()'),
  claim: call('0x4e71d92d', 'claim()'),
  poison: { callType: 'CONTRACT_CALL', hash: '0x9c96eec5' },
  spam: call('0x67243482', 'airdrop(address[],uint256[])'),
  send: call(
    '0x62448850',
    'sendCrossChainMessage((bytes32,address,(address,uint256),uint256,address[],bytes))',
  ),
  receive: call('0xccb5f809', 'receiveCrossChainMessage(uint32,address)'),
} as const satisfies Record<string, Method>;

/** The parts of a plan that its story decides. */
export interface Told {
  to: Entity | null;
  method: Method;
  gas: number;
  value?: bigint;
  moves?: Move[];
  internals?: InternalCall[];
  created?: Entity[];
}

export interface Stories {
  /** What happens when `sender` acts and `peer` is the other party; `owner` is the account whose slot it is, if any. */
  tell(
    story: Story,
    chain: Chain,
    n: number,
    epoch: number,
    sender: Entity,
    peer: Entity,
    owner: Entity | null,
  ): Told;
  /** A transfer of each kind of token from a vault. */
  rewards(chain: Chain, n: number, epoch: number, vault: Entity, to: Entity): Move[];
}

export function createStories(seed: number, pick: Pick): Stories {
  function tell(
    story: Story,
    chain: Chain,
    n: number,
    epoch: number,
    sender: Entity,
    peer: Entity,
    owner: Entity | null,
  ): Told {
    const draw = (salt: number) => mix(seed, n, 0x70 + chain.index, salt);
    const find = (role: ContractRole) => pick(chain, epoch, role, draw(5));
    const value = amount(18, seed, n, 0x80 + chain.index);
    const tokenId = BigInt(draw(6) % 9973);
    const native: Told = { to: peer, method: methods.native, gas: 21_000, value };
    const token = find('erc20');
    const wrapped = find('wrapped');
    const pool = find('pool')?.entity;
    const router = find('router')?.entity;
    const vault = find('vault')?.entity;
    const market = find('market')?.entity;
    const collection = find('erc721');
    const supplies = find('erc1155');
    const factory = find('factory')?.entity;
    const disperser = find('disperser')?.entity;
    // Until all contracts of the chain's beginning are there, people only pass its own token around.
    if (
      !token ||
      !wrapped ||
      !pool ||
      !router ||
      !vault ||
      !market ||
      !collection ||
      !supplies ||
      !factory ||
      !disperser
    ) {
      return native;
    }
    const sum = amount(token.decimals ?? 6, seed, n, 0x90 + chain.index);
    switch (story) {
      case 'native':
        return native;
      case 'erc20':
        return {
          to: token.entity,
          method: methods.erc20,
          gas: 48_000,
          moves: [{ kind: 'erc20', token, from: sender, to: peer, value: sum }],
        };
      case 'approve':
        return { to: token.entity, method: methods.approve, gas: 46_000 };
      case 'swap':
        return {
          to: router,
          method: methods.swap,
          gas: 140_000,
          moves: [
            { kind: 'erc20', token, from: sender, to: pool, value: sum },
            { kind: 'erc20', token: wrapped, from: pool, to: sender, value },
          ],
        };
      case 'swapNative':
        return {
          to: router,
          method: methods.swapNative,
          gas: 128_000,
          value,
          moves: [
            { kind: 'erc20', token: wrapped, from: router, to: pool, value },
            { kind: 'erc20', token, from: pool, to: sender, value: sum },
          ],
          internals: [
            { type: 'CALL', from: router, to: wrapped.entity, value, reverted: false },
            { type: 'STATICCALL', from: router, to: pool, value: 0n, reverted: false },
          ],
        };
      case 'mint721':
        return {
          to: collection.entity,
          method: methods.mint721,
          gas: 96_000,
          moves: [{ kind: 'erc721', token: collection, from: zeroEntity, to: sender, tokenId }],
        };
      case 'transfer721':
        return {
          to: collection.entity,
          method: methods.transfer721,
          gas: 70_000,
          moves: [{ kind: 'erc721', token: collection, from: sender, to: peer, tokenId }],
        };
      case 'sale721':
        return {
          to: market,
          method: methods.sale721,
          gas: 180_000,
          value,
          moves: [{ kind: 'erc721', token: collection, from: peer, to: sender, tokenId }],
          internals: [
            { type: 'CALL', from: market, to: peer, value: value - value / 20n, reverted: false },
            { type: 'CALL', from: market, to: collection.entity, value: value / 20n, reverted: false },
            { type: 'DELEGATECALL', from: market, to: collection.entity, value: 0n, reverted: false },
          ],
        };
      case 'transfer1155':
      case 'batch1155': {
        const count = story === 'batch1155' ? 3 : 1;
        return {
          to: supplies.entity,
          method: methods[story],
          gas: 50_000 + 16_000 * count,
          moves: Array.from({ length: count }, (_, i) => ({
            kind: 'erc1155' as const,
            token: supplies,
            from: sender,
            to: peer,
            tokenId: (tokenId + BigInt(i)) % 200n,
            value: BigInt(1 + (draw(7 + i) % 40)),
          })),
        };
      }
      case 'call':
        return {
          to: vault,
          method: methods.call,
          gas: 61_000,
          internals: [
            { type: 'CALL', from: vault, to: sender, value, reverted: false },
            { type: 'DELEGATECALL', from: vault, to: factory, value: 0n, reverted: false },
          ],
        };
      case 'lab':
        return lab(chain, n, factory, vault, value);
      case 'claim':
        return {
          to: vault,
          method: methods.claim,
          gas: 240_000,
          moves: rewards(chain, n, epoch, vault, sender),
          internals: [{ type: 'CALL', from: vault, to: sender, value, reverted: false }],
        };
      case 'create':
        return {
          to: null,
          method: methods.create,
          gas: 620_000,
          created: [entity(entityKinds.child, chain.index, 4 * n)],
        };
      case 'poison':
        if (owner === null) return native;
        return {
          to: disperser,
          method: methods.poison,
          gas: 52_000,
          moves: [
            {
              kind: 'erc20',
              token,
              from: owner,
              to: entity(entityKinds.lookalike, chain.index, n),
              value: 0n,
            },
          ],
        };
    }
  }

  /** A transaction with an internal part of every type. */
  function lab(chain: Chain, n: number, factory: Entity, vault: Entity, value: bigint): Told {
    const children = [0, 1, 2].map((which) => entity(entityKinds.child, chain.index, 4 * n + which));
    const parts: readonly (readonly [InternalCall['type'], Entity, bigint])[] = [
      ['CREATE', children[0] ?? vault, 0n],
      ['CREATE2', children[1] ?? vault, 0n],
      ['CREATE3', children[2] ?? vault, 0n],
      ['CALL', vault, value],
      ['CALLCODE', vault, value / 3n],
      ['DELEGATECALL', vault, 0n],
      ['STATICCALL', vault, 0n],
      ['UNKNOWN', vault, 0n],
    ];
    return {
      to: factory,
      method: methods.lab,
      gas: 1_400_000,
      value,
      internals: parts.map(([type, to, sent]) => ({ type, from: factory, to, value: sent, reverted: false })),
      created: children,
    };
  }

  /** A transfer of each kind of token from a vault. */
  function rewards(chain: Chain, n: number, epoch: number, vault: Entity, to: Entity): Move[] {
    const draw = mix(seed, n, 0x4e3, chain.index);
    const token = pick(chain, epoch, 'erc20', draw);
    const collection = pick(chain, epoch, 'erc721', draw);
    const supplies = pick(chain, epoch, 'erc1155', draw);
    const moves: Move[] = [];
    if (token)
      moves.push({
        kind: 'erc20',
        token,
        from: vault,
        to,
        value: amount(token.decimals ?? 6, seed, n, 0xa0 + chain.index),
      });
    if (collection) {
      moves.push({ kind: 'erc721', token: collection, from: zeroEntity, to, tokenId: BigInt(draw % 9973) });
    }
    if (supplies) {
      moves.push({
        kind: 'erc1155',
        token: supplies,
        from: vault,
        to,
        tokenId: BigInt(draw % 200),
        value: 5n,
      });
    }
    return moves;
  }

  return { tell, rewards };
}

/** The story of an ordinary transaction; `draw` is below 1000. */
export function storyOf(chain: Chain, draw: number): Story {
  let rest = draw;
  for (const [story, share] of chain.index === gamesChain ? gamesStories : commonStories) {
    if (rest < share) return story;
    rest -= share;
  }
  return 'native';
}

/** Stories in which something passes from one account to another, so that it can also come in. */
export function isTransfer(story: Story): boolean {
  return story === 'native' || story === 'erc20' || story === 'transfer721' || story === 'transfer1155';
}
