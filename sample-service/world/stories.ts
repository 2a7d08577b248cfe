import type { Chain } from './chains.ts';
import type { ContractRole, PickContract } from './contracts.ts';
import { lookAlike, sampleAddress, zeroAddress } from './identifiers.ts';
import { amount, mix } from './random.ts';
import type { Deed, InternalCall, Method, Move } from './transaction.ts';

/** The kinds of transactions, independent of who takes part, and how often each occurs, per thousand. */
const commonStories = [
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
] as const;

export type Story = (typeof commonStories)[number][0];

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

/** The part of a deed that its story determines; absent fields mean none. */
export type Told = Pick<Deed, 'to' | 'method'> &
  Partial<Pick<Deed, 'value' | 'moves' | 'internals' | 'created'>> & {
    readonly gas: number;
    readonly hasFailed?: boolean;
  };

/** The sender, the other account, and the time. */
export interface Scene {
  readonly chain: Chain;
  /** With the chain, the seed of all random draws. */
  readonly id: number;
  readonly seconds: number;
  readonly sender: string;
  readonly peer: string;
  /** The address that a poisoner imitates, and its target; null without poisoning. */
  readonly poisoned: { readonly owner: string; readonly friend: string } | null;
}

export function createStories(seed: number, pick: PickContract) {
  /** What a vault pays out: a token of each kind. */
  function rewards({ chain, id, seconds, sender: to }: Omit<Scene, 'peer' | 'poisoned'>): Move[] {
    const draw = mix(seed, id, 0x4e3, chain.index);
    const from = pick(chain, 'vault', seconds).address;
    const token = pick(chain, 'erc20', seconds, draw);
    const collection = pick(chain, 'erc721', seconds, draw);
    const supplies = pick(chain, 'erc1155', seconds, draw);
    const value = amount(token.decimals ?? 6, seed, id, 0xa0 + chain.index);
    return [
      { kind: 'erc20', token, from, to, value },
      { kind: 'erc721', token: collection, from: zeroAddress, to, tokenId: BigInt(draw % 9973) },
      { kind: 'erc1155', token: supplies, from, to, tokenId: BigInt(draw % 200), value: 5n },
    ];
  }

  /** A transaction with an internal part of every type. */
  function lab({ chain, id, seconds }: Scene, value: bigint): Told {
    const from = pick(chain, 'factory', seconds).address;
    const vault = pick(chain, 'vault', seconds).address;
    const created = [1, 2, 3].map((which) => childAddress(chain, id, which));
    const [first = vault, second = vault, third = vault] = created;
    const internals: InternalCall[] = [
      { type: 'CREATE', from, to: first, value: 0n },
      { type: 'CREATE2', from, to: second, value: 0n },
      { type: 'CREATE3', from, to: third, value: 0n },
      { type: 'CALL', from, to: vault, value },
      { type: 'CALLCODE', from, to: vault, value: value / 3n },
      { type: 'DELEGATECALL', from, to: vault, value: 0n },
      { type: 'STATICCALL', from, to: vault, value: 0n },
      { type: 'UNKNOWN', from, to: vault, value: 0n },
    ];
    return { to: from, method: methods.lab, gas: 1_400_000, value, internals, created };
  }

  function childAddress(chain: Chain, id: number, which: number): string {
    return sampleAddress(seed, 0x200 + chain.index, 4 * id + which);
  }

  /** What happens in a story. */
  function tell(story: Story, scene: Scene): Told {
    const { chain, id, seconds, sender, peer, poisoned } = scene;
    const draw = (salt: number) => mix(seed, id, 0x70 + chain.index, salt);
    const find = (role: ContractRole) => pick(chain, role, seconds, draw(5));
    const value = amount(18, seed, id, 0x80 + chain.index);
    const tokenId = BigInt(draw(6) % 9973);
    const token = find('erc20');
    const sum = amount(token.decimals ?? 6, seed, id, 0x90 + chain.index);
    switch (story) {
      case 'native':
        return { to: peer, method: methods.native, gas: 21_000, value };
      case 'erc20': {
        const moves: Move[] = [{ kind: 'erc20', token, from: sender, to: peer, value: sum }];
        return { to: token.address, method: methods.erc20, gas: 48_000, moves };
      }
      case 'approve':
        return { to: token.address, method: methods.approve, gas: 46_000 };
      case 'swap': {
        const [pool, router] = [find('pool').address, find('router').address];
        const moves: Move[] = [
          { kind: 'erc20', token, from: sender, to: pool, value: sum },
          { kind: 'erc20', token: find('wrapped'), from: pool, to: sender, value },
        ];
        const internals: InternalCall[] = [{ type: 'STATICCALL', from: router, to: pool, value: 0n }];
        return { to: router, method: methods.swap, gas: 140_000, moves, internals };
      }
      case 'swapNative': {
        const [wrapped, pool, router] = [find('wrapped'), find('pool').address, find('router').address];
        const moves: Move[] = [
          { kind: 'erc20', token: wrapped, from: router, to: pool, value },
          { kind: 'erc20', token, from: pool, to: sender, value: sum },
        ];
        const internals: InternalCall[] = [
          { type: 'CALL', from: router, to: wrapped.address, value },
          { type: 'STATICCALL', from: router, to: pool, value: 0n },
        ];
        return { to: router, method: methods.swapNative, gas: 128_000, value, moves, internals };
      }
      case 'mint721':
      case 'transfer721': {
        const collection = find('erc721');
        const [from, to] = story === 'mint721' ? [zeroAddress, sender] : [sender, peer];
        const moves: Move[] = [{ kind: 'erc721', token: collection, from, to, tokenId }];
        return { to: collection.address, method: methods[story], gas: 80_000, moves };
      }
      case 'sale721': {
        const [collection, market] = [find('erc721'), find('market').address];
        const moves: Move[] = [{ kind: 'erc721', token: collection, from: peer, to: sender, tokenId }];
        const internals: InternalCall[] = [
          { type: 'CALL', from: market, to: peer, value: value - value / 20n },
          { type: 'CALL', from: market, to: collection.address, value: value / 20n },
          { type: 'DELEGATECALL', from: market, to: collection.address, value: 0n },
        ];
        return { to: market, method: methods.sale721, gas: 180_000, value, moves, internals };
      }
      case 'transfer1155':
      case 'batch1155': {
        const supplies = find('erc1155');
        const moves = Array.from({ length: story === 'batch1155' ? 3 : 1 }, (_, i) => ({
          kind: 'erc1155' as const,
          token: supplies,
          from: sender,
          to: peer,
          tokenId: (tokenId + BigInt(i)) % 200n,
          value: BigInt(1 + (draw(7 + i) % 40)),
        }));
        const gas = 50_000 + 16_000 * moves.length;
        return { to: supplies.address, method: methods[story], gas, moves };
      }
      case 'call': {
        const vault = find('vault').address;
        const internals: InternalCall[] = [
          { type: 'CALL', from: vault, to: sender, value },
          { type: 'DELEGATECALL', from: vault, to: find('factory').address, value: 0n },
        ];
        return { to: vault, method: methods.call, gas: 61_000, internals };
      }
      case 'lab':
        return lab(scene, value);
      case 'claim': {
        const vault = find('vault').address;
        const internals: InternalCall[] = [{ type: 'CALL', from: vault, to: sender, value }];
        const moves = rewards(scene);
        return { to: vault, method: methods.claim, gas: 240_000, moves, internals };
      }
      case 'create': {
        const created = [childAddress(chain, id, 0)];
        return { to: null, method: methods.create, gas: 620_000, created };
      }
      case 'poison': {
        if (poisoned === null) return tell('native', scene);
        const imitation = lookAlike(seed, poisoned.friend, chain.index, id);
        const moves: Move[] = [{ kind: 'erc20', token, from: poisoned.owner, to: imitation, value: 0n }];
        return { to: find('disperser').address, method: methods.poison, gas: 52_000, moves };
      }
    }
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
