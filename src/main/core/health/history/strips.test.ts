import { describe, expect, it } from 'vitest';
import type { Strip } from '../../../../shared/health/types.ts';
import type { StoredCell } from '../../health-ports.ts';
import { composeStrips, spansOf, type StripSpan } from './strips.ts';

const span = { fromMs: 1_000, cellMs: 10, cellCount: 3 };
const cell = (
  check: string | null,
  index: number,
  state: StoredCell['state'],
  count = 1,
  firstError: string | null = null,
): StoredCell => ({ check, cell: index, state, count, firstError });

const stripsOf = (
  cells: readonly StoredCell[],
  checks: Iterable<string>,
  one: StripSpan,
  chains?: Iterable<string>,
  limit?: number,
) => composeStrips([cells], checks, [one], chains, limit);

const states = (strips: readonly Strip[]): Record<string, string> =>
  Object.fromEntries(
    strips.map(({ check, cells }) => [check ?? 'node', cells.map(({ state }) => state).join(' ')]),
  );

describe('composeStrips', () => {
  it('has the node first, then the checks by name, each with all cells', () => {
    const strips = stripsOf([cell('b', 0, 'pass'), cell('B', 0, 'pass')], ['z', 'a'], span);
    expect(strips.map(({ check }) => check)).toEqual([null, 'B', 'a', 'b', 'z']);
    expect(strips[1]?.cells).toEqual([
      { fromMs: 1_000, toMs: 1_010, state: 'pass', runs: 1, failures: 0, error: null },
      { fromMs: 1_010, toMs: 1_020, state: 'none', runs: 0, failures: 0, error: null },
      { fromMs: 1_020, toMs: 1_030, state: 'none', runs: 0, failures: 0, error: null },
    ]);
  });

  it('shows the worst that was seen, counts all, and tells the first error of it', () => {
    const cells = [
      cell('C', 0, 'pass', 5),
      cell('C', 0, 'fail', 2, 'down'),
      cell('C', 0, 'unknown', 1, 'not seen'),
      cell('C', 1, 'pending', 1),
      cell('C', 1, 'unknown', 2, 'not seen'),
      cell('C', 2, 'pass', 3, 'never shown'),
      cell('C', 2, 'pending', 1, 'not run'),
    ];
    for (const order of [cells, cells.toReversed()]) {
      expect(stripsOf(order, [], span)[1]?.cells).toMatchObject([
        { state: 'fail', runs: 8, failures: 2, error: 'down' },
        { state: 'unknown', runs: 3, failures: 0, error: 'not seen' },
        { state: 'pending', runs: 4, failures: 0, error: 'not run' },
      ]);
    }
  });

  it('tells the first of two errors', () => {
    const cells = [cell('C', 0, 'fail', 1, 'down'), cell('C', 0, 'fail', 1, 'still down')];
    expect(stripsOf(cells, [], span)[1]?.cells[0]).toMatchObject({ failures: 2, error: 'down' });
  });

  it.each([
    ['healthy', 'pass', null],
    ['unhealthy', 'fail', 'why'],
    ['starting', 'pending', 'why'],
    ['unreachable', 'unreachable', 'why'],
    ['unknown', 'unknown', 'why'],
    ['stalled', 'stalled', 'why'],
  ] as const)('shows a node that is %s as %s', (state, shown, error) => {
    expect(stripsOf([cell(null, 1, state, 4, 'why')], [], span)[0]?.cells[1]).toMatchObject({
      state: shown,
      runs: 4,
      failures: shown === 'fail' ? 4 : 0,
      error,
    });
  });

  it('does not know of a check where the node was asked and gave no report', () => {
    const strips = stripsOf(
      [
        cell(null, 0, 'healthy'),
        cell(null, 0, 'unreachable', 1, 'no answer'),
        cell(null, 1, 'unknown', 1, 'a web page'),
        cell('C', 0, 'pass', 2),
        cell('D', 0, 'fail', 1, 'down'),
      ],
      ['E'],
      span,
    );
    expect(states(strips)).toEqual({
      node: 'unreachable unknown none',
      C: 'unknown unknown none',
      D: 'fail unknown none',
      E: 'unknown unknown none',
    });
    expect(strips[1]?.cells[1]).toMatchObject({ runs: 0, error: 'a web page' });
    expect(strips[2]?.cells[0]).toMatchObject({ runs: 1, failures: 1, error: 'down' });
  });

  it('shows checks that the node does not run any more as stalled, and a failure all the same', () => {
    const cells = [
      cell(null, 0, 'unknown', 1, 'a web page'),
      cell(null, 0, 'stalled', 3, 'stands still'),
      cell('C', 0, 'pass'),
      cell('D', 0, 'fail', 1, 'down'),
    ];
    for (const order of [cells, cells.toReversed()]) {
      expect(stripsOf(order, [], span).map(({ cells: [first] }) => [first?.state, first?.error])).toEqual([
        ['stalled', 'stands still'],
        ['stalled', 'stands still'],
        ['fail', 'down'],
      ]);
    }
  });

  it('has chains before other checks', () => {
    const strips = stripsOf([cell('P', 0, 'pass')], ['C', 'B', 'database', 'X'], span, ['P', 'X', 'C']);
    expect(strips.map(({ check }) => check)).toEqual([null, 'C', 'P', 'X', 'B', 'database']);
  });

  it('does not blame a check for a time in which it had nothing to run', () => {
    const strips = stripsOf(
      [cell(null, 0, 'healthy'), cell(null, 1, 'healthy'), cell('C', 1, 'pass')],
      [],
      span,
    );
    expect(states(strips)).toEqual({ node: 'pass pass none', C: 'none pass none' });
  });

  it('ignores cells outside the span', () => {
    const outside = [cell('C', -1, 'fail'), cell('C', 3, 'fail'), cell(null, 3, 'unreachable')];
    expect(states(stripsOf(outside, [], span))).toEqual({
      node: 'none none none',
      C: 'none none none',
    });
  });

  it('has cells of several lengths, those of each length counted by themselves', () => {
    const spans = spansOf([1_000, 1_010, 1_020, 1_025, 1_035, 1_045]);
    expect(spans).toEqual([
      { fromMs: 1_000, cellMs: 10, cellCount: 2 },
      { fromMs: 1_020, cellMs: 5, cellCount: 1 },
      { fromMs: 1_025, cellMs: 10, cellCount: 2 },
    ]);
    const read = [[cell('C', 1, 'pass')], [cell('C', 0, 'fail')], [cell('C', 1, 'pending')]];
    const [, strip] = composeStrips(read, [], spans);
    expect(strip?.cells.map(({ state }) => state)).toEqual(['none', 'pass', 'fail', 'none', 'pending']);
    expect(strip?.cells.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
      [1_000, 1_010],
      [1_010, 1_020],
      [1_020, 1_025],
      [1_025, 1_035],
      [1_035, 1_045],
    ]);
  });

  it('gives 5,000 checks their strips, and no hostile node more than fits', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `c${index}`);
    expect(stripsOf([], names, { ...span, cellCount: 96 })).toHaveLength(5_001);
    expect(stripsOf([], names, { ...span, cellCount: 1_000 })).toHaveLength(501);
    expect(stripsOf([], ['b', 'a', 'X'], span, ['X'], 3).map(({ check }) => check)).toEqual([null, 'X', 'a']);
  });
});
