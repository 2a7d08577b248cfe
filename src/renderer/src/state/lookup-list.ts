import type { EndpointId, ParamsById, ResponseById } from '../../../shared/endpoints/registry.ts';
import { ok } from '../../../shared/errors.ts';
import type { QueryResult } from '../../../shared/ipc/answers.ts';
import type { EndpointQuery } from '../../../shared/ipc/contract.ts';
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

type Answer<Id extends ListId> = QueryResult<ResponseById[Id]>;

/** A list of the service, page by page. Pages that are stored come together with the one before. */
export class LookupList<Id extends ListId, Item> extends Paged<readonly Answer<Id>[], Item> {
  /** Null before the first page. */
  get origin(): ListOrigin | null {
    if (!this.loaded) return null;
    const answers = this.pages.flat();
    const times = answers.map(({ fetchedAtMs }) => fetchedAtMs);
    return {
      fromMs: Math.min(...times),
      toMs: Math.max(...times),
      fromStore: answers.some(({ source }) => source === 'cache'),
      isStale: answers.some(({ stale }) => stale),
      notes: answers.flatMap(({ notes }) => notes),
    };
  }

  /** The bodies of the pages as they were received. */
  get rawTexts(): string[] {
    return this.pages.flat().flatMap(({ rawText }) => rawText ?? []);
  }

  /** Begins a list. */
  async ask({ endpointId, params, itemsOf, keyOf }: ListQuestion<Id, Item>): Promise<void> {
    const query = (token: string | null, refresh: EndpointQuery['refresh'], signal: AbortSignal) =>
      queryEndpoint<Id>(
        {
          endpointId,
          params: token === null ? params : { ...params, pageToken: token },
          refresh,
          includeRaw: true,
        },
        signal,
      );
    await this.load({
      read: async ({ token, again, signal }) => {
        const first = await query(token, again ? 'always' : 'if-stale', signal);
        if (!first.ok) return first;
        const answers = [first.value];
        const tokens = new Set([token]);
        for (;;) {
          const next = answers.at(-1)?.data.nextPageToken ?? '';
          if (next === '' || tokens.has(next) || signal.aborted) return ok(answers);
          tokens.add(next);
          const stored = await query(next, 'cached', signal);
          if (!stored.ok) return ok(answers);
          answers.push(stored.value);
        }
      },
      itemsOf: (answers) => answers.flatMap(({ data }) => itemsOf(data)),
      keyOf,
      tokenOf: (answers) => answers.at(-1)?.data.nextPageToken,
      refreshErrorOf: (answers) => answers.find(({ refreshError }) => refreshError)?.refreshError,
    });
  }
}
