import type { AppError, Result } from '../../../shared/errors.ts';
import { isTokenRefused } from './token-refused.ts';

/** A list whose pages are linked by tokens, as the sync and Explore walk it. */
export interface FollowedList<Page extends { nextToken: string | null }> {
  /** Asks for a page; the first one has no token, unless the walk goes on where an earlier one has ended. */
  ask(token: string | null): Promise<Result<Page>>;
  /** What a page brings. One that brings nothing that the page before it did not leads nowhere. */
  contentOf(page: Page): ReadonlySet<string>;
  /** How many such pages in a row mean that the service goes in circles; 20 where nothing is said. */
  mostIdlePages?: number;
  /** Takes a page. Returns the token to go on with, or null where the list ends, or nothing more of it is wanted. */
  take(page: Page, inCircles: boolean): Promise<string | null>;
  /** How far the walk has come. */
  place(): string;
  /** Begins the list anew at that place; or says why that cannot be. */
  restart(refusal: AppError): AppError | null;
  /** What is told where the list was begun anew at this place before. */
  stuck?: (refusal: AppError) => AppError;
}

/**
 * Follows the tokens of a list to its end, or to the error that is returned. A token that the service no longer takes
 * costs only a new list from the place that the walk has come to; one that is refused at the same place again, the walk. A
 * token that comes a second time, and many pages that bring nothing new, mean that the pages go in circles.
 */
export async function followPages<Page extends { nextToken: string | null }>(
  list: FollowedList<Page>,
  from: { token: string | null; tokensBefore?: Iterable<string>; refusedAt?: string | null },
): Promise<AppError | null> {
  let { token, refusedAt = null } = from;
  let tokens = new Set(from.tokensBefore);
  let content: ReadonlySet<string> = new Set();
  let idlePages = 0;
  for (;;) {
    const asked = await list.ask(token);
    if (!asked.ok) {
      if (token === null || !isTokenRefused(asked.error)) return asked.error;
      const place = list.place();
      if (place === refusedAt) return list.stuck?.(asked.error) ?? asked.error;
      const problem = list.restart(asked.error);
      if (problem !== null) return problem;
      refusedAt = place;
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
  message: 'The pages of the service go in circles, without an end. What was fetched stays.',
  issues: [],
};
