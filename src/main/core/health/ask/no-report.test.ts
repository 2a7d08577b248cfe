import { describe, expect, it } from 'vitest';
import type { HttpFailure } from '../../ports.ts';
import { askedToWait, classifyAnswer, classifyFailure, errorOfNode } from './no-report.ts';

describe('classifyAnswer', () => {
  it.each([
    [400, 'Client sent an HTTP request to an HTTPS server.', 'unknown', 'upstream', /https:/],
    [400, 'HTTP request to HTTPS server', 'unknown', 'upstream', /begin with https:/],
    [400, '{}', 'unknown', 'upstream', /400/],
    [401, '', 'unknown', 'unauthorized', /login/],
    [403, 'invalid host specified\n', 'unknown', 'forbidden', /--http-allowed-hosts/],
    [403, '<h1>Forbidden</h1>', 'unknown', 'forbidden', /refused/],
    [404, '404 page not found', 'unknown', 'not-found', /switched off/],
    [405, 'Method Not Allowed', 'unknown', 'upstream', /405/],
    [415, '', 'unknown', 'upstream', /doesn’t accept the request \(415\)/],
    [418, '', 'unknown', 'upstream', /418/],
    [301, '', 'unknown', 'upstream', /301/],
    [500, '{"error":"x"}', 'unreachable', 'upstream', /500/],
    [520, '<html>', 'unreachable', 'upstream', /isn’t responding \(the gateway returned 520\)/],
    [530, '', 'unreachable', 'upstream', /gateway returned 530/],
    [519, '', 'unknown', 'upstream', /519/],
    [531, '', 'unknown', 'upstream', /531/],
    [501, '', 'unknown', 'upstream', /501/],
    [505, '', 'unknown', 'upstream', /505/],
    [502, '<html>', 'unreachable', 'upstream', /gateway/],
    [503, '', 'unreachable', 'upstream', /gateway/],
    [503, '{"message":"no healthy upstream"}', 'unreachable', 'upstream', /gateway/],
    [504, '', 'unreachable', 'upstream', /gateway/],
  ] as const)('%i %j: %s, %s', (status, body, state, code, words) => {
    // A body is looked at only under a status that may carry a report.
    const problem = status === 503 ? 'not a report' : null;
    const { kind, reason, error, ...rest } = classifyAnswer(status, body, problem);
    expect({ kind, ...rest }).toEqual({ kind: 'no-report', state, failure: null });
    expect(error).toMatchObject({ code, message: reason });
    expect(reason).toMatch(words);
    if (error.code === 'upstream') expect(error.status).toBe(status);
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': ' 0 ' }, 0],
    [{ 'retry-after': '999999' }, 3_600_000],
    // A date is read by the server's own clock; without one it says nothing.
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT', date: 'Wed, 21 Oct 2026 07:27:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 10_000],
    [{ 'retry-after': '-5' }, 10_000],
    [{}, 10_000],
  ] satisfies [Record<string, string>, number][])('429 with %j waits %i ms', (headers, waitMs) => {
    expect(askedToWait(headers, 1_000).error).toEqual({
      code: 'rate-limited',
      message: 'The server is limiting requests (429).',
      retryAtMs: 1_000 + waitMs,
    });
  });
});

describe('a body that is no report', () => {
  it.each([
    ['', 'The response is empty.'],
    [' \n', 'The response is empty.'],
    [' \n<html>', 'The response is a web page, not a health report.'],
    ['{"checks":{', 'The health report is cut off or broken.'],
    ['{ "healthy" : tr', 'The health report is cut off or broken.'],
    ['[{"checks":{', 'The response isn’t a health report.'],
    ['{"up":true}', 'The response isn’t a health report.'],
  ])('%j', (body, message) => {
    expect(classifyAnswer(200, body, 'a problem').error).toEqual({
      code: 'bad-response',
      message,
      issues: ['a problem'],
    });
  });
});

it('an error under the node’s own name is unknown, not the end of the node', () => {
  const message = 'The node returned status 500 and no report.';
  expect(errorOfNode(500)).toMatchObject({
    state: 'unknown',
    reason: message,
    error: { code: 'upstream', message, status: 500 },
  });
});

describe('classifyFailure', () => {
  it.each([
    ['dns', 'unreachable', 'unreachable'],
    ['refused', 'unreachable', 'unreachable'],
    ['reset', 'unreachable', 'unreachable'],
    ['tls', 'unreachable', 'unreachable'],
    ['network', 'unreachable', 'unreachable'],
    // Nothing is known of a node that was not asked.
    ['proxy', 'unknown', 'proxy'],
    ['timeout', 'unreachable', 'timeout'],
    ['too-large', 'unknown', 'bad-response'],
    ['redirect', 'unknown', 'bad-response'],
    ['bad-encoding', 'unknown', 'bad-response'],
    ['cancelled', 'unknown', 'cancelled'],
    ['not-allowed', 'unknown', 'not-allowed'],
  ] as const satisfies [HttpFailure, string, string][])('%s: %s, %s', (reason, state, code) => {
    const told = classifyFailure({ kind: 'failure', reason, detail: 'ECONN\u0000' });
    expect(told).toMatchObject({ kind: 'no-report', state, error: { code }, failure: reason });
    const message = `${told.reason} (ECONN\uFFFD)`;
    expect(told.error).toEqual(
      code === 'bad-response' ? { code, message, issues: [reason] } : { code, message },
    );
    expect(told.reason).toMatch(/^The .*\.$|^No secure connection/);
    expect(classifyFailure({ kind: 'failure', reason, detail: '' }).error.message).toBe(told.reason);
  });
});
