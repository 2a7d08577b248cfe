import { byText } from '../../../../shared/by-text.ts';
import type { CheckState, NodeState, Strip, StripCell } from '../../../../shared/health/types.ts';
import { isBlind } from '../../../../shared/health/uptime.ts';
import type { StoredCell } from '../../health-ports.ts';

/** Cells of one length. */
export interface StripSpan {
  fromMs: number;
  /** Whole milliseconds. */
  cellMs: number;
  cellCount: number;
}

/**
 * A strip for the node, then one for each chain, then one for each other check, sorted by name; `chains` are the checks
 * that belong to a chain, each to a different one. A cell shows the worst state in its span: unreachable, fail,
 * stalled, unknown, pending, pass. Where the node was polled but sent no report, cells of its checks are at least
 * `unknown`, and `stalled` where it has stopped running them; without polls, and in the future, they are `none`.
 * `checks` get a strip even if nothing is stored of them. At most `limit` strips. `read` has the cells of each span.
 */
export function composeStrips(
  read: readonly (readonly StoredCell[])[],
  checks: Iterable<string>,
  spans: readonly StripSpan[],
  chains: Iterable<string> = [],
  limit = Infinity,
): Strip[] {
  const times = spans.flatMap(({ fromMs, cellMs, cellCount }) =>
    Array.from({ length: cellCount }, (_, at) => ({
      fromMs: fromMs + at * cellMs,
      toMs: fromMs + (at + 1) * cellMs,
    })),
  );
  let before = 0;
  const cells = spans.flatMap(({ cellCount }, at) => {
    const first = before;
    before += cellCount;
    const ofSpan = read[at] ?? [];
    return first === 0 ? ofSpan : ofSpan.map((cell) => ({ ...cell, cell: first + cell.cell }));
  });
  const byCheck = Map.groupBy(cells, ({ check }) => check);
  const blind = (byCheck.get(null) ?? []).filter(({ state }) => isBlind(state));
  const isChain = new Set<string | null>(chains);
  const rank = (name: string | null) => (name === null ? 0 : isChain.has(name) ? 1 : 2);
  const names = [...new Set([null, ...checks, ...byCheck.keys()])]
    .sort((a, b) => rank(a) - rank(b) || byText(a ?? '', b ?? ''))
    .slice(0, Math.min(limit, 1 + Math.floor(mostCells / times.length)));
  return names.map((check) => composeStrip(check, byCheck.get(check) ?? [], blind, times));
}

/** Cells that begin and end at these times, as spans of equal ones. */
export function spansOf(edges: readonly number[]): StripSpan[] {
  const spans: StripSpan[] = [];
  for (const [at, fromMs] of edges.slice(0, -1).entries()) {
    const cellMs = (edges[at + 1] ?? fromMs) - fromMs;
    const last = spans.at(-1);
    if (last?.cellMs === cellMs) last.cellCount += 1;
    else spans.push({ fromMs, cellMs, cellCount: 1 });
  }
  return spans;
}

/** Only a hostile node has more checks than that allows; 5,000 checks still fit at 100 cells. */
const mostCells = 500_000;

/** The node's states expressed as states of a check, so that one order of severity serves both. */
function checkStateOf(state: CheckState | NodeState): StripCell['state'] {
  if (state === 'healthy') return 'pass';
  if (state === 'unhealthy') return 'fail';
  return state === 'starting' ? 'pending' : state;
}

const worstLast = ['none', 'pass', 'pending', 'unknown', 'stalled', 'fail', 'unreachable'] as const;

function composeStrip(
  check: string | null,
  stored: readonly StoredCell[],
  blind: readonly StoredCell[],
  times: readonly Pick<StripCell, 'fromMs' | 'toMs'>[],
): Strip {
  const nothing = { state: 'none', runs: 0, failures: 0, error: null } as const;
  const cells: StripCell[] = times.map((time) => ({ ...time, ...nothing }));
  for (const { cell: index, state, count, firstError } of stored) {
    const cell = cells[index];
    if (cell === undefined) continue;
    const seen = checkStateOf(state);
    cell.runs += count;
    if (seen === 'fail') cell.failures += count;
    worsen(cell, seen, firstError);
  }
  for (const { cell: index, state, firstError } of blind) {
    const cell = cells[index];
    const seen = checkStateOf(state);
    // An unreachable node says nothing about its checks.
    if (cell !== undefined) worsen(cell, seen === 'unreachable' ? 'unknown' : seen, firstError);
  }
  return { check, cells };
}

function worsen(cell: StripCell, state: StripCell['state'], error: string | null): void {
  if (worstLast.indexOf(state) <= worstLast.indexOf(cell.state)) return;
  cell.state = state;
  // A pass has no error, and the reason of a healthy node is not one.
  cell.error = state === 'pass' ? null : error;
}
