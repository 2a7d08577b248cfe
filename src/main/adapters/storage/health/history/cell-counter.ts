import type { Claim } from '../../../../../shared/health/uptime.ts';
import type { StoredCell } from '../../../../core/health-ports.ts';
import type { CheckState, NodeState } from '../../../../../shared/health/types.ts';

export const quarterMs = 900_000;

/** An observation: a run of a check or, with `check` null, a poll of the node. */
export interface Sighted {
  check: string | null;
  atMs: number;
  state: CheckState | NodeState;
  error: string | null;
}

/** Consecutive quarters of an hour, in each of which the state was seen `count` times. */
export interface QuarterRun {
  check: string | null;
  state: CheckState | NodeState;
  /** Index of the first quarter in the day. */
  start: number;
  length: number;
  count: number;
  /** The first error in each of them. */
  firstError: string | null;
}

const claimWords = 'As the node said afterwards; nobody saw it.';

/** Counts observations by check, cell and state, with the first error of each. */
export class CellCounter {
  readonly #fromMs: number;
  readonly #cellMs: number;
  readonly #cellCount: number;
  /** By cell, state and check. */
  readonly #cells = new Map<string, StoredCell & { firstMs: number }>();

  constructor(fromMs: number, cellMs: number, cellCount: number) {
    this.#fromMs = fromMs;
    this.#cellMs = cellMs;
    this.#cellCount = cellCount;
  }

  add({ check, atMs, state, error }: Sighted): void {
    this.#add(check, state, atMs, 1, error);
  }

  /**
   * Adds quarters of the day that begins at `dayFromMs`. A quarter that spans several cells is passed to `onDivided`;
   * if that returns false, it is counted in the cell in which it begins.
   */
  addQuarters(run: QuarterRun, dayFromMs: number, onDivided: (quarterFromMs: number) => boolean): void {
    const endMs = dayFromMs + (run.start + run.length) * quarterMs;
    let atMs = dayFromMs + run.start * quarterMs;
    while (atMs < endMs) {
      const cell = Math.floor((atMs - this.#fromMs) / this.#cellMs);
      const cellEndMs = this.#fromMs + (cell + 1) * this.#cellMs;
      const whole = Math.floor((Math.min(cellEndMs, endMs) - atMs) / quarterMs);
      if (whole > 0) {
        this.#add(run.check, run.state, atMs, run.count * whole, run.firstError);
        atMs += whole * quarterMs;
      } else {
        if (!onDivided(atMs)) this.#add(run.check, run.state, atMs, run.count, run.firstError);
        atMs += quarterMs;
      }
    }
  }

  /** Adds a failure of which the node told only later, and no run was seen. Must be called after all runs. */
  addClaim({ check, fromMs, toMs }: Claim): void {
    const state = check === null ? 'unhealthy' : 'fail';
    const firstCell = Math.max(0, Math.floor((fromMs - this.#fromMs) / this.#cellMs));
    const endMs = Math.min(toMs, this.#fromMs + this.#cellMs * this.#cellCount);
    for (let cell = firstCell; this.#fromMs + cell * this.#cellMs < endMs; cell += 1) {
      if (this.#cells.has(keyOf(check, cell, state))) continue;
      this.#add(check, state, this.#fromMs + cell * this.#cellMs, 0, claimWords);
    }
  }

  counted(): StoredCell[] {
    return [...this.#cells.values()].map(({ firstMs: _, ...cell }) => cell);
  }

  #add(
    check: string | null,
    state: StoredCell['state'],
    atMs: number,
    count: number,
    error: string | null,
  ): void {
    const cell = Math.floor((atMs - this.#fromMs) / this.#cellMs);
    if (cell < 0 || cell >= this.#cellCount) return;
    const key = keyOf(check, cell, state);
    const known = this.#cells.get(key);
    if (known === undefined) {
      this.#cells.set(key, { check, cell, state, count, firstError: error, firstMs: atMs });
      return;
    }
    known.count += count;
    if (atMs < known.firstMs) {
      known.firstMs = atMs;
      known.firstError = error;
    }
  }
}

function keyOf(check: string | null, cell: number, state: StoredCell['state']): string {
  return check === null ? `${cell} ${state}` : `${cell} ${state} ${check}`;
}
