import type { Attempt } from '../../../shared/explore/types.ts';
import type { RunStore, StoredRun, StoredRunPage } from '../../core/ports.ts';
import { toBound } from './bind.ts';
import { checkLimit } from './cursor.ts';
import { decodeRunCursor, encodeRunCursor } from './run-cursor.ts';
import { SqlFailure } from './sql.ts';
import type { Synchronous } from './store-ports.ts';

interface Kept {
  run: StoredRun;
  rowId: number;
  pages: StoredRunPage[];
  attempts: Attempt[];
}

/** The run store without SQLite; see memory.ts. */
export class MemoryRunStore implements Synchronous<RunStore> {
  readonly #runs = new Map<string, Kept>();
  #lastRowId = 0;

  create(run: StoredRun): void {
    if (this.#runs.has(run.id)) throw new SqlFailure('defect', 'the run exists already');
    this.#lastRowId += 1;
    this.#runs.set(run.id, { run, rowId: this.#lastRowId, pages: [], attempts: [] });
  }

  save(run: StoredRun, pages: readonly StoredRunPage[], attempts: readonly Attempt[]): void {
    const kept = this.#runs.get(run.id);
    if (kept === undefined) throw new SqlFailure('missing-parent', '');
    for (const [position, page] of pages.entries()) {
      if (page.index !== kept.run.pageCount + position) {
        throw new SqlFailure('defect', 'a page does not follow the pages stored before');
      }
      toBound(page.rawText);
    }
    kept.pages.push(...pages);
    const { id, target, origin, searchText, startedAtMs } = kept.run;
    kept.run = { ...run, id, target, origin, searchText, startedAtMs };
    kept.attempts.push(...attempts);
  }

  read(id: string): StoredRun | null {
    return this.#runs.get(id)?.run ?? null;
  }

  readPage(id: string, index: number): StoredRunPage | null {
    return this.#runs.get(id)?.pages[index] ?? null;
  }

  readAttempts(id: string): Attempt[] {
    return this.#runs.get(id)?.attempts ?? [];
  }

  list(query: { words: string[]; cursor: string | null; limit: number }): {
    runs: StoredRun[];
    nextCursor: string | null;
    totalCount: number;
  } {
    const limit = checkLimit(query.limit);
    const after = query.cursor === null ? null : decodeRunCursor(query.cursor);
    const matching = [...this.#runs.values()]
      .filter(({ run }) => query.words.every((word) => run.searchText.includes(word)))
      .sort((a, b) => b.run.startedAtMs - a.run.startedAtMs || b.rowId - a.rowId);
    const following = matching.filter(
      ({ run, rowId }) =>
        after === null ||
        run.startedAtMs < after.startedAtMs ||
        (run.startedAtMs === after.startedAtMs && rowId < after.rowId),
    );
    const last = following[limit - 1];
    return {
      runs: following.slice(0, limit).map(({ run }) => run),
      nextCursor:
        following.length > limit && last !== undefined
          ? encodeRunCursor({ startedAtMs: last.run.startedAtMs, rowId: last.rowId })
          : null,
      totalCount: matching.length,
    };
  }

  remove(id: string): void {
    this.#runs.delete(id);
  }

  settleRunning(): void {
    for (const kept of this.#runs.values()) {
      if (kept.run.state === 'running') kept.run = { ...kept.run, state: 'partial' };
    }
  }
}
