import type { EndpointId, ParamsById, ResponseById } from '../../../shared/endpoints/registry.ts';
import type { QueryResult } from '../../../shared/ipc/answers.ts';
import { queryEndpoint } from '../bridge.ts';
import { Paged } from './paged.svelte.ts';

export type ListId = {
  [Id in EndpointId]: ResponseById[Id] extends { nextPageToken?: string | undefined } ? Id : never;
}[EndpointId];

/** A list of an endpoint: its id, its parameters, and how its answer is read. */
export interface ListQuestion<Id extends ListId, Item> {
  endpointId: Id;
  params: ParamsById[Id];
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

/** A list of the service, page by page. */
export class LookupList<Id extends ListId, Item> extends Paged<QueryResult<ResponseById[Id]>, Item> {
  /** Null before the first page. */
  get origin(): ListOrigin | null {
    if (!this.loaded) return null;
    const times = this.pages.map(({ fetchedAtMs }) => fetchedAtMs);
    return {
      fromMs: Math.min(...times),
      toMs: Math.max(...times),
      fromStore: this.pages.some(({ source }) => source === 'cache'),
      isStale: this.pages.some(({ stale }) => stale),
      notes: this.pages.flatMap(({ notes }) => notes),
    };
  }

  /** The bodies of the pages as they were received. */
  get rawTexts(): string[] {
    return this.pages.flatMap(({ rawText }) => rawText ?? []);
  }

  /** Begins a list. */
  async ask({ endpointId, params, itemsOf, keyOf }: ListQuestion<Id, Item>): Promise<void> {
    await this.load({
      read: ({ token, again, signal }) =>
        queryEndpoint<Id>(
          {
            endpointId,
            params: token === null ? params : { ...params, pageToken: token },
            refresh: again ? 'always' : 'if-stale',
            includeRaw: true,
          },
          signal,
        ),
      itemsOf: ({ data }) => itemsOf(data),
      keyOf,
      tokenOf: ({ data }) => data.nextPageToken,
      refreshErrorOf: ({ refreshError }) => refreshError,
    });
  }
}
