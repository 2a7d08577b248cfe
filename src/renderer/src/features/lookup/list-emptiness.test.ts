import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../../shared/errors.ts';
import { listEmptiness } from './list-emptiness.ts';

const notFound: AppError = { code: 'not-found', message: 'Token not found' };
const facts = {
  count: 0,
  loaded: true,
  atEnd: true,
  error: null,
  isLeftOut: false,
  isUnindexed: false,
};
const unread = { ...facts, loaded: false, atEnd: false };

describe('listEmptiness', () => {
  it.each([
    ['elements are there', { ...facts, count: 1 }, null],
    ['the first page is on its way', unread, null],
    ['an empty page is not the last', { ...facts, atEnd: false }, null],
    ['the service has none', facts, 'none'],
    ['the service has some, of which none could be read', { ...facts, isLeftOut: true }, 'unread'],
    ['the chain is not indexed', { ...facts, isUnindexed: true }, 'not-indexed'],
    ['the service does not know it', { ...unread, error: notFound }, 'unknown'],
    [
      'it does not know a chain that it does not index',
      { ...unread, error: notFound, isUnindexed: true },
      'not-indexed',
    ],
    ['there is no connection', { ...unread, error: { code: 'unreachable', message: '' } }, 'offline'],
    [
      'the service wants no calls',
      { ...unread, error: { code: 'rate-limited', message: '', retryAtMs: 5 } },
      'failed',
    ],
    ['the service is broken', { ...unread, error: { code: 'upstream', message: '', status: 503 } }, 'failed'],
    [
      'a stored empty list could not be renewed',
      { ...facts, error: { code: 'unreachable', message: '' } },
      'none',
    ],
  ] as const)('%s', (_, given, expected) => {
    expect(listEmptiness(given)).toBe(expected);
  });
});
