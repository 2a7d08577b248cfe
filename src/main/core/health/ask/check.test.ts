import { describe, expect, it } from 'vitest';
import { readCheck, type Oddity } from './check.ts';

function read(value: unknown): { check: ReturnType<typeof readCheck>; odd: Oddity[] } {
  const odd: Oddity[] = [];
  const check = readCheck('C', value, (oddity) => odd.push(oddity));
  return { check, odd };
}

const ranAt = '2026-09-01T12:00:00.5Z';
const ranAtMs = Date.UTC(2026, 8, 1, 12, 0, 0, 500);
const zeroTime = '0001-01-01T00:00:00Z';

describe('state of a check', () => {
  // error × timestamp × counter
  it.each([
    [{ timestamp: ranAt }, 'pass'],
    [{ timestamp: ranAt, error: null }, 'pass'],
    [{ timestamp: ranAt, error: '' }, 'pass'],
    [{ timestamp: ranAt, error: false }, 'pass'],
    [{ timestamp: ranAt, contiguousFailures: 0, timeOfFirstFailure: null }, 'pass'],
    [{}, 'pass'],
    [{ timestamp: ranAt, error: 'down' }, 'fail'],
    [{ timestamp: ranAt, error: { message: 'down' } }, 'fail'],
    [{ timestamp: ranAt, error: {} }, 'fail'],
    [{ timestamp: ranAt, error: 'down', contiguousFailures: 0 }, 'fail'],
    [{ timestamp: ranAt, contiguousFailures: 3 }, 'fail'],
    [{ timestamp: zeroTime, error: 'down' }, 'fail'],
    [{ timestamp: 'nonsense', error: 'down' }, 'fail'],
    [{ timestamp: zeroTime, error: 'not yet run', duration: 0 }, 'pending'],
    [{ timestamp: zeroTime, error: { message: 'not yet run' } }, 'pending'],
    [{ timestamp: ranAt, error: ' Not yet run ' }, 'pending'],
    [{ timestamp: ranAt, error: 'it has not yet run' }, 'fail'],
    [{ timestamp: ranAt, error: 'not yet run: C' }, 'fail'],
    [{ timestamp: zeroTime }, 'pending'],
    [{ timestamp: zeroTime, contiguousFailures: 2 }, 'pending'],
    [null, 'unknown'],
    ['pass', 'unknown'],
    [7, 'unknown'],
    [[], 'unknown'],
  ])('%j: %s', (value, state) => {
    expect(read(value).check.state).toBe(state);
  });
});

describe('readCheck', () => {
  it('reads a check as today’s nodes send it', () => {
    const { check, odd } = read({
      message: { connectedPeers: 12 },
      error: 'too few peers',
      timestamp: '2026-09-01T14:00:00.500999999+02:00',
      duration: 1_234,
      contiguousFailures: 4,
      timeOfFirstFailure: '2026-09-01T11:58:30Z',
    });
    expect(odd).toEqual([]);
    expect(check).toEqual({
      name: 'C',
      state: 'fail',
      error: 'too few peers',
      message: { connectedPeers: 12 },
      ranAtMs,
      durationNs: '1234',
      contiguousFailures: 4,
      firstFailureAtMs: Date.UTC(2026, 8, 1, 11, 58, 30),
    });
  });

  it('keeps nothing of failures for a check that does not fail', () => {
    const { check } = read({ timestamp: ranAt, contiguousFailures: 0, timeOfFirstFailure: ranAt });
    expect(check).toMatchObject({ state: 'pass', contiguousFailures: null, firstFailureAtMs: null });
    expect(read({ timestamp: zeroTime, error: 'not yet run', duration: 0 })).toEqual({
      check: { ...check, state: 'pending', ranAtMs: null, durationNs: '0' },
      odd: [],
    });
  });

  it.each([
    [{ message: 'down', code: 1 }, 'down'],
    [{ code: 1 }, '{"code":1}'],
    [{ message: 5 }, '{"message":5}'],
    [{ message: '' }, '{"message":""}'],
    [{}, '(no text)'],
    [['a', 'b'], '["a","b"]'],
    [17, '17'],
    [true, 'true'],
  ])('error %j: %s', (error, text) => {
    expect(read({ timestamp: ranAt, error }).check.error).toBe(text);
  });

  it.each([
    ['an array', ['2S9a']],
    ['a text', 'right'],
    ['a number', 0],
    ['false', false],
  ])('message: %s', (_shape, message) => {
    expect(read({ timestamp: ranAt, message }).check.message).toEqual(message);
  });

  it.each([
    [0, '0'],
    ['0s', '0'],
    [9_007_199_254_740_991, '9007199254740991'],
    ['9223372036854775807', '9223372036854775807'],
    ['1.5ms', '1500000'],
  ])('duration %j: %s', (duration, durationNs) => {
    expect(read({ timestamp: ranAt, duration })).toMatchObject({ check: { durationNs }, odd: [] });
  });

  it.each<[string, Record<string, unknown>, Oddity]>([
    ['no time', { timestamp: undefined }, 'no-time'],
    ['time is null', { timestamp: null }, 'no-time'],
    ['time is a number', { timestamp: 5 }, 'bad-time'],
    ['time is no time', { timestamp: 'yesterday' }, 'bad-time'],
    ['time before 1970', { timestamp: '1969-01-01T00:00:00Z' }, 'bad-time'],
    ['negative duration', { duration: -1 }, 'bad-duration'],
    ['duration that only ends in digits', { duration: '1x5' }, 'bad-duration'],
    ['negative duration in words', { duration: '-1s' }, 'bad-duration'],
    ['duration with a fraction', { duration: 1.5 }, 'bad-duration'],
    ['duration too large for any clock', { duration: '9223372036854775808' }, 'bad-duration'],
    ['negative counter', { contiguousFailures: -1 }, 'bad-counter'],
    ['counter as text', { contiguousFailures: '3' }, 'bad-counter'],
    ['counter with a fraction', { contiguousFailures: 0.5 }, 'bad-counter'],
    ['counts without an error', { contiguousFailures: 1 }, 'counts-without-error'],
    ['bad first failure', { error: 'x', timeOfFirstFailure: 'never' }, 'bad-time'],
    ['huge message', { message: ['x'.repeat(140_000)] }, 'message-too-large'],
    ['huge error', { error: 'x'.repeat(9_000) }, 'error-too-long'],
  ])('%s is odd, and the rest is read', (_what, fields, oddity) => {
    const { check, odd } = read({ timestamp: ranAt, duration: 1, ...fields });
    expect(odd).toEqual([oddity]);
    expect(check.name).toBe('C');
    expect(['pass', 'fail']).toContain(check.state);
    expect((check.error ?? '').length).toBeLessThan(8_200);
  });

  it('misses no time while the check has not run, and takes the first moment for one', () => {
    expect(read({ error: 'not yet run' })).toMatchObject({ check: { state: 'pending' }, odd: [] });
    expect(read({ timestamp: '1970-01-01T00:00:00Z' })).toMatchObject({ check: { ranAtMs: 0 }, odd: [] });
  });

  it('keeps errors of 8,192 characters and messages of 131,072 whole, and the beginning of longer errors', () => {
    const error = 'x'.repeat(8_192);
    const message = 'x'.repeat(131_070);
    expect(read({ timestamp: ranAt, error, message })).toMatchObject({ check: { error, message }, odd: [] });
    expect(read({ timestamp: ranAt, error: `${error}y` }).check.error).toBe(`${error}…`);
  });
});
