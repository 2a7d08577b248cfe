import { createContext } from 'svelte';
import { endpoints } from '../../../shared/endpoints/registry.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { RunPage, RunSummary, RunTarget } from '../../../shared/explore/types.ts';
import { call, listen } from '../bridge.ts';
import { isSameChoice, type ExploreChoice, type ExploreRequest } from './explore-choice.ts';
import { PastQueries } from './past-queries.svelte.ts';

/** Names under which the form of a node call keeps its two fields. */
export const nodeField = 'node';
export const tagsField = 'tags';

/** The Explore view: the form as it is filled in, and the query whose result is shown. One instance a window. */
export class Explore {
  choice = $state.raw<ExploreChoice | null>(null);
  /** The form's texts by parameter name. */
  values = $state.raw<Readonly<Record<string, string>>>({});
  run = $state.raw<RunSummary | null>(null);
  /** The stored pages of `run` that have been read so far, from the first on. */
  pages = $state.raw<RunPage[]>([]);
  /** The first page of a new query is awaited. */
  starting = $state(false);
  /** Why the shown query could not be begun, continued or read. */
  error = $state.raw<AppError | null>(null);
  readonly past = new PastQueries();

  /** What concerns an earlier query is dropped. */
  #epoch = 0;
  #reading = false;

  /** Follows the queries as they move on; returns the function that ends it. */
  start(): () => void {
    return listen('run.changed', (run) => {
      this.past.changed(run);
      if (this.run?.id === run.id) this.#take(run);
    });
  }

  /** Opens a form. Values that the new form has a place for stay, such as the chain and the address. */
  choose(choice: ExploreChoice): void {
    if (isSameChoice(this.choice, choice)) return;
    const names = fieldsOf(choice);
    this.values = Object.fromEntries(
      Object.entries(this.values).filter(([name]) => names.includes(name) && name !== 'pageToken'),
    );
    this.choice = choice;
    this.#clear();
  }

  /** Opens a form with exactly these values. */
  prefill({ choice, values }: ExploreRequest): void {
    this.choice = choice;
    this.values = values;
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
    const result = await call('runs.start', { target, pages });
    if (epoch !== this.#epoch) return;
    this.starting = false;
    if (result.ok) this.#take(result.value);
    else this.error = result.error;
  }

  /** Shows a past query exactly as it is stored, with its values in the form. */
  open(run: RunSummary): void {
    const { choice, values } = requestOf(run.target);
    this.prefill({ choice, values });
    this.#take(run);
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

  async cancel(): Promise<void> {
    if (this.run === null) return;
    const result = await call('runs.cancel', { runId: this.run.id });
    if (!result.ok) this.error = result.error;
  }

  /** Removes a stored query for good; the shown one disappears with it. */
  async remove(runId: string): Promise<AppError | null> {
    const result = await this.past.remove(runId);
    if (!result.ok) return result.error;
    if (this.run?.id === runId) this.#clear();
    return null;
  }

  #clear(): void {
    this.#epoch += 1;
    this.#reading = false;
    this.run = null;
    this.pages = [];
    this.starting = false;
    this.error = null;
  }

  #take(run: RunSummary): void {
    this.run = run;
    this.past.changed(run);
    void this.#readPages();
  }

  /** Reads the stored pages that are not here yet, one after the other. */
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
      // Whoever shows pages goes through all of them, so many are shown in ever larger steps.
      if (read.length >= 2 * this.pages.length) this.pages = read;
    }
    this.pages = read;
    this.#reading = false;
  }
}

function fieldsOf(choice: ExploreChoice): string[] {
  return choice.kind === 'node' ? [nodeField, tagsField] : Object.keys(endpoints[choice.endpointId].params);
}

/** The form that asks for a target. */
function requestOf(target: RunTarget): ExploreRequest {
  return target.kind === 'node'
    ? {
        choice: { kind: 'node', callId: target.callId },
        values: { [nodeField]: target.nodeId, [tagsField]: target.tags.join(' ') },
      }
    : { choice: { kind: 'endpoint', endpointId: target.endpointId }, values: target.params };
}

/** The target of a filled-in form; `params` have passed `checkParams`. */
export function targetOf(choice: ExploreChoice, params: Readonly<Record<string, string>>): RunTarget {
  return choice.kind === 'node'
    ? {
        kind: 'node',
        callId: choice.callId,
        nodeId: params[nodeField] ?? '',
        tags: (params[tagsField] ?? '').split(/[\s,]+/).filter((tag) => tag !== ''),
      }
    : { kind: 'endpoint', endpointId: choice.endpointId, params: { ...params } };
}

export const [useExplore, provideExplore] = createContext<Explore>();
