import type { Claim } from '../../../../../shared/health/uptime.ts';
import type { StoredCell } from '../../../../core/health-ports.ts';
import type { CheckState, NodeState } from '../../../../../shared/health/types.ts';
import { orAdd } from '../../../../../shared/or-add.ts';

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

const claimWords = 'Reported by the node later, not observed.';

/** What was seen of a check in one state, by cell. */
interface Tally {
  check: string | null;
  state: StoredCell['state'];
  cells: (StoredCell | undefined)[];
  /** By cell, the time of the first one. */
  firstMs: number[];
}

/** Counts observations by check, cell and state, with the first error of each. */
export class CellCounter {
  readonly #fromMs: number;
  readonly #cellMs: number;
  readonly #cellCount: number;
  readonly #tallies = new Map<string | null, Map<StoredCell['state'], Tally>>();

  constructor(fromMs: number, cellMs: number, cellCount: number) {
    this.#fromMs = fromMs;
    this.#cellMs = cellMs;
    this.#cellCount = cellCount;
  }

  add({ check, atMs, state, error }: Sighted): void {
    this.#add(this.#tally(check, state), atMs, 1, error);
  }

  /**
   * Adds quarters of the day that begins at `dayFromMs`. Of one that spans several cells, the begin is added to `divided`
   * instead; if that is null, it is counted in the cell in which it begins.
   */
  addQuarters(run: QuarterRun, dayFromMs: number, divided: Set<number> | null): void {
    const tally = this.#tally(run.check, run.state);
    const endMs = dayFromMs + (run.start + run.length) * quarterMs;
    let atMs = dayFromMs + run.start * quarterMs;
    while (atMs < endMs) {
      const cell = Math.floor((atMs - this.#fromMs) / this.#cellMs);
      const cellEndMs = this.#fromMs + (cell + 1) * this.#cellMs;
      const whole = Math.floor((Math.min(cellEndMs, endMs) - atMs) / quarterMs);
      if (whole > 0) {
        this.#add(tally, atMs, run.count * whole, run.firstError);
        atMs += whole * quarterMs;
      } else {
        if (divided === null) this.#add(tally, atMs, run.count, run.firstError);
        else divided.add(atMs);
        atMs += quarterMs;
      }
    }
  }

  /** Adds a failure that the node reported only later, and of which no run was seen. Must be called after all runs. */
  addClaim({ check, fromMs, toMs }: Claim): void {
    const tally = this.#tally(check, check === null ? 'unhealthy' : 'fail');
    const firstCell = Math.max(0, Math.floor((fromMs - this.#fromMs) / this.#cellMs));
    const endMs = Math.min(toMs, this.#fromMs + this.#cellMs * this.#cellCount);
    for (let cell = firstCell; this.#fromMs + cell * this.#cellMs < endMs; cell += 1) {
      if (tally.cells[cell] !== undefined) continue;
      this.#add(tally, this.#fromMs + cell * this.#cellMs, 0, claimWords);
    }
  }

  counted(): StoredCell[] {
    const tallies = [...this.#tallies.values()].flatMap((byState) => [...byState.values()]);
    return tallies.flatMap(({ cells }) => cells.filter((cell) => cell !== undefined));
  }

  #tally(check: string | null, state: StoredCell['state']): Tally {
    const byState = orAdd(this.#tallies, check, () => new Map<StoredCell['state'], Tally>());
    return orAdd(byState, state, () => ({ check, state, cells: [], firstMs: [] }));
  }

  #add({ check, state, cells, firstMs }: Tally, atMs: number, count: number, error: string | null): void {
    const cell = Math.floor((atMs - this.#fromMs) / this.#cellMs);
    if (cell < 0 || cell >= this.#cellCount) return;
    const known = cells[cell];
    if (known === undefined) {
      cells[cell] = { check, cell, state, count, firstError: error };
      firstMs[cell] = atMs;
      return;
    }
    known.count += count;
    if (atMs < (firstMs[cell] ?? 0)) {
      firstMs[cell] = atMs;
      known.firstError = error;
    }
  }
}
