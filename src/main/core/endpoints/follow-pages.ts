import type { AppError, Result } from '../../../shared/errors.ts';
import { isTokenRefused } from './token-refused.ts';

/** A paginated list whose pages are linked by tokens; used by the sync and by Explore. */
export interface FollowedList<Page extends { nextToken: string | null }> {
  /** Requests a page; the first one without a token, unless an earlier walk is continued. */
  ask(token: string | null): Promise<Result<Page>>;
  /** The content of a page. A page without anything that the page before did not have counts as idle. */
  contentOf(page: Page): ReadonlySet<string>;
  /** After more idle pages in a row than this, the service is taken to go in circles; 20 by default. */
  mostIdlePages?: number;
  /** Processes a page. Returns the token to continue with, or null at the end of the list or when no more is wanted. */
  take(page: Page, inCircles: boolean): Promise<string | null>;
  /** Identifies how far the walk has come; compared to detect that restarts make no progress. */
  place(): string;
  /** Restarts the list from that place without a token; returns an error where that is not possible. */
  restart(refusal: AppError): AppError | null | Promise<AppError | null>;
  /** The error for a second refusal at the same place; by default the refusal itself. */
  stuck?: (refusal: AppError) => AppError;
}

/**
 * Follows page tokens to the end of the list; returns null then, or the error that ended it. A refused token restarts
 * the list from the place reached; a second refusal at a place ends the walk, also after others elsewhere. A token that comes again, or many
 * pages without new content, mean that the pages go in circles.
 */
export async function followPages<Page extends { nextToken: string | null }>(
  list: FollowedList<Page>,
  from: { token: string | null; tokensBefore?: Iterable<string>; refusedAt?: string | null },
): Promise<AppError | null> {
  let { token } = from;
  const refusedAt = new Set([from.refusedAt]);
  let tokens = new Set(from.tokensBefore);
  let content: ReadonlySet<string> = new Set();
  let idlePages = 0;
  for (;;) {
    const asked = await list.ask(token);
    if (!asked.ok) {
      if (token === null || !isTokenRefused(asked.error)) return asked.error;
      const place = list.place();
      if (refusedAt.has(place)) return list.stuck?.(asked.error) ?? asked.error;
      const problem = await list.restart(asked.error);
      if (problem !== null) return problem;
      refusedAt.add(place);
      token = null;
      tokens = new Set();
      content = new Set();
      idlePages = 0;
      continue;
    }
    const page = asked.value;
    const before = content;
    content = list.contentOf(page);
    idlePages = [...content].some((part) => !before.has(part)) ? 0 : idlePages + 1;
    const inCircles =
      page.nextToken !== null && (tokens.has(page.nextToken) || idlePages > (list.mostIdlePages ?? 20));
    if (page.nextToken !== null) tokens.add(page.nextToken);
    token = await list.take(page, inCircles);
    if (token === null) return null;
    if (inCircles) return circles;
  }
}

const circles: AppError = {
  code: 'bad-response',
  message: 'The service repeated pages, so the app stopped. What was fetched so far is kept.',
  issues: [],
};
