import type { AppError, Result } from '../../../shared/errors.ts';
import { findParamIssues } from '../../../shared/endpoints/check-params.ts';
import type { Removed } from '../../../shared/ipc/answers.ts';
import type { RunPage, RunSummary, RunTarget } from '../../../shared/explore/types.ts';
import { call, listen } from '../bridge.ts';
import { findAskable, requestOf, type ExploreRequest } from './catalogue.ts';
import { PastQueries } from './past-queries.svelte.ts';

/** The Explore view: the form as filled in, and the query whose result is shown. One instance per window. */
export class Explore {
  /** The id of the chosen endpoint or node call; null until one is chosen. */
  choice = $state<string | null>(null);
  /** The form's texts by parameter name. */
  values = $state.raw<Readonly<Record<string, string>>>({});
  run = $state.raw<RunSummary | null>(null);
  /** The stored pages of `run` that have been read so far, from the first on. */
  pages = $state.raw<RunPage[]>([]);
  /** The first page of a new query is awaited. */
  starting = $state(false);
  /** Why the shown query could not be begun, continued or read. */
  error = $state.raw<AppError | null>(null);
  readonly past: PastQueries;
  /** What the list at the left shows, and what is searched there among the endpoints. */
  tab = $state<'endpoints' | 'past'>('endpoints');
  search = $state('');
  /** Queries that are still fetching pages after their first one, with their state when that was first seen. */
  running = $state.raw<readonly { run: RunSummary; since: RunSummary }[]>([]);

  /** Rises with every query; answers for an earlier one are dropped. */
  #epoch = 0;
  /** What is being asked: the query for it is shown as soon as there is one, so that it can be cancelled. */
  #begun: string | null = null;
  #reading = false;
  /** Queries by the last event about them. */
  readonly #newest = new Map<string, RunSummary>();

  /** `settle` as in a `LongList`. */
  constructor(settle?: () => Promise<void>) {
    this.past = new PastQueries(settle);
  }

  /** Follows the progress of queries; returns a function that stops this. */
  start(): () => void {
    const endPast = this.past.follow();
    const end = listen('run.changed', (run) => {
      this.#newest.set(run.id, run);
      const known = this.running.find((other) => other.run.id === run.id);
      const others = this.running.filter((other) => other !== known);
      this.running =
        run.state === 'running' && run.pageCount > 0
          ? [...others, { run, since: known?.since ?? run }]
          : others;
      const isNew = run.state === 'running' && run.pageCount === 0;
      const isBegun = isNew && this.run === null && JSON.stringify(run.target) === this.#begun;
      if (isBegun || this.run?.id === run.id) this.#take(run);
    });
    return () => {
      endPast();
      end();
    };
  }

  /** The newest known state of a query. */
  newest(run: RunSummary): RunSummary {
    return this.#newest.get(run.id) ?? run;
  }

  /**
   * Opens a form. Values for parameters that it has as well stay, such as the chain and the address, unless this form would
   * refuse them: nothing is wrong before anything was typed.
   */
  choose(id: string): void {
    if (this.choice === id) return;
    const askable = findAskable(id);
    const fields = askable?.params ?? {};
    const known = Object.entries(this.values).filter(
      ([name]) => Object.hasOwn(fields, name) && name !== 'pageToken',
    );
    const { issues } = findParamIssues({ params: fields }, new Map(known));
    const refused = new Set(issues.map(({ name }) => name));
    const kept = Object.fromEntries(known.filter(([name]) => !refused.has(name)));
    const breaksRule = askable?.rules?.some((rule) => rule(kept) !== null) === true;
    this.prefill({ id, values: breaksRule ? {} : kept });
  }

  /** Opens a form with exactly these values, but for those that it has no field for: nobody could correct them. */
  prefill({ id, values }: ExploreRequest): void {
    const fields = findAskable(id)?.params ?? values;
    this.choice = id;
    this.values = Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(fields, name)));
    this.#clear();
  }

  setValue(name: string, value: string): void {
    this.values = { ...this.values, [name]: value };
  }

  /** Begins a query and shows it. */
  async ask(target: RunTarget, pages: 'one' | 'all'): Promise<void> {
    this.#clear();
    const epoch = this.#epoch;
    this.starting = true;
    this.#begun = JSON.stringify(target);
    const result = await call('runs.start', { target, pages });
    if (epoch !== this.#epoch) return;
    this.starting = false;
    this.#begun = null;
    if (result.ok) this.#take(result.value);
    else this.error = result.error;
  }

  /** Shows a past query exactly as it is stored, with its values in the form. */
  open(run: RunSummary): void {
    this.prefill(requestOf(run.target));
    this.#take(run);
  }

  /** Shows an earlier form and query, unless they are shown already. */
  restore({ choice, values, run }: Pick<Explore, 'choice' | 'values' | 'run'>): void {
    if (this.choice === choice && this.run?.id === run?.id) return;
    this.#clear();
    this.choice = choice;
    this.values = values;
    if (run !== null) this.#take(this.newest(run));
  }

  /** Fetches the next page, or all that are left. */
  async goOn(pages: 'one' | 'all'): Promise<void> {
    const { run } = this;
    if (run === null) return;
    const epoch = this.#epoch;
    this.error = null;
    this.run = { ...run, state: 'running', error: null };
    const result = await call('runs.continue', { runId: run.id, pages });
    if (epoch !== this.#epoch) return;
    if (result.ok) this.#take(result.value);
    else {
      this.run = run;
      this.error = result.error;
    }
  }

  /** Reads the stored pages that could not be read. */
  readAgain(): void {
    this.error = null;
    void this.#readPages();
  }

  async cancel(): Promise<void> {
    if (this.run === null) return;
    const epoch = this.#epoch;
    const result = await call('runs.cancel', { runId: this.run.id });
    if (!result.ok && epoch === this.#epoch) this.error = result.error;
  }

  /** Removes a stored query; the shown one disappears with it. */
  async remove(runId: string): Promise<Result<Removed>> {
    const result = await call('runs.remove', { runId });
    if (!result.ok) return result;
    await this.past.refresh();
    if (this.run?.id === runId) this.#clear();
    return result;
  }

  #clear(): void {
    this.#epoch += 1;
    this.#reading = false;
    this.run = null;
    this.pages = [];
    this.starting = false;
    this.#begun = null;
    this.error = null;
  }

  #take(run: RunSummary): void {
    this.run = run;
    void this.#readPages();
  }

  /** Reads the stored pages that are missing here, one after the other. */
  async #readPages(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    const epoch = this.#epoch;
    let read = this.pages;
    while (this.run !== null && read.length < this.run.pageCount) {
      const result = await call('runs.page', { runId: this.run.id, index: read.length });
      if (epoch !== this.#epoch) return;
      if (!result.ok) {
        this.error = result.error;
        break;
      }
      read = [...read, result.value];
      // Each update makes components process all pages, so updates come in ever larger steps.
      if (read.length >= 2 * this.pages.length) this.pages = read;
    }
    this.pages = read;
    this.#reading = false;
  }
}
