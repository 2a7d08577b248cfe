import type { AppError, Result } from '../../../shared/errors.ts';
import type { RunSummary } from '../../../shared/explore/types.ts';
import { call } from '../bridge.ts';

const pageSize = 50;

/** The list of past queries, newest first, found by text and read page by page. */
export class PastQueries {
  text = $state('');
  runs = $state.raw<RunSummary[]>([]);
  totalCount = $state(0);
  /** The first page for the present text has arrived. */
  loaded = $state(false);
  loading = $state(false);
  error = $state.raw<AppError | null>(null);
  #nextCursor = $state.raw<string | null>(null);
  /** New queries about which the store has been asked since the text was typed. */
  readonly #judged = new Set<string>();
  /** Answers to an earlier text are dropped. */
  #epoch = 0;

  get hasMore(): boolean {
    return this.#nextCursor !== null;
  }

  /** Lists what contains the text, or everything. What is shown stays until the answer is there. */
  async find(text: string): Promise<void> {
    this.text = text;
    this.#judged.clear();
    await this.#read(null);
  }

  async more(): Promise<void> {
    if (this.#nextCursor !== null && !this.loading) await this.#read(this.#nextCursor);
  }

  async remove(runId: string): Promise<Result<null>> {
    const result = await call('runs.remove', { runId });
    if (!result.ok) return result;
    if (this.runs.some((run) => run.id === runId)) this.totalCount -= 1;
    this.runs = this.runs.filter((run) => run.id !== runId);
    return result;
  }

  /** A query has moved on; one that is not listed yet may belong at the top. */
  changed(run: RunSummary): void {
    if (this.runs.some((known) => known.id === run.id)) {
      this.runs = this.runs.map((known) => (known.id === run.id ? run : known));
    } else if (this.loaded && this.text.trim() === '') {
      this.runs = [run, ...this.runs];
      this.totalCount += 1;
    } else if (this.loaded && !this.#judged.has(run.id)) {
      // Only the store knows whether it contains the text, and it does not change its mind about a query.
      this.#judged.add(run.id);
      void this.#read(null);
    }
  }

  async #read(cursor: string | null): Promise<void> {
    this.#epoch += 1;
    const epoch = this.#epoch;
    this.loading = true;
    const result = await call('runs.list', { text: this.text.trim(), cursor, limit: pageSize });
    if (epoch !== this.#epoch) return;
    this.loading = false;
    this.error = result.ok ? null : result.error;
    if (!result.ok) return;
    const known = cursor === null ? [] : this.runs;
    const ids = new Set(known.map((run) => run.id));
    // Queries that began meanwhile move the pages, so one may come twice.
    this.runs = [...known, ...result.value.runs.filter((run) => !ids.has(run.id))];
    this.totalCount = result.value.totalCount;
    this.#nextCursor = result.value.nextCursor;
    this.loaded = true;
  }
}
