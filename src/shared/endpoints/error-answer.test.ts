import { describe, expect, it } from 'vitest';
import { errorFromAnswer } from './error-answer.ts';

const nowMs = Date.UTC(2026, 0, 1, 12, 0, 0);

function errorOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return errorFromAnswer({ status, headers, body: text }, nowMs);
}

describe('errorFromAnswer', () => {
  it.each([
    [400, 'upstream'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [429, 'rate-limited'],
    [500, 'upstream'],
    [502, 'upstream'],
    [503, 'upstream'],
    [418, 'upstream'],
    [304, 'upstream'],
  ])('%i is %s, with the words of the service', (status, code) => {
    const error = errorOf(status, { message: 'Their words', statusCode: status, error: 'Error' });
    expect(error).toMatchObject({ code, message: 'Their words' });
    if (code === 'upstream') expect(error).toHaveProperty('status', status);
  });

  it.each([
    [['one is wrong', 'two is wrong'], 'one is wrong · two is wrong'],
    [['fine', 5, null, ''], 'fine'],
    ['a\u0000b\r\nc\u202e d', 'a\ufffdb c\ufffd d'],
    ['x'.repeat(5_000), `${'x'.repeat(299)}…`],
  ])('reads the message %#', (message, shown) => {
    expect(errorOf(500, { message }).message).toBe(shown);
  });

  it('falls back on the field error, then on words of its own', () => {
    expect(errorOf(503, { message: [], error: 'Service Unavailable' }).message).toBe('Service Unavailable');
    for (const body of [
      '',
      '<html><script>alert(1)</script></html>',
      '[]',
      'null',
      '"text"',
      '{"message":5}',
      '{',
    ]) {
      expect(errorOf(502, body).message).toBe('The service responded with status 502.');
    }
  });

  it('says of a 429 when to try again', () => {
    expect(errorOf(429, '', { 'retry-after': '7' })).toMatchObject({ retryAtMs: nowMs + 7_000 });
    expect(errorOf(429, '')).toMatchObject({ retryAtMs: nowMs + 10_000 });
  });
});
