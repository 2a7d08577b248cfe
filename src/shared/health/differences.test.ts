import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { reportDifferences } from './differences.ts';
import type { CheckReport, HealthReport } from './types.ts';

const check = (name: string, fields: Partial<CheckReport> = {}): CheckReport => ({
  name,
  state: 'pass',
  error: null,
  message: null,
  ranAtMs: 1,
  durationNs: '5',
  contiguousFailures: null,
  firstFailureAtMs: null,
  ...fields,
});
const report = (...checks: CheckReport[]): HealthReport => ({ healthy: true, checks, notes: [] });
const changes = (before: Json | null, after: Json | null): [string, string | null, string | null][] =>
  reportDifferences(report(check('a', { message: before })), report(check('a', { message: after }))).map(
    ({ field, before: was, after: is }) => [field, was, is],
  );

describe('reportDifferences', () => {
  it('tells what changed in states, errors and messages, with units', () => {
    const before = report(
      check('network', { message: { connectedPeers: 48, sendFailRate: 0 } }),
      check('gone'),
      check('same', { message: { x: 1 } }),
    );
    const after: HealthReport = {
      ...report(
        check('new', { state: 'pending' }),
        check('network', {
          state: 'fail',
          error: 'too few peers',
          message: { connectedPeers: 3, sendFailRate: 0.25, timeSinceLastMsgReceived: '1m5s' },
        }),
        check('same', { message: { x: 1 } }),
      ),
      healthy: false,
    };
    expect(reportDifferences(before, after)).toEqual([
      { check: '', field: 'healthy', label: 'healthy', before: 'true', after: 'false' },
      { check: 'new', field: 'state', label: 'state', before: null, after: 'Not run yet' },
      { check: 'network', field: 'state', label: 'state', before: 'Passing', after: 'Failing' },
      { check: 'network', field: 'error', label: 'error', before: null, after: 'too few peers' },
      {
        check: 'network',
        field: 'message.connectedPeers',
        label: 'connected peers',
        before: '48',
        after: '3',
      },
      {
        check: 'network',
        field: 'message.sendFailRate',
        label: 'send fail rate',
        before: '0%',
        after: '25%',
      },
      {
        check: 'network',
        field: 'message.timeSinceLastMsgReceived',
        label: 'time since last msg received',
        before: null,
        after: '1 min 5 s',
      },
      { check: 'gone', field: 'state', label: 'state', before: 'Passing', after: null },
    ]);
  });

  it('calls a field by words, whose unit is in its values where they have one', () => {
    const labels = (before: Json, after: Json) =>
      reportDifferences(report(check('a', { message: before })), report(check('a', { message: after }))).map(
        ({ label }) => label,
      );
    expect(labels({ availableDiskBytes: 5_000 }, { availableDiskBytes: 9_000 })).toEqual(['available disk']);
    // These differ only in digits that the words leave out.
    expect(labels({ diskBytes: 5_000_000 }, { diskBytes: 5_000_001 })).toEqual(['diskBytes']);
    expect(labels({ engine: { lastAcceptedID: 'a' } }, { engine: { lastAcceptedID: 'b' } })).toEqual([
      'last accepted ID',
    ]);
    expect(labels('a', 'b')).toEqual(['message']);
  });

  it('does not call times and counts of runs a difference', () => {
    const before = report(check('a', { state: 'fail', contiguousFailures: 1 }));
    const after = report(
      check('a', { state: 'fail', contiguousFailures: 2, ranAtMs: 9, durationNs: '7', firstFailureAtMs: 3 }),
    );
    expect(reportDifferences(before, after)).toEqual([]);
  });

  it('has nothing to say about the first report', () => {
    expect(reportDifferences(null, report(check('a')))).toEqual([]);
  });

  it.each<[Json | null, Json | null, [string, string | null, string | null][]]>([
    [null, 'text', [['message', null, 'text']]],
    ['text', null, [['message', 'text', null]]],
    [
      { a: 1 },
      { b: 1 },
      [
        ['message.b', null, '1'],
        ['message.a', '1', null],
      ],
    ],
    [{ a: [1, 2] }, { a: [1, 3] }, [['message.a', '1, 2', '1, 3']]],
    [
      { percentConnected: 0.987712 },
      { percentConnected: 0.987713 },
      [['message.percentConnected', '0.987712', '0.987713']],
    ],
    [{ a: '1' }, { a: 1 }, [['message.a', '"1"', '1']]],
    [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, []],
  ])('%j → %j', (before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });

  it('finds a difference below what is listed', () => {
    const deep = (value: number): Json =>
      JSON.parse(`${'{"a":'.repeat(20)}${value}${'}'.repeat(20)}`) as Json;
    expect(changes(deep(1), deep(2))).toHaveLength(1);
    const wide = (last: number): Json =>
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index === 299 ? last : 0]));
    const [[field, was, is] = []] = changes(wide(1), wide(2));
    expect([field, was?.slice(-10), is?.slice(-10)]).toEqual(['message', ',"k299":1}', ',"k299":2}']);
  });

  it('finds none between equal reports, and its texts are fit for a line', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), fc.jsonValue({ maxDepth: 10 }), (a, b) => {
        expect(changes(a as Json, structuredClone(a) as Json)).toEqual([]);
        for (const [, was, is] of changes(a as Json, b as Json)) {
          expect(was === null && is === null).toBe(false);
          expect(`${was ?? ''}${is ?? ''}`).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
        }
      }),
    );
  });
});
