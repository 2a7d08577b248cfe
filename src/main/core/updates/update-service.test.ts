import { describe, expect, it } from 'vitest';
import { AppFailure } from '../../../shared/errors.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import type { UpdateObstacle } from '../../../shared/updates.ts';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import type { Updater } from '../ports.ts';
import { SettingsService } from '../settings/settings-service.ts';
import { UpdateService } from './update-service.ts';
import { createFakeEvents } from '../testing/fake-events.ts';

const dayMs = 86_400_000;

interface World {
  choice?: Settings['updates'];
  obstacle?: UpdateObstacle | null;
  hasPlace?: boolean;
}

function setUp({ choice = 'notify', obstacle = null, hasPlace = true }: World = {}) {
  const warned: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: (event: string, fields: unknown) => warned.push([event, fields]),
    error: () => 'a-ref',
  };
  const kept = { ...defaultSettings, updates: choice };
  const store = { read: () => ({ settings: kept, notice: null }), write: () => undefined };
  const settings = new SettingsService(store, log);
  const time = createFakeTime();
  const done: string[] = [];
  const next = {
    answer: async (): Promise<unknown> => '9.9.9',
    download: async () => undefined,
    install: () => undefined as void,
  };
  const signals: AbortSignal[] = [];
  const tells: ((percent: unknown) => void)[] = [];
  const updater: Updater = {
    ask: (signal) => {
      done.push('ask');
      signals.push(signal);
      return next.answer();
    },
    download: (onProgress, signal) => {
      done.push('download');
      signals.push(signal);
      tells.push(onProgress);
      return next.download();
    },
    install: () => {
      done.push('install');
      next.install();
    },
  };
  const events = createFakeEvents();
  const service = new UpdateService({
    emit: events.emit,
    ...{ settings, log, obstacle, runningVersion: '0.2.0', clock: time.clock, timers: time.timers },
    source: hasPlace ? { host: 'updates.example', updater } : null,
  });
  const states: string[] = [];
  events.on('updates.changed', ({ state }) => states.push(state.at));
  const state = () => service.status().state;
  return {
    service,
    settings,
    time,
    done,
    next,
    signals,
    states,
    state,
    tells,
    tell: (value: unknown) => tells.at(-1)?.(value),
    warned,
  };
}

const never = () => new Promise<never>(() => undefined);

describe('UpdateService', () => {
  it('asks nobody while it is off, and nobody where no place is known', async () => {
    for (const world of [{ choice: 'off' }, { choice: 'automatic', hasPlace: false }] as const) {
      const { service, time, done, state } = setUp(world);
      service.start();
      await service.ask();
      await time.advance(3 * dayMs);
      expect(done).toEqual([]);
      expect(state()).toEqual({ at: 'idle' });
    }
  });

  it('asks once when the window is there, not before, and once a day', async () => {
    const { service, time, done, state } = setUp();
    await time.advance(dayMs);
    expect(done).toEqual([]);
    service.start();
    await time.settle();
    expect(done).toEqual(['ask']);
    expect(state()).toEqual({ at: 'available', version: '9.9.9' });
    await time.advance(dayMs - 1);
    expect(done).toHaveLength(1);
    await time.advance(dayMs);
    expect(done).toEqual(['ask', 'ask']);
  });

  it('goes on to ask each day after a question fell into a download', async () => {
    const { service, time, done, next, tell } = setUp({ choice: 'automatic' });
    next.download = never;
    service.start();
    for (let hours = 0; hours < 60; hours += 0.05) {
      await time.advance(dayMs / 24 / 20);
      tell(50);
    }
    expect(done).toEqual(['ask', 'download']);
    service.cancelDownload();
    await time.advance(3 * dayMs);
    expect(done.filter((what) => what === 'ask').length).toBeGreaterThanOrEqual(2);
  });

  it('asks after a sleep, in which its timer stood still, once the last question is a day old', async () => {
    const { service, time, done } = setUp();
    service.resume();
    service.start();
    await time.advance(dayMs / 3);
    service.resume();
    expect(done).toEqual(['ask']);
    time.stepClock(dayMs);
    service.resume();
    await time.settle();
    service.resume();
    expect(done).toEqual(['ask', 'ask']);
  });

  it.each(['ten minutes later', 'after a sleep'])(
    'asks again %s where a question has reached nobody, as at a laptop that wakes before its network',
    async (when) => {
      const { service, time, done, next, state } = setUp();
      const { answer } = next;
      next.answer = () => Promise.reject(new Error('net::ERR_INTERNET_DISCONNECTED'));
      service.start();
      await time.settle();
      expect(state()).toMatchObject({ at: 'failed', error: { code: 'unreachable' } });
      next.answer = answer;
      if (when === 'after a sleep') service.resume();
      else await time.advance(600_000);
      await time.settle();
      expect(state()).toEqual({ at: 'available', version: '9.9.9' });
      await time.advance(dayMs - 1);
      service.resume();
      expect(done).toEqual(['ask', 'ask']);
    },
  );

  it('asks no sooner than the next day where the answer was none', async () => {
    const { service, time, done, next } = setUp();
    next.answer = async () => 'newest';
    service.start();
    await time.advance(dayMs - 1);
    service.resume();
    expect(done).toEqual(['ask']);
  });

  it('still offers what a later question does not reach', async () => {
    const { service, time, next, state } = setUp();
    service.start();
    await time.settle();
    next.answer = () => Promise.reject(new Error('net::ERR_INTERNET_DISCONNECTED'));
    await service.ask();
    expect(state()).toMatchObject({ at: 'available', version: '9.9.9', error: { code: 'unreachable' } });
  });

  it('counts the day from the last question', async () => {
    const { service, time, done } = setUp();
    service.start();
    await time.advance(dayMs / 2);
    await service.ask();
    await time.advance(dayMs - 1);
    expect(done).toEqual(['ask', 'ask']);
  });

  it('follows the setting: asks when it is chosen, forgets everything when it is off', async () => {
    const { service, settings, time, done, state } = setUp({ choice: 'off' });
    service.start();
    settings.update({ updates: 'notify' });
    await time.settle();
    expect(state().at).toBe('available');
    settings.update({ updates: 'off' });
    expect(state()).toEqual({ at: 'idle' });
    await time.advance(3 * dayMs);
    service.download();
    service.installAtEnd();
    expect(done).toEqual(['ask']);
  });

  it('takes no version that is not above the running one', async () => {
    for (const version of ['0.2.0', '0.1.9', null]) {
      const { service, time, next, done, state } = setUp({ choice: 'automatic' });
      next.answer = async () => version;
      service.start();
      await time.settle();
      expect(state()).toEqual({ at: 'newest', askedAtMs: time.clock.nowMs() });
      expect(done).toEqual(['ask']);
    }
  });

  it('downloads when it is asked to, tells how far that is, and installs when the app ends', async () => {
    const { service, time, next, done, state, tell } = setUp();
    let end = () => undefined as void;
    next.download = () => new Promise((resolve) => (end = () => resolve(undefined)));
    service.start();
    await time.settle();
    service.installAtEnd();
    service.download();
    service.download();
    for (const [percent, share] of [
      [41.5, 0.415],
      ['much', null],
      [Number.NaN, null],
      [101, null],
      [-1, null],
    ] as const) {
      tell(percent);
      expect(state()).toEqual({ at: 'downloading', version: '9.9.9', share });
    }
    service.installAtEnd();
    end();
    await time.settle();
    expect(state()).toEqual({ at: 'ready', version: '9.9.9' });
    await service.ask();
    expect(done).toEqual(['ask', 'download']);
    service.installAtEnd();
    expect(done).toEqual(['ask', 'download', 'install']);
  });

  it('ends as always when the next version cannot be installed', async () => {
    const { service, time, next, done } = setUp({ choice: 'automatic' });
    service.start();
    await time.settle();
    next.install = () => {
      throw new AppFailure({ code: 'storage', message: 'The downloaded package is gone.' });
    };
    service.installAtEnd();
    expect(done.at(-1)).toBe('install');
  });

  it('automatic: downloads by itself, unless this copy cannot replace itself', async () => {
    for (const [obstacle, at] of [
      [null, 'ready'],
      ['packages', 'available'],
    ] as const) {
      const { service, time, state } = setUp({ choice: 'automatic', obstacle });
      service.start();
      await time.settle();
      expect(state().at).toBe(at);
      service.download();
      expect(state().at).toBe(at);
    }
  });

  it('stops a download, and can begin it again', async () => {
    const { service, time, next, signals, state, tell, tells } = setUp();
    next.download = never;
    service.start();
    await time.settle();
    service.download();
    service.cancelDownload();
    expect(signals.at(-1)?.aborted).toBe(true);
    tell(50);
    expect(state()).toEqual({ at: 'available', version: '9.9.9' });
    service.download();
    tells[0]?.(50);
    expect(state()).toMatchObject({ at: 'downloading', share: null });
    service.cancelDownload();
    next.download = async () => undefined;
    service.download();
    await time.settle();
    service.cancelDownload();
    expect(state().at).toBe('ready');
  });

  it('does not hear the end of what was stopped', async () => {
    const { service, settings, time, next, state } = setUp();
    let answer = (_version: unknown) => undefined as void;
    next.answer = () => new Promise((resolve) => (answer = resolve));
    service.start();
    settings.update({ updates: 'off' });
    next.answer = never;
    settings.update({ updates: 'notify' });
    answer('9.9.9');
    await time.settle();
    expect(state()).toEqual({ at: 'asking', version: null });
  });

  it('gives up a question without an answer after a minute', async () => {
    const { service, time, next, signals, state } = setUp();
    next.answer = never;
    service.start();
    await time.advance(60_000);
    expect(signals[0]?.aborted).toBe(true);
    expect(state()).toMatchObject({ at: 'failed', version: null, error: { code: 'timeout' } });
    next.answer = async () => null;
    await service.ask();
    expect(state().at).toBe('newest');
  });

  it('gives up a download that stands still for five minutes, however long one that goes on takes', async () => {
    const { service, time, next, signals, state, tell } = setUp();
    next.download = never;
    service.start();
    await time.settle();
    service.download();
    for (const percent of [1, 2, 3]) {
      await time.advance(299_999);
      tell(percent);
    }
    expect(state().at).toBe('downloading');
    await time.advance(300_000);
    expect(signals.at(-1)?.aborted).toBe(true);
    expect(state()).toMatchObject({ at: 'failed', version: '9.9.9', error: { code: 'timeout' } });
  });

  it('counts the minute of a question from that question, not from one that was stopped', async () => {
    const { service, settings, time, next, state } = setUp();
    next.answer = never;
    service.start();
    await time.advance(59_000);
    settings.update({ updates: 'off' });
    settings.update({ updates: 'notify' });
    await time.advance(59_000);
    expect(state().at).toBe('asking');
    await time.advance(1_000);
    expect(state()).toMatchObject({ at: 'failed', error: { code: 'timeout' } });
  });

  it('says why a question or a download failed, also in the log', async () => {
    const { service, time, next, state, warned } = setUp();
    next.answer = () => Promise.reject(new Error('net::ERR_CONNECTION_REFUSED'));
    service.start();
    await time.settle();
    expect(state()).toMatchObject({ at: 'failed', version: null, error: { code: 'unreachable' } });
    next.answer = async () => 'nonsense';
    await service.ask();
    expect(state()).toMatchObject({ at: 'failed', version: null, error: { code: 'bad-response' } });
    next.answer = async () => '9.9.9';
    await service.ask();
    next.download = () => Promise.reject(new Error('sha512 checksum mismatch'));
    service.download();
    await time.settle();
    expect(state()).toMatchObject({ at: 'failed', version: '9.9.9', error: { code: 'bad-response' } });
    expect(warned).toEqual(
      ['unreachable', 'bad-response', 'bad-response'].map((code) => ['updates.failed', { code }]),
    );
    service.installAtEnd();
    expect(service.status()).toMatchObject({ host: 'updates.example', obstacle: null });
  });
});
