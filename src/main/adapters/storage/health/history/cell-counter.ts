import type { Claim } from '../../../../../shared/health/uptime.ts';
import type { StoredCell } from '../../../../core/health-ports.ts';
import type { CheckState, NodeState } from '../../../../../shared/health/types.ts';

export const quarterMs = 900_000;

/** Something that was seen: a run of a check, or (check null) a poll of the node. */
export interface Sighted {
  check: string | null;
  atMs: number;
  state: CheckState | NodeState;
  error: string | null;
}

/** As many quarters of an hour, one after the other, in each of which the state was seen `count` times. */
export interface QuarterRun {
  check: string | null;
  state: CheckState | NodeState;
  /** Quarter of the day. */
  start: number;
  length: number;
  count: number;
  /** Of the first in each of them. */
  firstError: string | null;
}

const claimWords = 'As the node said afterwards; nobody saw it.';

/** Counts what was seen by check, cell and state, with the first error of each. */
export class CellCounter {
  readonly #fromMs: number;
  readonly #cellMs: number;
  readonly #cellCount: number;
  readonly #cells = new Map<string | null, Map<string, StoredCell & { firstMs: number }>>();

  constructor(fromMs: number, cellMs: number, cellCount: number) {
    this.#fromMs = fromMs;
    this.#cellMs = cellMs;
    this.#cellCount = cellCount;
  }

  add({ check, atMs, state, error }: Sighted): void {
    this.#add(check, state, atMs, 1, error);
  }

  /**
   * Adds quarters of an hour of a day that begins at `dayFromMs`. Those that cells divide are handed to `onDivided`; what it
   * does not count itself, by returning false, goes to the cell in which the quarter begins.
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

  /** What the node has said afterwards of a span: no run was seen, but it was down. To be added when all runs are. */
  addClaim({ check, fromMs, toMs }: Claim): void {
    const state = check === null ? 'unhealthy' : 'fail';
    const firstCell = Math.max(0, Math.floor((fromMs - this.#fromMs) / this.#cellMs));
    const endMs = Math.min(toMs, this.#fromMs + this.#cellMs * this.#cellCount);
    for (let cell = firstCell; this.#fromMs + cell * this.#cellMs < endMs; cell += 1) {
      if (this.#cells.get(check)?.has(`${cell} ${state}`) === true) continue;
      this.#add(check, state, this.#fromMs + cell * this.#cellMs, 0, claimWords);
    }
  }

  counted(): StoredCell[] {
    return [...this.#cells.values()].flatMap((cells) =>
      [...cells.values()].map(({ check, cell, state, count, firstError }) => ({
        check,
        cell,
        state,
        count,
        firstError,
      })),
    );
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
    let cells = this.#cells.get(check);
    if (cells === undefined) {
      cells = new Map();
      this.#cells.set(check, cells);
    }
    const key = `${cell} ${state}`;
    const known = cells.get(key);
    if (known === undefined) {
      cells.set(key, { check, cell, state, count, firstError: error, firstMs: atMs });
      return;
    }
    known.count += count;
    if (atMs < known.firstMs) {
      known.firstMs = atMs;
      known.firstError = error;
    }
  }
}
