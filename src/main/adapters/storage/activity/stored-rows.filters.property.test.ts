import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RowFacets } from '../../../../shared/activity/facets.ts';
import {
  choiceFields,
  directionValues,
  fieldIds,
  fieldOf,
  isRangeField,
  kindValues,
  type ActivityFilter,
  type ChoiceField,
  type FilterPill,
} from '../../../../shared/activity/filter.ts';
import { hiddenWords, type HiddenReason } from '../../../../shared/activity/spam-types.ts';
import type { ReadRow, StoredRow } from '../../../core/activity-ports.ts';
import type { DriverName } from '../sqlite/driver.ts';
import type { StorePorts } from '../store-ports.ts';
import { openMemoryDatabase, portsInProcess, storesOver } from '../testing/memory-stores.ts';
import { createNaiveStores } from '../testing/naive-stores.ts';
import { alice, bob, sampleAddress, samplePage } from '../testing/sample-data.ts';
import { rowsOfPage, type Scanned } from '../testing/scan-pages.ts';

/** Small worlds, so that filters match, places collide and the same rows come again and again. */

const chains = ['1', '43114'];
// The second looks like the first; the third is Bob's look-alike.
const parties = [
  '0xabcd000000000000000000000000000000001234',
  '0xabcd00000000000000000000000000000fff1234',
  '0xde70ffffffffffffffffffffffffffffffffeb77',
  '0xde700000000000000000000000000000000fb77',
  'nobody',
];
const tokens = [
  { token: '1 native', symbol: 'ETH', name: null, decimals: 18 },
  { token: '1 erc20 0xaa', symbol: 'USD coin', name: 'Dollar', decimals: 6 },
  { token: '1 erc20 0xaa', symbol: 'renamed', name: 'Dollar', decimals: 2 },
  { token: '43114 erc20 0xbb', symbol: null, name: 'Ünits', decimals: null },
];
const methods = ['transfer', '0xdeadbeef', 'Swap'];
const hashes = [
  `0x${'0'.repeat(63)}1`,
  `0x${'0'.repeat(63)}2`,
  `0xab${'c'.repeat(62)}`,
  `0xab${'d'.repeat(62)}`,
  '0xAB',
  '0xabcc',
  'odd',
];
const tags = ['own', 'cold'];
const amounts = [
  '0',
  '1',
  '1000000',
  '1500000000000000000',
  '999999999999999999999999999999',
  '999999999999999999999999999998',
  '1000000000000000000000000000000',
];
const values = [
  '-12.5',
  '0',
  '3',
  '1e3',
  '1000',
  '0.30000000000000001',
  '0.3',
  '12345678901234567890.5',
  '-12345678901234567890.25',
];
const bounds = [
  null,
  '0',
  '1',
  '1.5',
  '3',
  '0.3',
  '0.30000000000000001',
  '-12.5',
  '1e3',
  '12345678901234567890.4',
  '999999999999.999999999999999999',
  '1000000000000',
];
const blocks = [0n, 1n, 2n ** 32n, 2n ** 32n - 1n, 2n ** 53n + 1n, 2n ** 53n, 2n ** 63n - 1n];
const times = [-1_000, 0, 5, 6, 1_700_000_000_000];
const wholes = [
  null,
  '-5',
  '0',
  '1',
  '5',
  '4294967295',
  '4294967296',
  '9007199254740993',
  '9223372036854775807',
  '99999999999999999999',
  '1700000000000',
];
const texts = [
  '',
  ' ',
  'alice',
  'ABCD',
  '0x',
  '0xa',
  '0xab',
  '0xabc',
  `0xab${'c'.repeat(20)}`,
  'ünit',
  'swap',
  'usd',
  'dd',
  'zzz',
];

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

// `Object.keys` loses the type of the keys.
const rulesOfRow = (Object.keys(hiddenWords) as HiddenReason[]).filter(
  (reason) => reason !== 'user' && reason !== 'look-alike',
);

const facets: fc.Arbitrary<RowFacets> = fc
  .record({
    kind: fc.constantFrom(...kindValues),
    direction: fc.constantFrom(...directionValues),
    status: fc.constantFrom('success', 'failed', 'unknown'),
    counterparty: orNull(fc.constantFrom(...parties)),
    otherSides: fc.subarray(parties, { maxLength: 2 }),
    counterpartyName: orNull(fc.constantFrom('Exchange\0', 'Bridge')),
    method: orNull(fc.constantFrom(...methods)),
    tokens: fc
      .array(
        fc
          .record({ of: fc.constantFrom(...tokens), amount: orNull(fc.constantFrom(...amounts)) })
          .map(({ of, amount }) => ({ ...of, amount })),
        { maxLength: 3 },
      )
      // The amounts of a token stand together, and a row knows one description of it.
      .map((moved) =>
        moved
          .map((one) => ({ ...(moved.find(({ token }) => token === one.token) ?? one), amount: one.amount }))
          .sort((a, b) => a.token.localeCompare(b.token)),
      ),
    rules: fc.subarray(rulesOfRow),
    isOwnDoing: fc.boolean(),
    hasUnreadParts: fc.boolean(),
    awaitsPrice: fc.boolean(),
    valueThen: orNull(fc.constantFrom(...values)),
    valueCurrency: fc.constant('usd'),
    fee: orNull(fc.constantFrom(...amounts)),
    messageId: orNull(fc.constantFrom('m1', 'm2')),
  })
  // A name is of somebody.
  .map((one) => (one.counterparty === null ? { ...one, counterpartyName: null } : one));

const row: fc.Arbitrary<StoredRow> = fc.record({
  chainId: fc.constantFrom(...chains),
  address: fc.constantFrom(alice, bob),
  txHash: fc.constantFrom(...hashes),
  blockNumber: fc.constantFrom(...blocks),
  blockIndex: orNull(fc.constantFrom(0, 1, -7)),
  blockHash: orNull(fc.constantFrom('h1', 'h2')),
  timestampMs: fc.constantFrom(...times),
  completeness: fc.constantFrom('partial', 'complete'),
  transactionJson: fc.constantFrom('{"a":1}', '{"a":2}'),
  isReceived: fc.boolean(),
  requestUrl: fc.option(fc.webUrl()),
  fetchedAtMs: fc.constantFrom(10, 20, 30),
  facets,
});

const choicesOf: Readonly<Record<ChoiceField, readonly string[]>> = {
  address: [alice, alice.toLowerCase(), bob],
  tag: tags,
  chain: chains,
  kind: kindValues,
  direction: directionValues,
  token: tokens.map(({ token }) => token),
  counterparty: [...parties, '0xABCD000000000000000000000000000000001234'],
  method: methods,
  status: ['success', 'failed', 'unknown'],
  completeness: ['partial', 'complete', 'unread'],
  hidden: Object.keys(hiddenWords),
};

const choice = fc.constantFrom(...choiceFields).chain((field) =>
  fc.record({
    field: fc.constant(field),
    not: fc.boolean(),
    values: fc.array(fc.constantFrom(...choicesOf[field], 'none of them'), { minLength: 1, maxLength: 3 }),
  }),
);
const range = fc.constantFrom(...fieldIds.filter(isRangeField)).chain((field) => {
  const bound = fc.constantFrom(...(fieldOf[field].range === 'decimal' ? bounds : wholes));
  const token = fc.constantFrom(...tokens.map(({ token }) => token));
  return fc.record(
    { field: fc.constant(field), not: fc.boolean(), min: bound, max: bound, token },
    { requiredKeys: ['field', 'not', 'min', 'max'] },
  );
});
const pill: fc.Arbitrary<FilterPill> = fc.oneof(choice, { weight: 2, arbitrary: range });

const filter: fc.Arbitrary<ActivityFilter> = fc.record(
  {
    pills: fc.array(pill, { maxLength: 3 }),
    text: fc.constantFrom(...texts),
    showHidden: fc.boolean(),
    order: fc.record({ by: fc.constantFrom('time', 'amount', 'fee'), ascending: fc.boolean() }),
  },
  { requiredKeys: ['pills', 'text', 'showHidden'] },
);

const decision = fc.constantFrom('show', 'hide', null);

/** A change of the stores, made in both. Rows are told by their place in the order of all rows. */
const change = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      rows: fc.array(row, { maxLength: 8 }),
      walkAtMs: fc.constantFrom(1, 2),
    }),
  },
  fc.record({
    kind: fc.constant('sweep' as const),
    row,
    walkAtMs: fc.constantFrom(1, 2),
  }),
  fc.record({
    kind: fc.constant('put' as const),
    row,
    note: orNull(fc.constant('differs')),
  }),
  fc.record({ kind: fc.constant('judgeRow' as const), place: fc.nat(20), decision }),
  fc.record({ kind: fc.constant('judgeToken' as const), token: fc.constantFrom(...tokens), decision }),
  fc.record({
    kind: fc.constant('name' as const),
    address: fc.constantFrom(...parties),
    isGone: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('watch' as const),
    address: fc.constantFrom(alice, bob),
    label: orNull(fc.constantFrom('Alice', 'zzz')),
    tags: fc.subarray(tags),
  }),
  fc.record({ kind: fc.constant('unwatch' as const), keepData: fc.boolean() }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Ids are each store's own. */
const withoutId = ({ id: _id, ...rest }: ReadRow) => rest;
const all: ActivityFilter = { pills: [], text: '', showHidden: true };

/** Words of a refusal are the same in all stores. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (cause) {
    return String(cause);
  }
}

async function apply({ activity, watchlist, book }: StorePorts, made: Change): Promise<unknown> {
  switch (made.kind) {
    case 'save': {
      const lists = new Map<string, StoredRow[]>();
      for (const one of made.rows) {
        const key = `${one.address} ${one.chainId}`;
        lists.set(key, [...(lists.get(key) ?? []), one]);
      }
      const saved = [];
      for (const rows of lists.values()) {
        const [first] = rows;
        if (first === undefined) continue;
        const { address, chainId } = first;
        const page = samplePage({ address, chainId, rows, walkAtMs: made.walkAtMs });
        saved.push(await outcomeOf(activity.savePage(page)));
      }
      return saved;
    }
    case 'sweep':
      return outcomeOf(
        activity.savePage(
          samplePage({
            address: made.row.address,
            chainId: made.row.chainId,
            walkAtMs: made.walkAtMs,
            sweep: [{ fromBlock: '0', toBlock: String(made.row.blockNumber + 1n) }],
          }),
        ),
      );
    case 'put':
      return outcomeOf(
        activity.putRows([
          {
            row: made.row,
            integrityNote: made.note,
            replaced:
              made.note === null
                ? null
                : { why: 'integrity', transactionJson: '{}', fetchedAtMs: 1, replacedAtMs: 2 },
          },
        ]),
      );
    case 'judgeRow': {
      const page = await activity.readRows({ filter: all, offset: made.place, anchor: null, limit: 1 });
      const [judged] = page.rows;
      return judged === undefined ? null : activity.judgeRow(judged.id, made.decision);
    }
    case 'judgeToken':
      return activity.judgeToken(made.token.token, made.decision);
    case 'name':
      return made.isGone
        ? book.remove(made.address)
        : book.put({ address: made.address, name: 'ddd', note: null, changedAtMs: 1 });
    case 'watch':
      return watchlist.put(sampleAddress({ address: made.address, label: made.label, tags: made.tags }));
    case 'unwatch':
      return watchlist.remove(bob, made.keepData ? 'keep' : 'delete');
  }
}

async function answersOf({ activity }: StorePorts, asked: ActivityFilter) {
  const page = await outcomeOf(activity.readRows({ filter: asked, offset: 0, anchor: null, limit: 1000 }));
  const scan = await activity.openScan(asked);
  const scanned: Scanned[] = [];
  for (let from = 0; from < scan.totalCount; from += 3) {
    const page = await activity.readScan({ scanId: scan.scanId, from, limit: 3 });
    scanned.push(...rowsOfPage(page));
  }
  await activity.closeScan(scan.scanId);
  const none = { rowIds: [], chainIds: [] };
  const partial = await activity.partialRows({ filter: asked, except: none, limit: 1000 });
  const except = {
    rowIds: partial.filter((_row, place) => place % 3 === 0).map(({ rowId }) => rowId),
    chainIds: partial.slice(-1).map((row) => row.chainId),
  };
  const unskipped = await activity.partialRows({ filter: asked, except, limit: 3 });
  return {
    ...(page as { rows: ReadRow[] }),
    rows: (page as { rows: ReadRow[] }).rows.map(withoutId),
    scanned,
    partial: [partial, unskipped].map((rows) => rows.map(({ chainId, txHash }) => `${chainId} ${txHash}`)),
  };
}

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

describe.each(driverNames)('filters with %s', (name) => {
  it('answer what looking at each row answers, whatever was written, judged, named or removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(change, fc.array(filter, { maxLength: 3 })), { minLength: 1, maxLength: 12 }),
        fc.array(filter, { minLength: 5, maxLength: 12 }),
        async (changes, last) => {
          const database = openMemoryDatabase([name]);
          const stores = [portsInProcess(storesOver(database)), createNaiveStores()] as const;
          for (const { watchlist } of stores) {
            await watchlist.put(sampleAddress({ label: 'Alice', tags: ['own'] }));
            await watchlist.put(sampleAddress({ address: bob, addedAtMs: 2 }));
          }
          const compare = async (asked: ActivityFilter) => {
            const [indexed, naive] = await Promise.all(stores.map((store) => answersOf(store, asked)));
            expect(indexed).toEqual(naive);
          };
          for (const [made, filters] of changes) {
            const [indexed, naive] = await Promise.all(stores.map((store) => apply(store, made)));
            expect(indexed).toEqual(naive);
            for (const asked of filters) await compare(asked);
          }
          for (const asked of [all, { ...all, showHidden: false }, ...last]) await compare(asked);
          for (const field of choiceFields) {
            const [indexed, naive] = await Promise.all(
              stores.map(({ activity }) => activity.values({ field, text: '', limit: 100 })),
            );
            expect(indexed).toEqual(naive);
          }
          database.close();
        },
      ),
      { numRuns: name === 'libsql' ? 20 : 60 },
    );
  }, 120_000);
});
