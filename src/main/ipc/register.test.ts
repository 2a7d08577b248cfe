import { describe, expect, it } from 'vitest';
import { AppFailure } from '../../shared/errors.ts';
import { callChannel } from '../../shared/ipc/channels.ts';
import { calls } from '../../shared/ipc/calls.ts';
import { nodeLimits } from '../../shared/limits.ts';
import { registerHandlers, type Handlers, type InvokeEvent } from './register.ts';

const page = 'app://watchkeeper/index.html';
const sender = { isDestroyed: () => false };
const ourFrame = { senderFrame: { url: page, parent: null }, sender };

function setUp(overrides: Partial<Handlers> = {}, sendEvents = () => undefined as void) {
  const called: string[] = [];
  const logged: string[] = [];
  const unheard: string[] = [];
  const listeners = new Map<string, (event: InvokeEvent, args: unknown) => Promise<unknown>>();
  const handlers = Object.fromEntries(
    Object.keys(calls).map((channel) => [
      channel,
      () => {
        called.push(channel);
        return null;
      },
    ]),
    // Built from the list of all channels; the values are of no matter here.
  ) as unknown as Handlers;
  registerHandlers(
    { ...handlers, ...overrides },
    {
      host: { handle: (channel, listener) => void listeners.set(channel, listener) },
      isTrustedUrl: (url) => url === page,
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      sendEvents,
      unheard: (message) => void unheard.push(message),
      log: {
        info: (event, fields) => void logged.push(JSON.stringify([event, fields])),
        warn: (event, fields) => void logged.push(JSON.stringify([event, fields])),
        error: (event) => {
          logged.push(event);
          return 'ref-1';
        },
      },
    },
  );
  const call = (channel: string, args: unknown, event: InvokeEvent = ourFrame) => {
    const listener = listeners.get(callChannel(channel));
    if (listener === undefined) throw new Error(`no listener for ${channel}`);
    return listener(event, args);
  };
  return { call, called, logged, unheard, channels: [...listeners.keys()] };
}

describe('registerHandlers', () => {
  it('answers on every channel of the list and on no other', () => {
    expect(setUp().channels.toSorted()).toEqual(Object.keys(calls).map(callChannel).toSorted());
  });

  it.each([
    ['a page of another origin', { senderFrame: { url: 'https://evil.example/', parent: null }, sender }],
    ['a frame inside our page', { senderFrame: { url: page, parent: {} }, sender }],
    ['a frame that is gone', { senderFrame: null, sender }],
  ])('rejects %s without calling the handler', async (_who, event) => {
    const { call, called } = setUp();
    await expect(call('app.snapshot', undefined, event)).rejects.toThrow('may not call');
    expect(called).toEqual([]);
  });

  it.each(Object.keys(calls))('refuses fields that %s does not have', async (channel) => {
    const { call, called } = setUp();
    expect(await call(channel, { unheardOf: 1 })).toMatchObject({ error: { code: 'invalid-params' } });
    expect(called).toEqual([]);
  });

  it.each([
    ['secret.set', undefined],
    ['secret.set', { key: '', storage: 'keychain' }],
    ['secret.set', { key: 'k', storage: 'disk' }],
    ['secret.set', { key: 'k'.repeat(5_000), storage: 'session' }],
    ['activity.rows', { address: null, chainId: null, cursor: null, limit: 501 }],
    ['activity.rows', { address: null, chainId: null, cursor: null, limit: '10' }],
    ['nodes.strips', { id: 'n', fromMs: -1, toMs: 5, cellCount: 10, limit: 1 }],
    ['nodes.strips', { id: 'n', fromMs: 1, toMs: 5, cellCount: 10, limit: 0 }],
    ['settings.update', { theme: 'neon' }],
    ['settings.update', { service: { dataUrl: 'file:///etc' } }],
    ['settings.update', { unknown: true }],
  ])('refuses an argument of %s that does not fit: %j', async (channel, args) => {
    const { call, called } = setUp();
    expect(await call(channel, args)).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    expect(called).toEqual([]);
  });

  const { min, max } = nodeLimits.intervalMs;
  it.each([
    [min - 1, false],
    [min, true],
    [min + 0.5, false],
    [max, true],
    [max + 1, false],
    [Infinity, false],
    [Number.NaN, false],
  ])('lets nodes be polled every %d ms: %s', async (intervalMs, isAllowed) => {
    const { call, called } = setUp();
    const rest = { name: '', url: 'http://a', tags: [], headers: [], certificate: null, paused: false };
    await call('nodes.add', { ...rest, intervalMs });
    await call('nodes.update', { ...rest, intervalMs, id: 'n' });
    expect(called).toHaveLength(isAllowed ? 2 : 0);
  });

  it('answers a defect with a reference into the log and nothing of its text', async () => {
    const { call, logged } = setUp({
      'app.snapshot': () => {
        throw new TypeError('secret text');
      },
    });
    const answer = await call('app.snapshot', undefined);
    expect(answer).toMatchObject({ ok: false, error: { code: 'internal', ref: 'ref-1' } });
    expect(JSON.stringify(answer)).not.toContain('secret text');
    expect(logged).toContain('ipc.app.snapshot');
  });

  it('answers a thrown AppFailure with its error', async () => {
    const error = { code: 'storage', message: 'The disk is full.' } as const;
    const { call } = setUp({ 'secret.remove': () => Promise.reject(new AppFailure(error)) });
    expect(await call('secret.remove', undefined)).toEqual({ ok: false, error });
  });

  it('passes the failure of a file on when its window was closed meanwhile, and nothing else', async () => {
    const failing = () => Promise.reject(new AppFailure({ code: 'storage', message: 'The disk is full.' }));
    const { call, unheard } = setUp({ 'recordings.open': failing, 'secret.remove': failing });
    const gone = { ...ourFrame, sender: { isDestroyed: () => true } };
    await call('recordings.open', undefined);
    await call('secret.remove', undefined, gone);
    expect(unheard).toEqual([]);
    await call('recordings.open', undefined, gone);
    expect(unheard).toEqual(['The disk is full.']);
  });

  it('sends the events of a call before its answer', async () => {
    const order: string[] = [];
    const changing = async () => {
      await Promise.resolve();
      order.push('changed');
      return null;
    };
    const { call } = setUp({ 'activity.cancel': changing }, () => void order.push('events sent'));
    await call('activity.cancel', { scope: { address: null, chainId: null } }).then(() =>
      order.push('answered'),
    );
    expect(order).toEqual(['changed', 'events sent', 'answered']);
  });

  it('answers a call without a result with null, which the window tells from no answer', async () => {
    const { call } = setUp({ 'activity.cancel': () => Promise.resolve(), 'app.quit': () => undefined });
    const scope = { address: null, chainId: null };
    expect(await call('activity.cancel', { scope })).toEqual({ ok: true, value: null });
    expect(await call('app.quit', undefined)).toEqual({ ok: true, value: null });
  });

  it('logs channel, time and code, never an argument or a value', async () => {
    const { call, logged } = setUp({
      'secret.set': () => ({ present: true, storage: 'keychain', keychain: 'available' }),
    });
    await call('secret.set', { key: 'marked-key', storage: 'keychain' });
    expect(logged).toEqual(['["ipc",{"channel":"secret.set","ms":0,"code":"ok"}]']);
  });
});
