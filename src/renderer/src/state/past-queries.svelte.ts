import type { Result } from '../../../shared/errors.ts';
import type { RunSummary } from '../../../shared/explore/types.ts';
import type { Removed } from '../../../shared/ipc/answers.ts';
import type { ResultOf } from '../../../shared/ipc/contract.ts';
import { call } from '../bridge.ts';
import { Paged } from './paged.svelte.ts';

const atOnce = 50;
/** Queries per answer. */
const mostAtOnce = 1_000;

/** The list of past queries, newest first, found by text and read page by page. */
export class PastQueries extends Paged<ResultOf<'runs.list'>, RunSummary> {
  text = $state('');
  /** Queries by the last event about them, which is newer than any list. */
  readonly #newest = new Map<string, RunSummary>();
  /** New queries for which the list was read again since the text was changed. */
  readonly #asked = new Set<string>();

  get totalCount(): number {
    return this.pages.at(-1)?.totalCount ?? 0;
  }

  /** Lists queries that contain the text, or all. What is shown stays until the answer arrives. */
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
        itemsOf: ({ runs }) => runs.map((run) => this.newest(run)),
        // New queries shift the pages, so one may be on two of them.
        keyOf: ({ id }) => id,
        tokenOf: ({ nextCursor }) => nextCursor,
      },
      true,
    );
  }

  async remove(runId: string): Promise<Result<Removed>> {
    const result = await call('runs.remove', { runId });
    if (!result.ok) return result;
    this.items = this.items.filter(({ id }) => id !== runId);
    await this.refresh();
    return result;
  }

  /** The newest known state of a query. */
  newest(run: RunSummary): RunSummary {
    return this.#newest.get(run.id) ?? run;
  }

  async #look(runId: string): Promise<void> {
    this.#asked.add(runId);
    await this.refresh();
    if (this.error !== null) this.#asked.delete(runId);
  }

  /** A query has changed. Only the store knows whether a new one matches the text, and that never changes, so it is asked once. */
  changed(run: RunSummary): void {
    this.#newest.set(run.id, run);
    if (this.items.some(({ id }) => id === run.id)) {
      this.items = this.items.map((known) => (known.id === run.id ? run : known));
    } else if (this.loaded && !this.#asked.has(run.id)) void this.#look(run.id);
  }
}
