import type { EndpointId, ParamsById, ResponseById } from '../../../shared/endpoints/registry.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { QueryResult } from '../../../shared/ipc/contract.ts';
import { call, queryEndpoint } from '../bridge.ts';

export type ListId = {
  [Id in EndpointId]: ResponseById[Id] extends { nextPageToken?: string | undefined } ? Id : never;
}[EndpointId];

/** A list of an endpoint: which, what of it, and how its answer is read. */
export interface ListQuestion<Id extends ListId, Item> {
  endpointId: Id;
  params: ParamsById[Id];
  itemsOf: (data: ResponseById[Id]) => readonly Item[];
  /** The same for the same element: a page that has moved on meanwhile brings some again. */
  keyOf: (item: Item) => string;
}

/** When and from where the pages of a list came. */
export interface ListOrigin {
  /** The oldest and the newest page. */
  fromMs: number;
  toMs: number;
  /** Some of it is as it was stored before. */
  fromStore: boolean;
  isStale: boolean;
  notes: readonly string[];
}

/** A list of the service, page by page. What has arrived stays when the next page or another look fails. */
export class LookupList<Id extends ListId, Item> {
  items = $state.raw<readonly Item[]>([]);
  origin = $state.raw<ListOrigin | null>(null);
  /** The bodies of the pages as they were received. */
  rawTexts = $state.raw<readonly string[]>([]);
  loading = $state<'first' | 'more' | null>(null);
  /** Why the page that was asked for last did not come, or not as new. */
  error = $state.raw<AppError | null>(null);
  /** The service has said that there is no further page. */
  atEnd = $state(false);
  #question: ListQuestion<Id, Item> | null = null;
  #nextToken: string | null = null;
  /** The page that was asked for last; null is the first. */
  #asked: string | null = null;
  #requestId: string | null = null;
  #keys = new Set<string>();

  /** Some page has been read: the list is known as far as it goes. */
  get loaded(): boolean {
    return this.origin !== null;
  }

  /** Begins a list. */
  async load(question: ListQuestion<Id, Item>): Promise<void> {
    this.#question = question;
    this.#forget();
    await this.#ask(question, null, 'if-stale');
  }

  /** Looks again from the first page on; what is shown stays until the answer is here. */
  async reload(): Promise<void> {
    if (this.#question !== null) await this.#ask(this.#question, null, 'always');
  }

  async more(): Promise<void> {
    if (this.#question === null || this.#nextToken === null || this.loading !== null) return;
    await this.#ask(this.#question, this.#nextToken, 'if-stale');
  }

  /** Asks again for the page that did not come. */
  async retry(): Promise<void> {
    if (this.#question !== null) await this.#ask(this.#question, this.#asked, 'always');
  }

  /** Gives up a page that is under way. */
  stop(): void {
    if (this.#requestId === null) return;
    void call('endpoint.cancel', { requestId: this.#requestId });
    this.#requestId = null;
    this.loading = null;
  }

  async #ask(
    question: ListQuestion<Id, Item>,
    pageToken: string | null,
    refresh: 'if-stale' | 'always',
  ): Promise<void> {
    this.stop();
    const requestId = crypto.randomUUID();
    this.#requestId = requestId;
    this.#asked = pageToken;
    this.loading = pageToken === null ? 'first' : 'more';
    this.error = null;
    const result = await queryEndpoint<Id>({
      endpointId: question.endpointId,
      params: pageToken === null ? question.params : { ...question.params, pageToken },
      refresh,
      includeRaw: true,
      requestId,
    });
    if (this.#requestId !== requestId) return;
    this.#requestId = null;
    this.loading = null;
    if (!result.ok) {
      this.error = result.error;
      return;
    }
    const { refreshError = null } = result.value;
    // What is stored of the first page says less than the pages that are shown.
    const isNoNews = pageToken === null && refreshError !== null && this.loaded;
    if (!isNoNews) {
      if (pageToken === null) this.#forget();
      this.#put(question, result.value);
    }
    this.error = refreshError;
  }

  #put(question: ListQuestion<Id, Item>, answer: QueryResult<ResponseById[Id]>): void {
    const { data, fetchedAtMs, source, stale, notes, rawText } = answer;
    const fresh = question.itemsOf(data).filter((item) => {
      const key = question.keyOf(item);
      return !this.#keys.has(key) && this.#keys.add(key);
    });
    const before = this.origin;
    this.items = [...this.items, ...fresh];
    if (rawText !== undefined) this.rawTexts = [...this.rawTexts, rawText];
    this.origin = {
      fromMs: Math.min(before?.fromMs ?? fetchedAtMs, fetchedAtMs),
      toMs: Math.max(before?.toMs ?? fetchedAtMs, fetchedAtMs),
      fromStore: (before?.fromStore ?? false) || source === 'cache',
      isStale: (before?.isStale ?? false) || stale,
      notes: [...(before?.notes ?? []), ...notes],
    };
    const token = data.nextPageToken ?? '';
    // A page that leads to itself would be asked for for ever.
    this.#nextToken = token === '' || token === this.#nextToken ? null : token;
    this.atEnd = this.#nextToken === null;
  }

  #forget(): void {
    this.items = [];
    this.rawTexts = [];
    this.origin = null;
    this.error = null;
    this.atEnd = false;
    this.#nextToken = null;
    this.#keys = new Set();
  }
}
