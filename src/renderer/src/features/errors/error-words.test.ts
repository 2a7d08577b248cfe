import { describe, expect, it } from 'vitest';
import { errorFromAnswer } from '../../../../shared/endpoints/error-answer.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { describeError, type ErrorSubject } from './error-words.ts';

/** One of each code; `satisfies` makes a missing one a compile error. */
const samples = {
  'invalid-params': { code: 'invalid-params', message: 'bad', issues: ['address: not an address'] },
  'no-secret': { code: 'no-secret', message: 'no key' },
  unauthorized: { code: 'unauthorized', message: 'Api key is invalid' },
  forbidden: { code: 'forbidden', message: 'invalid host specified' },
  'not-found': { code: 'not-found', message: 'Not Found' },
  'rate-limited': { code: 'rate-limited', message: 'Too Many Requests', retryAtMs: 30_000 },
  upstream: { code: 'upstream', message: 'Bad Gateway', status: 502 },
  unreachable: { code: 'unreachable', message: 'getaddrinfo ENOTFOUND' },
  proxy: { code: 'proxy', message: 'The proxy p requires a user name and password (407).' },
  timeout: { code: 'timeout', message: 'no answer within 30 s' },
  'bad-response': { code: 'bad-response', message: 'It is not JSON.', issues: ['unexpected "<"'] },
  storage: { code: 'storage', message: 'disk full' },
  keychain: { code: 'keychain', message: 'locked' },
  'not-allowed': { code: 'not-allowed', message: '“Metrics” is switched off.' },
  cancelled: { code: 'cancelled', message: 'stopped' },
  internal: { code: 'internal', message: 'oops', ref: 'a1b2' },
} as const satisfies { [C in AppError['code']]: Extract<AppError, { code: C }> };

const subjects: readonly ErrorSubject[] = ['service', 'node', 'app'];
const all: readonly AppError[] = Object.values(samples);

describe('the words of errors', () => {
  it.each(all.map((error) => [error.code, error] as const))('has its own words for %s', (_code, error) => {
    for (const subject of subjects) {
      const words = describeError(error, subject);
      expect(words.title).not.toBe('');
      expect(words.advice).toMatch(/[.?!…a-z]$/);
    }
  });

  it('gives no two codes the same title', () => {
    const titles = all.map((error) => describeError(error, 'service').title);
    expect(new Set(titles).size).toBe(all.length);
  });

  it('tells the owner of a node how its host check is satisfied', () => {
    const words = describeError(samples.forbidden, 'node');
    expect(words.advice).toContain('--http-allowed-hosts');
    expect(words.detail).toBe('invalid host specified');
    // What the poller says of the same answer.
    const ofPoll = {
      code: 'forbidden',
      message: 'The node doesn’t accept the host name in it.',
    } as const;
    expect(describeError(ofPoll, 'node').title).toBe(words.title);
    const byProxy = { code: 'forbidden', message: 'The address refused the request (403).' } as const;
    expect(describeError(byProxy, 'node').advice).not.toContain('--http-allowed-hosts');
    expect(describeError(samples.forbidden, 'service').action).toBe('settings');
  });

  it('says being offline calmly, and a defect as one', () => {
    expect(describeError(samples.unreachable, 'service').severity).toBe('info');
    expect(describeError(samples.internal, 'app').advice).toContain('a1b2');
  });

  it('does not blame the service for what the app does not have', () => {
    const words = describeError({ code: 'not-found', message: 'No such incident is stored.' }, 'app');
    expect(words).toMatchObject({ title: 'Not found', advice: 'No such incident is stored.', detail: null });
  });

  it('says what is wrong with an entry in a sentence, and never the name of a field in the code', () => {
    const message = 'Port 9750 is in use by another program, or not allowed.';
    const words = describeError(
      { code: 'invalid-params', message, issues: ['port', 'fromMs: too small'] },
      'app',
    );
    expect(words).toMatchObject({ title: 'Check what you entered', advice: message, detail: null });
  });

  it('names who asks for fewer requests', () => {
    expect(describeError(samples['rate-limited'], 'service').title).toBe(
      'The service’s rate limit has been reached',
    );
    expect(describeError(samples['rate-limited'], 'node').title).toBe('The node is limiting requests');
  });

  it('names the status that the other side gave', () => {
    expect(describeError(samples.upstream, 'node').title).toBe('The node returned an error (status 502)');
  });

  it('says what a service refused once, and not that something was entered wrongly', () => {
    const refusal = errorFromAnswer(
      { status: 400, headers: {}, body: '{"message":"startBlock too old"}' },
      0,
    );
    const words = describeError(refusal, 'service');
    expect(words.title).toBe('The service returned an error (status 400)');
    expect(words.detail).toBe('startBlock too old');
    expect(words.advice).not.toContain('startBlock');
  });

  it('calls the service what fails behind a call to the app, and says of a file only that it cannot be read', () => {
    for (const error of [samples.upstream, samples.timeout])
      expect(describeError(error, 'app').title).toBe(describeError(error, 'service').title);
    const message = 'Couldn’t read the file. The file is incomplete.';
    expect(describeError({ code: 'bad-response', message, issues: [] }, 'app')).toMatchObject({
      title: 'Couldn’t read the data',
      advice: message,
      detail: null,
    });
  });

  it('does not blame the store for a file that cannot be written', () => {
    const message = 'Couldn’t save the file. The disk is full.';
    const words = describeError({ code: 'storage', message }, 'app');
    expect(words).toMatchObject({ title: 'Couldn’t save or read data', detail: message });
  });

  it('says of a version that cannot be installed that this one stays, and nothing of what is on the screen', () => {
    const message = 'There is not enough disk space to install it: 400 MB are needed.';
    const words = describeError({ code: 'storage', message }, 'updates');
    expect(words).toMatchObject({ advice: 'You keep your current version.', detail: message });
  });

  it('lists what is wrong with an answer', () => {
    expect(describeError(samples['bad-response'], 'service').detail).toContain('unexpected "<"');
  });
});
