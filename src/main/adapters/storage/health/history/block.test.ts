import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckRun } from '../../../../../shared/health/check-run.ts';
import { SqlFailure } from '../../sqlite/sql.ts';
import { createRandom, withNoise } from '../../testing/noise.ts';
import { readId, writeId } from './block-ids.ts';
import { packBlock, reportText, type CorePoll, type HistoryPoll } from './block.ts';
import { packLoosely } from './packed.ts';
import { unpack } from './unpacked.ts';
import { checkStates, nodeStates } from '../../testing/states.ts';

const wholeMs = fc.oneof(
  fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }),
  fc.constantFrom(0, -1, 8.64e15, -8.64e15, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  fc.maxSafeInteger(),
);
const name = fc.oneof(
  fc.constantFrom('C', 'P', '', '__proto__', 'constructor', 'C\0', '\ud800', '<b>', '\u0001', '1', '"'),
  fc.string({ unit: 'binary' }),
);
const words = fc.option(fc.oneof(fc.constantFrom('down', 'slow'), fc.string({ unit: 'binary' })), {
  nil: null,
});
const id = fc.nat(5).map((seed) => writeId(new Uint8Array(32).fill(seed)));
/** Texts as nodes write them, and whatever else may be stored as a message. */
const measures = fc.constantFrom(
  '54m47.7s',
  '0s',
  '-0',
  '007',
  '1e-7',
  '12.50',
  '293.098ms',
  '1,5',
  '0.0123456789012345678',
  '99999999999999999999',
);
const message = fc.option(
  fc.oneof(
    fc
      .record({
        height: fc.nat(),
        id,
        took: measures,
        rate: fc.double({ noNaN: true, noDefaultInfinity: true }),
      })
      .map((value) => JSON.stringify(value)),
    fc.json(),
    measures,
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"\u0001"', '"a', '{"a":"\\"1\\"":2}', 'null', '', '"', '["\\u0001",1]'),
  ),
  { nil: null },
);

const check = fc.record({
  name,
  state: fc.constantFrom(...checkStates),
  error: words,
  message,
  ranAtMs: fc.option(wholeMs, { nil: null }),
  durationNs: fc.option(
    fc.oneof(fc.bigInt({ min: 0n, max: 5_000_000n }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    { nil: null },
  ),
  contiguousFailures: fc.option(fc.nat(), { nil: null }),
  firstFailureAtMs: fc.option(wholeMs, { nil: null }),
});
type Check = typeof check extends fc.Arbitrary<infer Value> ? Value : never;

function reportOf(checks: readonly Check[], keepsOrder: boolean): string {
  const fields = checks.map(({ durationNs, message: text, ...rest }) => {
    const value = {
      ...rest,
      message: parsed(text),
      durationNs: durationNs === null ? null : String(durationNs),
    };
    return keepsOrder ? value : Object.fromEntries(Object.entries(value).reverse());
  });
  return JSON.stringify({ healthy: true, checks: fields, notes: ['odd'] });
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return text;
  }
}

function runOf(found: Check, hasOwnTime: boolean): CheckRun {
  const { name: checkName, state, ranAtMs, contiguousFailures, firstFailureAtMs, error } = found;
  const atMs = hasOwnTime ? (ranAtMs ?? 7) : 5;
  return { check: checkName, state, ranAtMs: atMs, contiguousFailures, firstFailureAtMs, error };
}

const poll = fc.record({
  polledAtMs: wholeMs,
  state: fc.constantFrom(...nodeStates),
  isChange: fc.boolean(),
  reason: fc.string({ unit: 'binary' }),
  reportedNodeId: words,
  report: fc.oneof(
    fc.record({ checks: fc.array(check, { maxLength: 5 }), keepsOrder: fc.boolean() }),
    fc.constantFrom(
      '{"healthy":true}',
      '{"healthy":true,"checks":[{}],"notes":[]}',
      'not JSON',
      '[]',
      ' {}',
      null,
    ),
    fc.string({ unit: 'binary' }),
  ),
  /** Which checks of the report are runs, in which order, and under which time. */
  runs: fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 5 }),
  loose: fc.array(check, { maxLength: 2 }),
});

const history = fc.array(poll, { minLength: 1, maxLength: 8 }).map((polls) =>
  polls.map(({ report, runs, loose, ...rest }): HistoryPoll => {
    const checks = typeof report === 'object' && report !== null ? report.checks : [];
    const own = runs.flatMap(([at, hasOwnTime]) => {
      const found = checks[at];
      return found === undefined ? [] : [runOf(found, hasOwnTime)];
    });
    return {
      ...rest,
      reportJson:
        typeof report === 'object' && report !== null ? reportOf(checks, report.keepsOrder) : report,
      runs: [...own, ...loose.map((one) => runOf(one, true))],
    };
  }),
);

function unpackBlock({ core, texts }: ReturnType<typeof packBlock>): HistoryPoll[] {
  const reports = unpack(texts);
  return unpack<CorePoll>(core).map(({ hasReport, ...rest }, at) => ({
    ...rest,
    reportJson: hasReport ? reportText(reports[at]) : null,
  }));
}

function failureOf(work: () => unknown): SqlFailure {
  try {
    work();
  } catch (cause) {
    if (cause instanceof SqlFailure) return cause;
    throw cause;
  }
  throw new Error('nothing was thrown');
}

/** Polls of an ordinary node. */
function ordinary(pollCount: number, checkCount: number): HistoryPoll[] {
  const random = createRandom(pollCount);
  return Array.from({ length: pollCount }, (_, at) => {
    const ranAtMs = 1_700_000_000_000 + at * 30_000;
    const checks = Array.from({ length: checkCount }, (__, place) => ({
      name: `check ${place}`,
      state: 'pass' as const,
      error: null,
      message: JSON.stringify({ height: at + place, peers: random(50) }),
      ranAtMs: ranAtMs + random(3),
      durationNs: BigInt(random(1_000_000)),
      contiguousFailures: null,
      firstFailureAtMs: null,
    }));
    return {
      polledAtMs: ranAtMs + 500,
      state: 'healthy',
      isChange: true,
      reason: 'All pass.',
      reportedNodeId: 'NodeID-1',
      reportJson: reportOf(checks, true),
      runs: checks.map((one) => runOf(one, true)),
    };
  });
}

describe('a block of history', () => {
  it('gives back every character of what was packed', () => {
    fc.assert(
      fc.property(history, (polls) => {
        expect(unpackBlock(packBlock(polls))).toEqual(polls);
        expect(unpackBlock(packBlock(polls, packLoosely))).toEqual(polls);
      }),
      { numRuns: 100 },
    );
  });

  it('packs one long list among many empty ones in the time that its values take', () => {
    const lists = [...Array.from({ length: 150_000 }, () => []), Array.from({ length: 250_000 }, () => 1)];
    const [usual] = ordinary(1, 1);
    if (usual === undefined) throw new Error('There is no poll.');
    const odd = { ...usual, reportJson: JSON.stringify({ healthy: true, checks: lists, notes: [] }) };
    expect(unpackBlock(packBlock([odd]))[0]?.reportJson).toBe(odd.reportJson);
  });

  it('tells the same without the reports', () => {
    fc.assert(
      fc.property(history, (polls) => {
        const core = unpack<CorePoll>(packBlock(polls).core);
        expect(core).toEqual(
          polls.map(({ reportJson, ...rest }) => ({ ...rest, hasReport: reportJson !== null })),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('holds 5,000 checks, and messages as long as they come', () => {
    const polls = ordinary(3, 5_000);
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    const [first] = polls;
    if (first === undefined) throw new Error('There is no poll.');
    const long = [deep, `"${'x'.repeat(1e6)}"`, `{"checks":[${deep}]}`].map((reportJson) => ({
      ...first,
      reportJson,
    }));
    expect(unpackBlock(packBlock([...polls, ...long]))).toEqual([...polls, ...long]);
  });

  it('needs a small part of the room of the texts', () => {
    const polls = ordinary(120, 12);
    const { core, texts } = packBlock(polls);
    const whole = JSON.stringify(polls.map(({ reportJson }) => reportJson)).length;
    expect(core.length + texts.length).toBeLessThan(whole / 15);
  });

  it('is the same bytes whenever it is packed', () => {
    const polls = ordinary(5, 3);
    expect(packBlock(polls)).toEqual(packBlock(structuredClone(polls)));
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('that was damaged is never read as if it were whole (%i)', (seed) => {
    const { core, texts } = packBlock(ordinary(5, 3));
    const random = createRandom(seed);
    const noisy = (bytes: Uint8Array) => withNoise(Buffer.from(bytes), random(bytes.length), 3, seed);
    expect(failureOf(() => unpack<CorePoll>(noisy(core))).kind).toBe('corrupt');
    expect(failureOf(() => unpackBlock({ core, texts: noisy(texts) })).kind).toBe('corrupt');
    expect(failureOf(() => unpack<CorePoll>(core.subarray(0, random(core.length)))).kind).toBe('corrupt');
  });

  it('of a later kind is refused', () => {
    const core = Uint8Array.from(packBlock(ordinary(1, 1)).core);
    core[0] = 200;
    expect(failureOf(() => unpack<CorePoll>(core))).toMatchObject({
      kind: 'corrupt',
      message: expect.stringMatching(/unknown kind/),
    });
  });
});

describe('ids of blocks', () => {
  it('are their bytes and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(Uint8Array.from(readId(writeId(bytes)) ?? [])).toEqual(bytes);
      }),
    );
    for (const bytes of [new Uint8Array(32), new Uint8Array(32).fill(255), randomBytes(32)]) {
      expect(Buffer.from(readId(writeId(bytes)) ?? [])).toEqual(Buffer.from(bytes));
    }
  });

  it.each([
    '11111111111111111111111111111111LpoYY',
    '2TTSLdR6uEM3R5Ukej3YThHSyPf6XCfppAsh5vAuzFA1rY5w2f',
    '',
    'l'.repeat(45),
    'z'.repeat(50),
  ])('%s is read only if it is written so', (text) => {
    const bytes = readId(text);
    expect(bytes === null || writeId(bytes) === text).toBe(true);
  });

  it('are not read with a digit too many or a wrong one', () => {
    const text = writeId(new Uint8Array(32).fill(9));
    expect(readId(text)).not.toBeNull();
    expect(readId(`1${text}`)).toBeNull();
    expect(readId(`${text.slice(0, -1)}${text.endsWith('2') ? '3' : '2'}`)).toBeNull();
  });
});
