import { describe, expect, it } from 'vitest';
import { toChecksumAddress } from '../../src/shared/address.ts';
import { endpoints } from '../../src/shared/endpoints/registry.ts';
import { indexStatuses } from './nft.ts';
import { zeroAddress } from './identifiers.ts';
import { internalTypes, type Transaction } from './transaction.ts';
import { createWorld, type World } from './world.ts';

const startSeconds = 1_780_000_000;

function worldOf(scale: number, seed = 7): World {
  return createWorld({ seed, scale, names: 'specification', startSeconds, nowSeconds: () => startSeconds });
}

/** Small enough to look at every transaction. */
const smallScale = 0.05;
const small = worldOf(smallScale);

type Chain = World['chains'][number];

/** All transactions of a chain, one after the other: what the lists of addresses are compared with. */
function everyPlan(world: World, chain: Chain): Transaction[] {
  return [...world.walk({ order: 'asc', from: null })].filter((plan) => plan.chain.chainId === chain.chainId);
}

function listed(world: World, chain: Chain, who: string, order: 'asc' | 'desc' = 'desc'): Transaction[] {
  return [...world.walk({ order, from: null }, who)].filter((plan) => plan.chain === chain);
}

function participants({ sender, deed }: Transaction): Set<string> {
  const found = new Set([sender]);
  if (deed.to !== null) found.add(deed.to);
  for (const part of [...deed.moves, ...deed.internals]) {
    found.add(part.from);
    found.add(part.to);
  }
  return found;
}

describe('the lists of addresses', () => {
  it('are, for everybody who takes part in anything, exactly what a search of all transactions finds', () => {
    const expected = new Map<string, Transaction[]>();
    for (const plan of small.walk({ order: 'asc', from: null })) {
      for (const who of participants(plan)) expected.set(who, [...(expected.get(who) ?? []), plan]);
    }
    expect(expected.size).toBeGreaterThan(300);
    for (const [who, plans] of expected) {
      const places = plans.map(({ place }) => place);
      const found = (order: 'asc' | 'desc') => [...small.walk({ order, from: null }, who)];
      expect(found('asc').map(({ place }) => place)).toEqual(places);
      expect(found('desc').map(({ place }) => place)).toEqual(places.toReversed());
    }
  });

  it('hold 0, 1, 30 and 20,000 transactions for the accounts that promise it', () => {
    const world = worldOf(1);
    const { cast } = world;
    const [first] = world.chains;
    if (first === undefined) throw new Error('chains are missing');
    expect(world.chains.flatMap((chain) => listed(world, chain, cast.empty))).toEqual([]);
    expect(listed(world, first, cast.one)).toHaveLength(1);
    expect(listed(world, first, cast.thirty)).toHaveLength(30);
    expect(listed(world, first, cast.busy)).toHaveLength(20_000);
    expect(listed(world, first, cast.demo).length).toBeGreaterThan(1240);
    const ofDemo = world.chains.filter((chain) => listed(world, chain, cast.demo).length > 0);
    expect(ofDemo.map(({ chainId }) => chainId)).toEqual(['43114', '802117', '907731']);
  });
});

describe('a transaction', () => {
  it('is the same whenever it is made, and another one with another seed', () => {
    const [chain] = small.chains;
    const other = worldOf(smallScale, 8);
    if (chain === undefined) throw new Error('chains are missing');
    const details = (world: World) =>
      everyPlan(world, chain)
        .slice(-50)
        .map((plan) => world.records.detail(plan, 'usd'));
    expect(details(worldOf(smallScale))).toEqual(details(small));
    expect(details(other)[0]?.nativeTransaction.txHash).not.toBe(details(small)[0]?.nativeTransaction.txHash);
  });

  it('has nothing of its own to compute what happened in it, which a start would spend most of its time and memory on', () => {
    const [plan] = small.walk({ order: 'asc', from: null });
    expect(Object.hasOwn(plan ?? {}, 'chain')).toBe(true);
    expect(Object.hasOwn(plan ?? {}, 'deed')).toBe(false);
    expect(plan?.deed).toBe(plan?.deed);
  });

  it('is found by its hash on its chain, and a hash that was made up is not', () => {
    for (const chain of small.chains) {
      const plan = everyPlan(small, chain)[123];
      if (plan === undefined) throw new Error('transactions are missing');
      const hash = small.records.hash(plan);
      expect(small.findTransaction(chain, hash)).toBe(plan);
      expect(small.findTransaction(chain, hash.toUpperCase().replace('0X', '0x'))).toBe(plan);
      for (const other of small.chains) {
        if (other !== chain) expect(small.findTransaction(other, hash)).toBeNull();
      }
      const madeUp = hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
      expect(small.findTransaction(chain, madeUp)).toBeNull();
    }
  });

  it('shows of each address exactly the parts of its detail that touch the address', () => {
    const [chain] = small.chains;
    if (chain === undefined) throw new Error('chains are missing');
    for (const plan of everyPlan(small, chain).slice(-400)) {
      const detail = small.records.detail(plan, 'usd');
      for (const who of participants(plan)) {
        const address = small.records.spell(who);
        const touches = (part: { from: { address: string }; to: { address: string } }) =>
          part.from.address === address || part.to.address === address;
        const element = small.records.ofAddress(plan, who);
        expect(element.erc20Transfers).toEqual(detail.erc20Transfers.filter(touches));
        expect(element.erc721Transfers).toEqual(detail.erc721Transfers.filter(touches));
        expect(element.erc1155Transfers).toEqual(detail.erc1155Transfers.filter(touches));
        expect(element.internalTransactions).toEqual(detail.internalTransactions.filter(touches));
        const {
          input: _i,
          baseFeePerGas: _b,
          maxFeePerGas: _m,
          maxPriorityFeePerGas: _p,
          ...list
        } = detail.nativeTransaction;
        expect(element.nativeTransaction).toEqual(list);
      }
    }
  });

  it('fits the definitions that the app reads it with', () => {
    for (const plan of small.walk({ order: 'asc', from: null })) {
      const detail: unknown = JSON.parse(JSON.stringify(small.records.detail(plan, 'usd')));
      expect(() => endpoints['transaction'].response.parse(detail)).not.toThrow();
    }
  });
});

describe('the world as a whole', () => {
  it('has every kind of record somewhere', () => {
    const seen = new Set<string>();
    for (const chain of small.chains) {
      for (const plan of everyPlan(small, chain)) {
        const detail = small.records.detail(plan, 'usd');
        seen.add(`status ${detail.nativeTransaction.txStatus}`);
        seen.add(`type ${detail.nativeTransaction.txType}`);
        seen.add(detail.nativeTransaction.method.callType);
        if (detail.nativeTransaction.to === undefined) seen.add('no to');
        if (detail.nativeTransaction.method.methodName === undefined) seen.add('no method name');
        for (const internal of detail.internalTransactions) {
          seen.add(`internal ${internal.internalTxType}`);
          if (internal.isReverted) seen.add('reverted');
        }
        for (const { erc20Token, value } of detail.erc20Transfers) {
          seen.add(`decimals ${erc20Token.decimals ?? 'missing'}`);
          seen.add(erc20Token.price === undefined ? 'no price' : 'price');
          if (value === '0') seen.add('zero value');
        }
        for (const nft of [
          ...detail.erc721Transfers.map((transfer) => transfer.erc721Token),
          ...detail.erc1155Transfers.map((transfer) => transfer.erc1155Token),
        ]) {
          seen.add(`${nft.ercType} ${nft.metadata.indexStatus}`);
        }
        if (detail.crosschainMessageInfo) seen.add(detail.crosschainMessageInfo.direction);
        seen.add(`historical price ${detail.networkTokenDetails.historicalPrice !== undefined}`);
      }
    }
    const wanted = [
      ...['status 0', 'status 1', 'type 0', 'type 1', 'type 2'],
      ...['NATIVE_TRANSFER', 'CONTRACT_CALL', 'CONTRACT_CREATION', 'no to', 'no method name', 'reverted'],
      ...internalTypes.map((type) => `internal ${type}`),
      ...['0', '6', '8', '18', 'missing'].map((decimals) => `decimals ${decimals}`),
      ...['price', 'no price', 'zero value', 'historical price true', 'historical price false'],
      ...indexStatuses.map((status) => `ERC-721 ${status.toLowerCase()}`),
      ...['SOURCE_TRANSACTION', 'DESTINATION_TRANSACTION'],
    ];
    expect(wanted.filter((kind) => !seen.has(kind))).toEqual([]);
  });

  it('numbers blocks, places in them and times without contradiction', () => {
    for (const chain of small.chains) {
      const wrong: number[] = [];
      const shared = new Set<number>();
      let last = { block: -1, index: -1 };
      for (const plan of everyPlan(small, chain)) {
        const block = small.records.blockNumber(plan);
        const { indexInBlock: index, seconds } = plan;
        const follows = block === last.block ? index === last.index + 1 : block > last.block && index === 0;
        const isInTime = seconds < startSeconds && block <= small.headBlock(chain);
        if (!follows || !isInTime || small.timeline.blockSeconds(chain, block) !== seconds) {
          wrong.push(plan.place);
        }
        if (index > 0) shared.add(block);
        last = { block, index };
      }
      expect(shared.size).toBeGreaterThan(10);
      expect(wrong).toEqual([]);
    }
  });

  it('gives log indexes and nonces once only', () => {
    const [chain] = small.chains;
    if (chain === undefined) throw new Error('chains are missing');
    const logs: string[] = [];
    const nonces: string[] = [];
    for (const plan of everyPlan(small, chain)) {
      const detail = small.records.detail(plan, 'usd');
      const { blockNumber, from, nonce } = detail.nativeTransaction;
      for (const transfer of [
        ...detail.erc20Transfers,
        ...detail.erc721Transfers,
        ...detail.erc1155Transfers,
      ]) {
        logs.push(`${blockNumber} ${transfer.logIndex}`);
      }
      nonces.push(`${from.address} ${nonce}`);
    }
    expect(new Set(logs).size).toBe(logs.length);
    expect(new Set(nonces).size).toBe(nonces.length);
  });

  it('delivers most messages once, later, on the other chain, and loses some', () => {
    const sent = new Map<string, number>();
    const received = new Map<string, number>();
    for (const chain of small.chains) {
      for (const plan of everyPlan(small, chain)) {
        const { crosschainMessageInfo: message, nativeTransaction } = small.records.detail(plan, 'usd');
        if (message === undefined) continue;
        const half = message.direction === 'SOURCE_TRANSACTION' ? sent : received;
        const id = message.crosschainMessageId;
        expect(half.has(id)).toBe(false);
        half.set(id, nativeTransaction.blockTimestamp);
      }
    }
    for (const [id, seconds] of received) {
      const sentAt = sent.get(id);
      expect(sentAt).toBeDefined();
      expect(seconds).toBeGreaterThanOrEqual(sentAt ?? Infinity);
    }
    expect(received.size).toBeGreaterThan(200);
    expect(received.size).toBeLessThan(sent.size);
  });

  it('moves on with the clock', () => {
    let now = startSeconds;
    const world = createWorld({
      seed: 7,
      scale: smallScale,
      names: 'specification',
      startSeconds,
      nowSeconds: () => now,
    });
    const [chain] = world.chains;
    if (chain === undefined) throw new Error('chains are missing');
    const before = everyPlan(world, chain).length;
    now += 30 * 86_400;
    expect(everyPlan(world, chain).length).toBeGreaterThan(before);
  });
});

describe('an address', () => {
  it('is spelled with the checksum of EIP-55 and understood in any case', () => {
    const { cast, contracts, records } = small;
    const all = [zeroAddress, cast.demo, contracts[40]?.address ?? ''];
    for (const who of all) expect(records.spell(who)).toBe(toChecksumAddress(who));
    const [chain] = small.chains;
    if (chain === undefined) throw new Error('chains are missing');
    const own = listed(small, chain, cast.demo);
    expect(listed(small, chain, records.spell(cast.demo))).toEqual(own);
    expect(listed(small, chain, '0x52908400098527886E0F7030069857D2E4169EE7')).toEqual([]);
  });

  it('that poisons a history begins and ends like one that is in it', () => {
    const poison = [...small.walk({ order: 'asc', from: null })].flatMap(({ place, deed }) =>
      deed.moves.flatMap((move) =>
        move.kind === 'erc20' && move.value === 0n ? [{ place, from: move.from, to: move.to }] : [],
      ),
    );
    expect(poison.length).toBeGreaterThan(10);
    const ends = (address: string) => address.slice(0, 6) + address.slice(-4);
    for (const { place, from, to } of poison) {
      const before = [...small.walk({ order: 'asc', from: null }, from)].filter((plan) => plan.place < place);
      const known = before.flatMap((plan) => [...participants(plan)]).filter((who) => who !== to);
      expect(known.map(ends)).toContain(ends(to));
    }
  });
});

describe('the spelling of the public service', () => {
  it('differs in the cross-chain names, in prices and in the case of statuses', () => {
    const upstream = createWorld({
      seed: 7,
      scale: smallScale,
      names: 'upstream',
      startSeconds,
      nowSeconds: () => startSeconds,
    });
    const [chain] = upstream.chains;
    if (chain === undefined) throw new Error('chains are missing');
    const text = [...everyPlan(upstream, chain)]
      .map((plan) => JSON.stringify(upstream.records.detail(plan, 'usd')))
      .join('\n');
    expect(text).toContain('"teleporterMessageId"');
    expect(text).not.toContain('crosschain');
    expect(text).toContain('"indexStatus":"INDEXED"');
    expect(text).toMatch(/"currencyCode":"usd","value":\d/);
  });
});
