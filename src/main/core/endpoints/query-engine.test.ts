import { describe, expect, it } from 'vitest';
import { AppFailure } from '../../../shared/errors.ts';
import { avalancheService, sampleServiceProfile, type ServiceProfile } from '../../../shared/settings.ts';
import { silentLog } from '../activity/testing/harness.ts';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import type { AnswerStore, HttpOutcome, HttpRequest, StoredAnswer } from '../ports.ts';
import { QueryEngine, type AnswerArrived, type Query } from './query-engine.ts';
import { Scheduler } from './scheduler.ts';
import { ServiceClient } from './service-client.ts';

const txHash = `0x${'c'.repeat(64)}`;
const detail = (value: string) => ({
  nativeTransaction: { txHash, blockNumber: '1', blockTimestamp: 1, value },
});

const offline: HttpOutcome = { kind: 'failure', reason: 'refused', detail: 'Nothing answers.' };

function answer(body: unknown, status = 200, headers: Record<string, string> = {}): HttpOutcome {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'response', status, headers, body: text, byteLength: text.length };
}

/** Answers in memory, as a test sees and changes them. */
function createAnswers() {
  const storedAnswers = new Map<string, StoredAnswer>();
  let isFailing = false;
  const answers: Pick<AnswerStore, 'read' | 'write' | 'replace'> = {
    read: async (key) => storedAnswers.get(key) ?? null,
    write: async (answer) => {
      if (isFailing) throw new AppFailure({ code: 'storage', message: 'the disk is full' });
      storedAnswers.set(answer.key, answer);
    },
    replace: async (fresh, superseded) => {
      if (isFailing) throw new AppFailure({ code: 'storage', message: 'the disk is full' });
      for (const key of superseded) storedAnswers.delete(key);
      for (const answer of fresh) storedAnswers.set(answer.key, answer);
    },
  };
  const failWrites = (value: boolean) => {
    isFailing = value;
  };
  return { storedAnswers, answers, failWrites };
}

function build() {
  const time = createFakeTime();
  const stores = createAnswers();
  const requests: HttpRequest[] = [];
  const network = { answer: answer(detail('1')), isHeld: false, release: (): void => undefined };
  const current: { profile: ServiceProfile } = { profile: avalancheService };
  const service = new ServiceClient({
    http: {
      send: async (request) => {
        requests.push(request);
        const outcome = network.answer;
        if (!network.isHeld) return outcome;
        return await new Promise((resolve) => {
          network.release = () => resolve(outcome);
          request.signal?.addEventListener('abort', () =>
            resolve({ kind: 'failure', reason: 'cancelled', detail: '' }),
          );
        });
      },
    },
    scheduler: new Scheduler({ clock: time.clock, timers: time.timers }),
    keyHeaders: async () => ({ 'x-key': 'marked-key' }),
    profile: () => current.profile,
    clock: time.clock,
    timers: time.timers,
    random: { fraction: () => 0, id: () => 'id' },
  });
  const engine = new QueryEngine({ service, answers: stores.answers, clock: time.clock, log: silentLog });
  const arrivals: AnswerArrived[] = [];
  engine.onAnswer((arrived) => arrivals.push(arrived));
  let asked = 0;
  const query = (change: Partial<Query> = {}) => {
    asked += 1;
    return engine.query({
      endpointId: 'transaction',
      params: { chainId: '43114', txHash },
      refresh: 'if-stale',
      includeRaw: false,
      requestId: `request-${asked}`,
      ...change,
    });
  };
  return { time, stores, requests, network, current, engine, arrivals, query };
}

/** The value in the answer. */
function valueOf(result: Awaited<ReturnType<QueryEngine['query']>>): unknown {
  return result.ok ? (result.value.data as ReturnType<typeof detail>).nativeTransaction.value : undefined;
}

describe('a query', () => {
  it('that nothing is stored for asks the service, and its answer is stored as it came', async () => {
    const { time, stores, requests, query } = build();
    expect(await query()).toMatchObject({
      ok: true,
      value: { source: 'network', stale: false, notes: [], fetchedAtMs: time.clock.nowMs() },
    });
    expect(requests).toHaveLength(1);
    const [stored] = stores.storedAnswers.values();
    expect(stored).toMatchObject({
      endpointId: 'transaction',
      paramsJson: `{"chainId":"43114","txHash":"${txHash}"}`,
      bodyText: JSON.stringify(detail('1')),
      fetchedAtMs: time.clock.nowMs(),
    });
    expect(JSON.stringify([...stores.storedAnswers])).not.toContain('marked-key');
  });

  it('is answered from the store while that is fresh, in any spelling of its parameters', async () => {
    const { time, requests, query } = build();
    await query();
    await time.advance(3_599_999);
    const params = { txHash: txHash.toUpperCase().replace('X', 'x'), chainId: ' 43114' };
    expect(await query({ params })).toMatchObject({ value: { source: 'cache', stale: false } });
    expect(requests).toHaveLength(1);
    await time.advance(1);
    expect(await query()).toMatchObject({ value: { source: 'network' } });
    expect(requests).toHaveLength(2);
  });

  it('may demand a new answer, or forbid to ask for one', async () => {
    const { time, requests, network, query } = build();
    expect(await query({ refresh: 'cached' })).toMatchObject({ ok: false, error: { code: 'not-found' } });
    await query();
    network.answer = answer(detail('2'));
    expect(valueOf(await query({ refresh: 'always' }))).toBe('2');
    await time.advance(100 * 3_600_000);
    const cached = await query({ refresh: 'cached' });
    expect(valueOf(cached)).toBe('2');
    expect(cached).toMatchObject({ value: { source: 'cache', stale: true } });
    expect(cached.ok && 'refreshError' in cached.value).toBe(false);
    expect(requests).toHaveLength(2);
  });

  it('brings the body as it was received when that is asked for', async () => {
    const { network, query } = build();
    const body =
      '{ "nativeTransaction" : {"txHash":"0xc","blockNumber":9007199254740993,"blockTimestamp":1} }';
    network.answer = answer(body);
    expect(await query({ includeRaw: true })).toMatchObject({
      value: { rawText: body, data: { nativeTransaction: { blockNumber: '9007199254740993' } } },
    });
    expect(await query({ includeRaw: true, refresh: 'cached' })).toMatchObject({ value: { rawText: body } });
    const plain = await query();
    expect(plain.ok && 'rawText' in plain.value).toBe(false);
  });

  it('says what was odd, now and from the store', async () => {
    const { network, query } = build();
    network.answer = answer({ ...detail('1'), erc20Transfers: 'none' });
    const notes = ['erc20Transfers: left out because "none" is not an array.'];
    expect(await query()).toMatchObject({ value: { notes } });
    expect(await query({ refresh: 'cached' })).toMatchObject({ value: { notes } });
  });

  it.each([
    ['no such endpoint', { endpointId: 'toString' }],
    ['a wrong parameter', { params: { chainId: '43114', txHash: '0x1' } }],
    ['no parameters', { params: undefined }],
  ])('with %s is refused and not sent', async (_name, change) => {
    const { requests, query } = build();
    expect(await query(change)).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    expect(requests).toHaveLength(0);
  });

  it('to another service is another query', async () => {
    const { requests, current, query } = build();
    await query();
    current.profile = sampleServiceProfile;
    expect(await query({ refresh: 'cached' })).toMatchObject({ ok: false });
    await query();
    expect(requests).toHaveLength(2);
  });

  it('does not take an answer from the future for fresh', async () => {
    const { time, requests, query } = build();
    await query();
    time.stepClock(-10_000);
    await query();
    expect(requests).toHaveLength(2);
  });
});

describe('without a new answer', () => {
  it.each<[string, HttpOutcome, string]>([
    ['offline', offline, 'unreachable'],
    ['a timeout', { kind: 'failure', reason: 'timeout', detail: '' }, 'timeout'],
    ['401', answer('', 401), 'unauthorized'],
    ['404', answer('', 404), 'not-found'],
    ['429', answer('', 429), 'rate-limited'],
    ['500', answer('', 500), 'upstream'],
    ['a web page', answer('<html>'), 'bad-response'],
    ['cut-off JSON', answer('{"nativeTransaction":'), 'bad-response'],
    ['another shape', answer({ nativeTransaction: 5 }), 'bad-response'],
  ])('%s: the stored one is shown, with the reason, and stays stored', async (_name, outcome, code) => {
    const { time, stores, network, arrivals, query } = build();
    await query();
    const stored = [...stores.storedAnswers.values()];
    await time.advance(2 * 3_600_000);
    network.answer = outcome;
    const result = await query();
    expect(valueOf(result)).toBe('1');
    expect(result).toMatchObject({ value: { source: 'cache', stale: true, refreshError: { code } } });
    expect([...stores.storedAnswers.values()]).toEqual(stored);
    expect(arrivals).toHaveLength(1);
  });

  it('and without a stored one it is the error', async () => {
    const { network, query } = build();
    network.answer = offline;
    expect(await query()).toMatchObject({ ok: false, error: { code: 'unreachable' } });
  });

  it('after a 429 nothing is sent before its time, and the error says when', async () => {
    const { time, requests, network, query } = build();
    network.answer = answer('', 429, { 'retry-after': '30' });
    await query();
    network.answer = answer(detail('2'));
    await time.advance(10_000);
    const retryAtMs = time.clock.nowMs() + 20_000;
    expect(await query()).toMatchObject({ error: { code: 'rate-limited', retryAtMs } });
    expect(requests).toHaveLength(1);
    await time.advance(20_000);
    expect(valueOf(await query())).toBe('2');
  });
});

describe('queries at the same time', () => {
  it('for the same are one request', async () => {
    const { time, requests, network, arrivals, query } = build();
    network.isHeld = true;
    const all = [query(), query(), query({ params: { txHash, chainId: '43114' } })];
    await time.settle();
    expect(requests).toHaveLength(1);
    network.release();
    expect((await Promise.all(all)).map(valueOf)).toEqual(['1', '1', '1']);
    expect(arrivals).toHaveLength(1);
  });

  it('one that is cancelled ends alone; the request ends with the last', async () => {
    const { time, requests, network, engine, query } = build();
    network.isHeld = true;
    const first = query({ requestId: 'first' });
    const second = query({ requestId: 'second' });
    await time.settle();
    engine.cancel('first');
    expect(await first).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(requests[0]?.signal?.aborted).toBe(false);
    engine.cancel('second');
    expect(await second).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(requests[0]?.signal?.aborted).toBe(true);
    // A request that was given up is not joined.
    network.isHeld = false;
    expect(valueOf(await query())).toBe('1');
    expect(requests).toHaveLength(2);
    engine.cancel('no such request');
  });

  it('one that is cancelled while the store is read sends nothing', async () => {
    const { requests, engine, query } = build();
    const left = query({ requestId: 'left' });
    engine.cancel('left');
    expect(await left).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(requests).toEqual([]);
  });

  it('one that is cancelled does not show the stored answer instead', async () => {
    const { time, network, engine, query } = build();
    await query();
    network.isHeld = true;
    const again = query({ refresh: 'always', requestId: 'again' });
    await time.settle();
    engine.cancel('again');
    expect(await again).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});

describe('the store', () => {
  it('that cannot be written costs nothing but the memory', async () => {
    const { stores, query } = build();
    stores.failWrites(true);
    const result = await query();
    expect(valueOf(result)).toBe('1');
    expect(result).toMatchObject({
      value: { notes: ['Couldn’t save the response for later: the disk is full'] },
    });
  });

  it('that cannot be read is told; the service is asked all the same', async () => {
    const { stores, query } = build();
    stores.answers.read = () => Promise.reject(new Error('broken'));
    expect(valueOf(await query())).toBe('1');
    expect(await query({ refresh: 'cached' })).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  it('with an answer that can no longer be read is as good as empty', async () => {
    const { stores, requests, query } = build();
    await query();
    for (const stored of stores.storedAnswers.values()) stored.bodyText = '{"of an older":"version"}';
    expect(await query()).toMatchObject({ value: { source: 'network' } });
    expect(requests).toHaveLength(2);
  });
});

it('whoever listens is told of each answer of the service, and of none from the store', async () => {
  const { time, arrivals, query } = build();
  await query();
  await query();
  expect(arrivals).toMatchObject([
    {
      endpointId: 'transaction',
      params: { chainId: '43114', txHash },
      data: detail('1'),
      fetchedAtMs: time.clock.nowMs(),
    },
  ]);
});
