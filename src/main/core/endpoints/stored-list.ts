import type { EndpointDefinition } from '../../../shared/endpoints/define.ts';
import { cacheKey, canonicalParams } from '../../../shared/endpoints/request-url.ts';
import { ok, type Result } from '../../../shared/errors.ts';
import { jsonTextAt } from '../../../shared/json-text.ts';
import type { AnswerStore, StoredAnswer } from '../ports.ts';
import type { FetchedAnswer } from './service-client.ts';

/** A list that was looked up: an endpoint with pages, at a service, and its parameters without a page token. */
export interface LookedUpList {
  endpoint: EndpointDefinition;
  /** Base URL of the service. */
  service: string;
  params: Readonly<Record<string, string>>;
}

/** A longer list is refreshed only when the user asks for that: each page is a call. */
export const mostPagesUnasked = 5;

/** The stored pages of a list in their order, the first being known: `most` at most, each of which is read. */
export async function storedPages(
  answers: Pick<AnswerStore, 'read'>,
  list: LookedUpList,
  first: StoredAnswer,
  most = Infinity,
): Promise<StoredAnswer[]> {
  const pages = [first];
  const keys = new Set([first.key]);
  while (pages.length < most) {
    const token = nextTokenOf(pages.at(-1)?.bodyText ?? '');
    const key = token === null ? null : keyOf(list, token);
    const page = key === null || keys.has(key) ? null : await answers.read(key);
    if (page === null) break;
    keys.add(page.key);
    pages.push(page);
  }
  return pages;
}

/**
 * Fetches as many pages as are stored, or all if there are fewer now. Nothing is stored before the last has come: a refresh
 * that ends early loses nothing. `stored` is not empty; `superseded`: keys of what `fresh` replaces.
 */
export async function refreshPages(
  list: LookedUpList,
  stored: readonly StoredAnswer[],
  fetch: (params: Readonly<Record<string, string>>) => Promise<Result<FetchedAnswer>>,
): Promise<Result<{ first: FetchedAnswer; fresh: StoredAnswer[]; superseded: string[] }>> {
  const fresh = new Map<string, StoredAnswer>();
  let first: FetchedAnswer | null = null;
  let token: string | null = null;
  for (;;) {
    const params: Readonly<Record<string, string>> =
      token === null ? list.params : { ...list.params, pageToken: token };
    const fetched = await fetch(params);
    if (!fetched.ok) return fetched;
    first ??= fetched.value;
    const { bodyText, fetchedAtMs } = fetched.value;
    const key = keyOf(list, token);
    const paramsJson = canonicalParams(params);
    fresh.set(key, { key, endpointId: list.endpoint.id, paramsJson, bodyText, fetchedAtMs });
    token = nextTokenOf(bodyText);
    if (token === null || fresh.size >= stored.length || fresh.has(keyOf(list, token))) break;
  }
  const superseded = stored.map(({ key }) => key).filter((key) => !fresh.has(key));
  return ok({ first, fresh: [...fresh.values()], superseded });
}

const keyOf = ({ endpoint, service, params }: LookedUpList, token: string | null): string =>
  cacheKey(endpoint, service, token === null ? params : { ...params, pageToken: token });

/** The token of the next page in a body that was decoded before. */
function nextTokenOf(bodyText: string): string | null {
  const token: unknown = JSON.parse(jsonTextAt(bodyText, ['nextPageToken']) ?? 'null');
  return typeof token === 'string' && token !== '' ? token : null;
}
