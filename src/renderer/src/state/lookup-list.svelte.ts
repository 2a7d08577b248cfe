import type { EndpointId, ParamsById, ResponseById } from '../../../shared/endpoints/registry.ts';
import { ok, type AppError } from '../../../shared/errors.ts';
import type { QueryResult } from '../../../shared/ipc/answers.ts';
import type { EndpointQuery, Reply } from '../../../shared/ipc/contract.ts';
import { queryEndpoint } from '../bridge.ts';

export type ListId = {
  [Id in EndpointId]: ResponseById[Id] extends { nextPageToken?: string | undefined } ? Id : never;
}[EndpointId];

/** A list of a chain's endpoint: its id, its parameters, and how its answer is read. */
export interface ListQuestion<Id extends ListId, Item> {
  endpointId: Id;
  params: ParamsById[Id] & { chainId: string };
  itemsOf: (data: ResponseById[Id]) => readonly Item[];
  /** Identifies an element: when the list grows between two pages, the second repeats some of the first. */
  keyOf: (item: Item) => string;
}

/** When and from where the pages of a list came. */
export interface ListOrigin {
  /** The oldest and the newest page. */
  fromMs: number;
  toMs: number;
  /** Some of it comes from the store. */
  fromStore: boolean;
  isStale: boolean;
  notes: readonly string[];
}

type Answer<Id extends ListId> = QueryResult<ResponseById[Id]>;

/**
 * A list of the service, page by page. Pages that are stored come together with the one before. What has arrived stays when
 * the next page or a refresh fails.
 */
export class LookupList<Id extends ListId, Item> {
  items = $state.raw<readonly Item[]>([]);
  loading = $state<'first' | 'more' | null>(null);
  /** Why the last request failed, or why it got only the stored answer. */
  error = $state.raw<AppError | null>(null);
  /** The last page leads to one that was read before, so there may be more than what is shown. */
  isEndless = $state(false);
  /** The answers that contained `items`. */
  #answers = $state.raw<readonly Answer<Id>[]>([]);
  /** The token of the page after those that are shown. */
  #next = $state.raw<string | null>(null);
  /** Tokens that pages of the list have named. */
  #tokens = new Set<string>();
  #question: ListQuestion<Id, Item> | null = null;
  /** The page that was asked for last. */
  #asked: string | null = null;
  #request: AbortController | null = null;
  /** The next page is wanted: a refresh only puts it off. */
  #wantsMore = false;

  /** At least one page has been read. */
  get loaded(): boolean {
    return this.#answers.length > 0;
  }

  get atEnd(): boolean {
    return this.loaded && this.#next === null;
  }

  /** Null before the first page. */
  get origin(): ListOrigin | null {
    if (!this.loaded) return null;
    const times = this.#answers.map(({ fetchedAtMs }) => fetchedAtMs);
    return {
      fromMs: Math.min(...times),
      toMs: Math.max(...times),
      fromStore: this.#answers.some(({ source }) => source === 'cache'),
      isStale: this.#answers.some(({ stale }) => stale),
      notes: this.#answers.flatMap(({ notes }) => notes),
    };
  }

  /** The bodies of the pages as they were received. */
  get rawTexts(): string[] {
    return this.#answers.flatMap(({ rawText }) => rawText ?? []);
  }

  /** Begins another list. */
  async ask(question: ListQuestion<Id, Item>): Promise<void> {
    this.#question = question;
    this.#wantsMore = false;
    this.items = [];
    this.#answers = [];
    this.#next = null;
    this.isEndless = false;
    await this.#read(null, false);
  }

  /** Refreshes from the first page on; what is shown stays until the answer arrives. */
  async refresh(): Promise<void> {
    await this.#read(null, true);
  }

  async more(): Promise<void> {
    if (this.#next === null) return;
    this.#wantsMore = true;
    if (this.loading === null) await this.#read(this.#next, false);
  }

  /** Asks again for the page that failed. */
  async retry(): Promise<void> {
    await this.#read(this.#asked, true);
  }

  /** Cancels the request under way. */
  stop(): void {
    this.#request?.abort();
    this.#wantsMore = false;
    this.loading = null;
  }

  async #read(token: string | null, again: boolean): Promise<void> {
    const question = this.#question;
    if (question === null) return;
    this.#request?.abort();
    const { signal } = (this.#request = new AbortController());
    this.#asked = token;
    this.loading = token === null ? 'first' : 'more';
    this.error = null;
    const result = await readPages(question, token, again, signal);
    if (signal.aborted) return;
    this.loading = null;
    const refreshError = result.ok
      ? result.value.find((answer) => answer.refreshError)?.refreshError
      : result.error;
    this.error = refreshError ?? null;
    // A stored first page is no better than the pages that are shown.
    const isNoNews = token === null && refreshError !== undefined && this.loaded;
    if (result.ok && !isNoNews) this.#put(question, result.value, token);
    const goesOn = this.#wantsMore && token === null && this.error === null;
    this.#wantsMore = false;
    if (goesOn) await this.more();
  }

  #put(question: ListQuestion<Id, Item>, answers: readonly Answer<Id>[], token: string | null): void {
    const isFirst = token === null;
    const items = [...(isFirst ? [] : this.items), ...answers.flatMap(({ data }) => question.itemsOf(data))];
    const known = new Set<string>();
    this.items = items.filter((item) => !known.has(question.keyOf(item)) && known.add(question.keyOf(item)));
    this.#answers = isFirst ? answers : [...this.#answers, ...answers];
    const next = answers.at(-1)?.data.nextPageToken ?? '';
    if (isFirst) this.#tokens = new Set();
    // Pages that lead to each other would be asked for without end.
    this.isEndless = next !== '' && this.#tokens.has(next);
    this.#tokens.add(next);
    this.#next = next === '' || this.isEndless ? null : next;
  }
}

/** A page, and those that are stored behind it. */
async function readPages<Id extends ListId, Item>(
  { endpointId, params }: ListQuestion<Id, Item>,
  token: string | null,
  again: boolean,
  signal: AbortSignal,
): Reply<Answer<Id>[]> {
  const query = (pageToken: string | null, refresh: EndpointQuery['refresh']) => {
    const asked = pageToken === null ? params : { ...params, pageToken };
    return queryEndpoint<Id>({ endpointId, params: asked, refresh, includeRaw: true }, signal);
  };
  const first = await query(token, again ? 'always' : 'if-stale');
  if (!first.ok) return first;
  const answers = [first.value];
  const tokens = new Set([token]);
  for (;;) {
    const next = answers.at(-1)?.data.nextPageToken ?? '';
    if (next === '' || tokens.has(next) || signal.aborted) return ok(answers);
    tokens.add(next);
    const stored = await query(next, 'cached');
    if (!stored.ok) return ok(answers);
    answers.push(stored.value);
  }
}
