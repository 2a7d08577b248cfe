import { byText } from '../../../../shared/by-text.ts';
import type { CheckState, NodeState, Strip, StripCell } from '../../../../shared/health/types.ts';
import type { StoredCell } from '../../health-ports.ts';

export interface StripSpan {
  fromMs: number;
  /** Whole milliseconds. */
  cellMs: number;
  cellCount: number;
}

/**
 * A strip of the node, then one of each chain, then one of each other check, in order of their names: `chains` are the checks
 * that are of a chain, each of one of its own. A cell shows the worst that was seen in its span: unreachable before fail before
 * stalled before unknown before pending before pass. Where the node was asked but gave no report, its checks were not seen
 * either, so their cells are at least `unknown`, and `stalled` where it does not run them; where nothing was asked, and in the
 * future, they are `none`. `checks` get a strip even if nothing is stored of them. Only the first `limit` are made.
 */
export function composeStrips(
  cells: readonly StoredCell[],
  checks: Iterable<string>,
  span: StripSpan,
  chains: Iterable<string> = [],
  limit = Infinity,
): Strip[] {
  const byCheck = new Map<string | null, StoredCell[]>([[null, []]]);
  for (const check of checks) byCheck.set(check, []);
  for (const cell of cells) {
    const list = byCheck.get(cell.check);
    if (list === undefined) byCheck.set(cell.check, [cell]);
    else list.push(cell);
  }
  const blind = (byCheck.get(null) ?? []).filter(({ state }) => blindStates.has(checkStateOf[state]));
  const isChain = new Set<string | null>(chains);
  const rank = (name: string | null) => (name === null ? 0 : isChain.has(name) ? 1 : 2);
  const names = [...byCheck.keys()]
    .sort((a, b) => rank(a) - rank(b) || byText(a ?? '', b ?? ''))
    .slice(0, Math.min(limit, 1 + Math.floor(mostCells / span.cellCount)));
  return names.map((check) => composeStrip(check, byCheck.get(check) ?? [], blind, span));
}

/** Only a hostile node has more checks than that; 5,000 checks still fit at 100 cells. */
const mostCells = 500_000;

/** What a state of the node means as the state of one check, so that one order of badness serves both. */
const checkStateOf: Readonly<Record<CheckState | NodeState, Exclude<StripCell['state'], 'none'>>> = {
  pass: 'pass',
  fail: 'fail',
  pending: 'pending',
  unknown: 'unknown',
  stalled: 'stalled',
  healthy: 'pass',
  unhealthy: 'fail',
  starting: 'pending',
  unreachable: 'unreachable',
};

/** Of the node: then its checks were not seen, or not run. */
const blindStates: ReadonlySet<StripCell['state']> = new Set(['unreachable', 'unknown', 'stalled']);

const badness: Readonly<Record<StripCell['state'], number>> = {
  none: 0,
  pass: 1,
  pending: 2,
  unknown: 3,
  stalled: 4,
  fail: 5,
  unreachable: 6,
};

function composeStrip(
  check: string | null,
  stored: readonly StoredCell[],
  blind: readonly StoredCell[],
  span: StripSpan,
): Strip {
  const cells: StripCell[] = Array.from({ length: span.cellCount }, (_, index) => ({
    fromMs: span.fromMs + index * span.cellMs,
    toMs: span.fromMs + (index + 1) * span.cellMs,
    state: 'none',
    runs: 0,
    failures: 0,
    error: null,
  }));
  for (const { cell: index, state, count, firstError } of stored) {
    const cell = cells[index];
    if (cell === undefined) continue;
    const seen = checkStateOf[state];
    cell.runs += count;
    if (seen === 'fail') cell.failures += count;
    worsen(cell, seen, firstError);
  }
  for (const { cell: index, state, firstError } of blind) {
    const cell = cells[index];
    const seen = checkStateOf[state];
    // That the node did not answer is no word about its checks.
    if (cell !== undefined) worsen(cell, seen === 'unreachable' ? 'unknown' : seen, firstError);
  }
  return { check, cells };
}

function worsen(cell: StripCell, state: StripCell['state'], error: string | null): void {
  if (badness[state] <= badness[cell.state]) return;
  cell.state = state;
  // Of a pass there is nothing to say; the reason of a node that is healthy is none.
  cell.error = state === 'pass' ? null : error;
}
