import type { Result } from '../../../shared/errors.ts';
import type { RunSummary } from '../../../shared/explore/types.ts';
import type { ResultOf } from '../../../shared/ipc/contract.ts';
import { call } from '../bridge.ts';
import { Paged } from './paged.svelte.ts';

const atOnce = 50;
/** As many as are answered at once. */
const mostAtOnce = 1_000;

/** The list of past queries, newest first, found by text and read page by page. */
export class PastQueries extends Paged<ResultOf<'runs.list'>, RunSummary> {
  text = $state('');
  /** What events said of queries: newer than any list. */
  readonly #newest = new Map<string, RunSummary>();
  /** Queries that the store has been asked about since the text was changed. */
  readonly #asked = new Set<string>();

  get totalCount(): number {
    return this.pages.at(-1)?.totalCount ?? 0;
  }

  /** Lists what contains the text, or everything. What is shown stays until the answer is there. */
  async find(text: string): Promise<void> {
    this.text = text;
    this.#asked.clear();
    await this.load(
      {
        read: ({ token, count, again }) =>
          call('runs.list', {
            text: text.trim(),
            cursor: token,
            limit: again ? Math.min(mostAtOnce, Math.max(atOnce, count)) : atOnce,
          }),
        itemsOf: ({ runs }) => runs.map((run) => this.#newest.get(run.id) ?? run),
        // Queries that began meanwhile move the pages, so one may come twice.
        keyOf: ({ id }) => id,
        tokenOf: ({ nextCursor }) => nextCursor,
      },
      true,
    );
  }

  async remove(runId: string): Promise<Result<null>> {
    const result = await call('runs.remove', { runId });
    if (!result.ok) return result;
    this.items = this.items.filter(({ id }) => id !== runId);
    await this.refresh();
    return result;
  }

  async #look(runId: string): Promise<void> {
    this.#asked.add(runId);
    await this.refresh();
    if (this.error !== null) this.#asked.delete(runId);
  }

  /** A query has moved on. Whether a new one belongs here only the store knows, and does not change its mind. */
  changed(run: RunSummary): void {
    this.#newest.set(run.id, run);
    if (this.items.some(({ id }) => id === run.id)) {
      this.items = this.items.map((known) => (known.id === run.id ? run : known));
    } else if (this.loaded && !this.#asked.has(run.id)) void this.#look(run.id);
  }
}
