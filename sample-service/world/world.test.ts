import { describe, expect, it } from 'vitest';
import { toChecksumAddress } from '../../src/shared/activity/address.ts';
import { endpoints } from '../../src/shared/endpoints/registry.ts';
import { indexStatuses } from './nft.ts';
import { cast, entity, entityKinds, zeroEntity, type Entity } from './entities.ts';
import { internalTypes, involves, type TransactionPlan } from './plan.ts';
import { createWorld, type World } from './world.ts';

const startSeconds = 1_780_000_000;

function worldOf(scale: number, seed = 7): World {
  return createWorld({ seed, scale, names: 'specification', startSeconds, nowSeconds: () => startSeconds });
}

/** Small enough to look at every transaction. */
const smallScale = 0.012;
const small = worldOf(smallScale);

/** All transactions of a chain, one after the other: what the clever lists are compared with. */
function* everyPlan(world: World, chain: World['chains'][number]): Generator<TransactionPlan, void> {
  const count = world.headCount(chain);
  for (let n = 0; n < count; n += 1) yield world.transactions.plan(chain, n);
}

function listed(world: World, chain: World['chains'][number], who: Entity, order: 'asc' | 'desc'): number[] {
  const all = { first: 0, end: world.headCount(chain) };
  return [...world.history.walk(chain, who, all, order)].map((plan) => plan.n);
}

function participants(plan: TransactionPlan): Set<Entity> {
  const found = new Set<Entity>([plan.sender]);
  if (plan.to !== null) found.add(plan.to);
  for (const part of [...plan.moves, ...plan.internals]) {
    found.add(part.from);
    found.add(part.to);
  }
  return found;
}

describe('the lists of addresses', () => {
  it.each(small.chains.map((chain) => [chain.name, chain] as const))(
    'are, on %s, for everybody who takes part in anything, exactly what a search of all transactions finds',
    (_name, chain) => {
      const expected = new Map<Entity, number[]>();
      for (const plan of everyPlan(small, chain)) {
        for (const who of participants(plan)) {
          const numbers = expected.get(who) ?? [];
          numbers.push(plan.n);
          expected.set(who, numbers);
        }
      }
      expect(expected.size).toBeGreaterThan(100);
      for (const [who, numbers] of expected) {
        expect(listed(small, chain, who, 'asc')).toEqual(numbers);
        expect(listed(small, chain, who, 'desc')).toEqual(numbers.toReversed());
      }
    },
  );

  it('hold 0, 1, 30 and 20,000 transactions for the accounts that promise it', () => {
    const world = worldOf(1);
    const [first, , third] = world.chains;
    if (first === undefined || third === undefined) throw new Error('chains are missing');
    expect(world.chains.flatMap((chain) => listed(world, chain, cast.empty, 'desc'))).toEqual([]);
    expect(listed(world, first, cast.one, 'desc')).toHaveLength(1);
    expect(listed(world, first, cast.thirty, 'desc')).toHaveLength(30);
    expect(listed(world, first, cast.busy, 'desc')).toHaveLength(20_000);
    expect(world.chainsOf(cast.demo).indexed.map((chain) => chain.chainId)).toEqual([
      '43114',
      '802117',
      '907731',
    ]);
    expect(world.chainsOf(cast.demo).unindexed).toHaveLength(1);
    expect(listed(world, first, cast.demo, 'desc').length).toBeGreaterThan(1240);
  });

  it('grow with the scale for the whale only', () => {
    const world = worldOf(2);
    const [first, , third] = world.chains;
    if (first === undefined || third === undefined) throw new Error('chains are missing');
    const all = { first: 0, end: world.headCount(third) };
    let count = 0;
    for (const plan of world.history.walk(third, cast.whale, all, 'asc'))
      count += involves(plan, cast.whale) ? 1 : 0;
    expect(count).toBe(40_000);
    expect(listed(world, first, cast.busy, 'asc')).toHaveLength(20_000);
    expect(listed(world, first, cast.thirty, 'asc')).toHaveLength(30);
  });
});

describe('a transaction', () => {
  it('is the same whenever it is made, and another one with another seed', () => {
    const [chain] = small.chains;
    const other = worldOf(smallScale, 8);
    if (chain === undefined) throw new Error('chains are missing');
    const detail = (world: World, n: number) =>
      world.records.detail(world.transactions.plan(chain, n), 'usd');
    expect(detail(worldOf(smallScale), 777)).toEqual(detail(small, 777));
    expect(detail(other, 777).nativeTransaction.txHash).not.toBe(detail(small, 777).nativeTransaction.txHash);
  });

  it('is found by its hash, and a hash that was made up is not', () => {
    for (const chain of small.chains) {
      const hash = small.records.txHash(chain, 123);
      expect(small.records.transactionAt(hash)).toEqual({ chain: chain.index, n: 123 });
      expect(small.records.transactionAt(hash.toUpperCase().replace('0X', '0x'))).toEqual({
        chain: chain.index,
        n: 123,
      });
      expect(
        small.records.transactionAt(hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))),
      ).toBeNull();
      expect(small.records.blockAt(hash)).toBeNull();
    }
  });

  it('shows of each address exactly the parts of its detail that touch the address', () => {
    const [chain] = small.chains;
    if (chain === undefined) throw new Error('chains are missing');
    for (let n = 2000; n < 2400; n += 1) {
      const plan = small.transactions.plan(chain, n);
      const detail = small.records.detail(plan, 'usd');
      for (const who of participants(plan)) {
        const address = small.book.addressOf(who);
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
    for (const chain of small.chains) {
      for (let n = 0; n < 400; n += 1) {
        const plan = small.transactions.plan(chain, n);
        const detail: unknown = JSON.parse(JSON.stringify(small.records.detail(plan, 'usd')));
        expect(() => endpoints['transaction'].response.parse(detail)).not.toThrow();
      }
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
      let last = { block: -1, index: -1, seconds: 0 };
      for (const plan of everyPlan(small, chain)) {
        const { block, indexInBlock: index } = small.timeline.blockOf(chain, plan.n);
        const seconds = small.timeline.blockSeconds(chain, block);
        const follows =
          block === last.block
            ? index === last.index + 1
            : block > last.block &&
              index === 0 &&
              small.timeline.firstInBlock(chain, block) === plan.n &&
              small.timeline.firstInBlock(chain, last.block + 1) === plan.n;
        const isInTime =
          seconds >= last.seconds &&
          seconds <= startSeconds &&
          block <= small.timeline.headBlock(chain, startSeconds);
        if (!follows || !isInTime) wrong.push(plan.n);
        last = { block, index, seconds };
      }
      expect(last.index).toBeGreaterThanOrEqual(0);
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
        const id = message.crosschainMessageId ?? '';
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
    const before = world.headCount(chain);
    now += 30 * 86_400;
    expect(world.headCount(chain)).toBeGreaterThan(before);
  });
});

describe('the address book', () => {
  it('spells addresses with the checksum of EIP-55 and reads them back in any case', () => {
    const people: Entity[] = [
      zeroEntity,
      cast.demo,
      entity(entityKinds.person, 0, 42),
      entity(entityKinds.contract, 2, 5),
      entity(entityKinds.child, 1, 4 * 999 + 2),
      entity(entityKinds.lookalike, 0, 5000),
    ];
    for (const who of people) {
      const address = small.book.addressOf(who);
      expect(address).toBe(toChecksumAddress(address));
      expect(small.book.entityAt(address)).toBe(who);
      expect(small.book.entityAt(address.toLowerCase())).toBe(who);
    }
    expect(small.book.entityAt('0x52908400098527886E0F7030069857D2E4169EE7')).toBeNull();
  });

  it('makes lookalikes that begin and end like the address they imitate', () => {
    const [chain] = small.chains;
    if (chain === undefined) throw new Error('chains are missing');
    const original = small.book.addressOf(small.transactions.imitated(chain, 5000)).toLowerCase();
    const imitation = small.book.addressOf(entity(entityKinds.lookalike, 0, 5000)).toLowerCase();
    expect(imitation).not.toBe(original);
    expect(imitation.slice(0, 6)).toBe(original.slice(0, 6));
    expect(imitation.slice(-4)).toBe(original.slice(-4));
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
