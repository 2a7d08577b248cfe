import { openMemoryDatabase, storesOver } from '../src/main/adapters/storage/testing/memory-stores.ts';
import type { OpenedStore } from '../src/main/adapters/storage/thread/open-store.ts';
import { storageFailure } from '../src/main/adapters/storage/thread/storage-thread.ts';
import { callStore, portsOver } from '../src/main/adapters/storage/store-ports.ts';
import { wordsFor, type SqlDatabase } from '../src/main/adapters/storage/sqlite/sql.ts';
import { startApplication, type ApplicationServices } from '../src/main/application.ts';
import type { System } from '../src/main/app-services.ts';
import { createFakeKeychain } from '../src/main/core/health/testing/fake-ports.ts';
import type { StoredPoll } from '../src/main/core/health-ports.ts';
import { Gate } from '../src/main/core/privacy/gate.ts';
import { Proxies } from '../src/main/core/privacy/proxies.ts';
import { SettingsService } from '../src/main/core/settings/settings-service.ts';
import { Broadcaster, type BroadcastTarget } from '../src/main/ipc/broadcast.ts';
import { createHandlers, snapshot, type Services } from '../src/main/ipc/handlers.ts';
import { registerHandlers, type InvokeHost } from '../src/main/ipc/register.ts';
import { readers } from '../src/main/readers.ts';
import { AppFailure, type Result } from '../src/shared/errors.ts';
import { callChannel } from '../src/shared/ipc/channels.ts';
import type { ResultOf } from '../src/shared/ipc/contract.ts';
import type { AppSnapshot } from '../src/shared/ipc/answers.ts';
import { defaultSettings, type Settings } from '../src/shared/settings.ts';
import { chanceOf } from './chance.ts';
import { changesOf, DecodesHere } from './in-thread.ts';
import { heard, type RunningApp, type WindowState } from './window.ts';
import type { History } from './history.ts';
import type { Network } from './network.ts';
import { minute, type WorldTime } from './time.ts';

export interface MachineDeps {
  time: WorldTime;
  network: Network;
  history: History;
  channels: System['channels'];
  /** The services that the user can choose. */
  serviceUrls: readonly string[];
  seen: (what: string) => void;
  /** Something that must not happen, such as an error of the app itself. */
  wrong: (words: string) => void;
}

/** The computer with all that outlives the app: stores, settings, keychain. It starts, ends and crashes the app. */
export class Machine {
  app: RunningApp | null = null;
  /** True time of the app's last start. */
  startedMs = 0;
  starts = 0;
  /** True time of its last crash. */
  crashedMs = -Infinity;
  /** When it crashed last with a disk that was full, or had been until lately: what that refused is lost. */
  crashedFullMs = -Infinity;
  #refusedUntilMs = -Infinity;
  writes = 0;
  /** Calls of the window that have not been answered, with when they were made (`awakeMs`). */
  readonly openCalls = new Map<number, { channel: string; atMs: number }>();
  readonly nodeStore = openMemoryDatabase();
  readonly chainStores = new Map<string, SqlDatabase>();
  /** How long each call of a store takes. */
  storeTakesMs = { nodes: 0, services: 0 };
  isDiskFull = false;
  /** The service whose store cannot be opened, but at a start. */
  unopenable: string | null = null;
  crashAfterWrites: number | null = null;
  /** The polls that were stored: when, in true time, and with which time. */
  readonly recorded = new Map<string, { atMs: number; stampMs: number }[]>();
  /** Processor time of stores and window since the last step began, which is not the main process's. */
  elsewhereMs = 0;
  #settings: Settings;
  #busy = 0;
  #calls = 0;
  #kill: () => void = () => undefined;
  #close: (() => Promise<void>) | null = null;
  readonly keychain = createFakeKeychain();
  readonly #deps: MachineDeps;

  constructor(deps: MachineDeps) {
    this.#deps = deps;
    const { keepDays, failAfter, recoverAfter, checkMinutes } = deps.history.settings;
    this.#settings = {
      ...defaultSettings,
      service: this.profile(0),
      activityCheckMinutes: checkMinutes,
      health: { keepDays, keepMegabytesPerNode: 150, failAfter, recoverAfter },
    };
  }

  profile(which: number): Settings['service'] {
    const url = this.#deps.serviceUrls[which % this.#deps.serviceUrls.length] ?? 'https://none.example';
    return { preset: 'custom', dataUrl: url, metricsUrl: url, keyHeader: 'x-service-api-key' };
  }

  /** Whether the app runs and has its services, until it begins to end. */
  get isStarted(): boolean {
    return this.#close !== null;
  }

  /** Calls of stores that are being answered, which needs no time. */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  chainStore(url: string): SqlDatabase {
    const store = this.chainStores.get(url) ?? openMemoryDatabase();
    this.chainStores.set(url, store);
    return store;
  }

  setDisk(isFull: boolean): void {
    this.isDiskFull = isFull;
    // Until the next poll of a node that is asked each 10 minutes.
    this.#refusedUntilMs = isFull ? Infinity : this.#deps.time.nowMs + 11 * minute;
    for (const store of [this.nodeStore, ...this.chainStores.values()]) {
      const pages = isFull ? store.pragma('page_count')[0]?.['page_count'] : 1_073_741_823;
      store.pragma(`max_page_count = ${Number(pages)}`);
    }
  }

  start(): void {
    const { time, network, history, seen, wrong } = this.#deps;
    this.starts += 1;
    this.startedMs = time.nowMs;
    this.crashAfterWrites = null;
    const life = { isAlive: true };
    const timers = new Set<() => void>();
    const chance = chanceOf('app', history.seed, this.starts);
    let window: AppSnapshot | null = null;
    let windowState: WindowState = 'shown';
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (event: string, cause: unknown) => {
        const isDisk = cause instanceof AppFailure && cause.error.code === 'storage';
        const mayFail = this.isDiskFull || this.unopenable !== null || this.#close === null;
        if (life.isAlive && !(isDisk && mayFail))
          wrong(`${event}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
        return 'ref';
      },
    };
    const after: System['timers']['after'] = (delayMs, task) => {
      if (!life.isAlive) return () => undefined;
      const cancel = (): void => {
        timers.delete(cancel);
        stop();
      };
      const stop = time.inside(delayMs, () => {
        timers.delete(cancel);
        if (life.isAlive) task();
      });
      timers.add(cancel);
      return cancel;
    };
    const broadcaster = new Broadcaster({ after });
    const settings = new SettingsService(
      {
        read: () => ({ settings: this.#settings, notice: null }),
        write: (value) => {
          if (this.isDiskFull) throw new Error('the disk is full');
          this.#settings = value;
        },
      },
      { ...log, error: () => 'ref' },
    );
    const gate = new Gate({ settings, clock: time.clock });
    const ports = { keychain: this.keychain, clock: time.clock };
    const proxies = new Proxies({ settings, ...ports, systemRules: async () => 'DIRECT' });
    const lines: { close(): void }[] = [];
    const decoder = new DecodesHere({
      workerUrl: new URL(import.meta.url),
      functions: readers,
      ...{ log, timers: { after } },
      fromLength: Infinity,
    });
    const system: System = {
      clock: time.clock,
      timers: { after },
      random: { fraction: () => chance.fraction(), id: () => `id-${this.starts}-${chance.from(0, 2 ** 40)}` },
      log,
      keychain: this.keychain,
      emit: (event, payload) => broadcaster.send(event, payload),
      decoder,
      writer: decoder,
      http: { send: (request) => network.sendWhile(life, gate, request) },
      openLine: (url, onLost) => {
        const line = network.openLine(gate, url, (idleMs) => {
          if (life.isAlive) onLost(idleMs);
        });
        lines.push(line);
        return line;
      },
      isOnline: () => network.isToldUp,
      files: { choose: async () => null, write: async () => undefined },
      opener: { choose: async () => null },
      openRecording: () => Promise.reject(new Error('no recordings')),
      channels: this.#deps.channels,
      metricsServer: { listen: async () => undefined, close: async () => undefined },
      updates: { source: null, obstacle: null, runningVersion: '0' },
    };
    const look = (): void => {
      if (this.app !== running || windowState === 'closed') return;
      // As before the answer of each call.
      broadcaster.catchUp();
      window = snapshot(services());
    };
    const application = startApplication(system, {
      settings,
      gate,
      proxies,
      openNodeStore: async () => this.#open(this.nodeStore, 'nodes', life),
      openChainStore: async ({ dataUrl }) => {
        if (dataUrl === this.unopenable && this.#close !== null) throw storageFailure('It is locked.');
        return this.#open(this.chainStore(dataUrl), dataUrl, life);
      },
      eachEarlierStore: async () => undefined,
      notices: () => [],
      reload: look,
    });
    const listeners = new Map<string, Parameters<InvokeHost['handle']>[1]>();
    const services = (): Services => ({
      version: '0',
      dataFolder: '',
      locale: 'en',
      diagnostics: none,
      ...known(),
    });
    let known: () => ApplicationServices = () => {
      throw new Error('not started');
    };
    registerHandlers(
      createHandlers(async () => (await application, services()), none),
      {
        host: { handle: (channel, listener) => listeners.set(channel, listener) },
        isTrustedUrl: () => true,
        ...{ log, clock: time.clock },
        sendEvents: () => broadcaster.catchUp(),
        unheard: (message) => seen(`unheard ${message}`),
      },
    );
    const page: BroadcastTarget = {
      isVisible: () => windowState === 'shown',
      send: (events) => {
        if (!life.isAlive || window === null) return;
        const startedMs = performance.now();
        window = heard(window, events);
        this.elsewhereMs += performance.now() - startedMs;
      },
    };
    broadcaster.attach(page);
    const setWindow = (to: WindowState): void => {
      const before = windowState;
      windowState = to;
      if (to === 'closed') {
        broadcaster.detach();
        window = null;
      } else if (before === 'closed') {
        broadcaster.attach(page);
        if (this.#close !== null) look();
      } else broadcaster.catchUp();
    };
    const running: RunningApp = {
      invoke: async (channel, args) => {
        // An app that has ended answers nothing.
        if (this.app !== running) return await new Promise(() => undefined);
        const number = (this.#calls += 1);
        this.openCalls.set(number, { channel, atMs: time.awakeMs });
        const result = await listeners.get(callChannel(channel))?.(
          { senderFrame: { url: '', parent: null }, sender: { isDestroyed: () => window === null } },
          args,
        );
        this.openCalls.delete(number);
        // The handler of this channel has made it.
        const answer = result as Result<ResultOf<typeof channel>>;
        seen(`${channel} ${answer.ok ? 'ok' : JSON.stringify(answer)}`);
        return answer;
      },
      services: () => known(),
      suspend: () => undefined,
      resume: () => undefined,
      window: () => window,
      setWindow,
      isShown: () => windowState === 'shown',
      timerCount: () => timers.size,
    };
    this.app = running;
    seen('started');
    this.#kill = () => {
      life.isAlive = false;
      for (const cancel of [...timers]) cancel();
      for (const line of lines) line.close();
      this.openCalls.clear();
      this.#close = null;
      if (this.app === running) this.app = null;
    };
    application.then(
      (started) => {
        if (!life.isAlive) return;
        known = started.services;
        running.suspend = started.suspend;
        running.resume = started.resume;
        this.#close = started.close;
        look();
      },
      (cause: unknown) => wrong(`The app did not start: ${String(cause)}`),
    );
  }

  /** The app ends at once, whatever it was doing. */
  crash(): void {
    this.#deps.seen('crashed');
    this.crashedMs = this.#deps.time.nowMs;
    if (this.crashedMs < this.#refusedUntilMs) this.crashedFullMs = this.crashedMs;
    this.#kill();
  }

  /** The user quits. Resolves when the app has ended; what it left behind is told to `wrong`. */
  async quit(): Promise<void> {
    const { app } = this;
    if (this.#close === null || app === null) return;
    const number = (this.#calls += 1);
    this.openCalls.set(number, { channel: 'quit', atMs: this.#deps.time.awakeMs });
    await this.#close();
    if (this.app !== app) return;
    this.openCalls.delete(number);
    this.#deps.seen('quit');
    this.#kill();
  }

  #noteRecorded({ nodeId, polledAtMs: stampMs }: StoredPoll): void {
    const polls = this.recorded.get(nodeId) ?? [];
    polls.push({ atMs: this.#deps.time.nowMs, stampMs });
    this.recorded.set(nodeId, polls);
  }

  #open(database: SqlDatabase, name: string, life: { isAlive: boolean }): OpenedStore {
    const stores = storesOver(database);
    const { time, seen } = this.#deps;
    let last = Promise.resolve();
    let isClosed = false;
    let changes = changesOf(database);
    const ports = portsOver((given) => {
      const call = structuredClone(given);
      if (isClosed) return Promise.reject(storageFailure('The store is closed.'));
      const answer = new Promise((resolve, reject) => {
        const run = async (): Promise<void> => {
          if (!life.isAlive) return;
          this.#busy += 1;
          const startedMs = performance.now();
          try {
            const value = structuredClone(await callStore(stores, call));
            this.elsewhereMs += performance.now() - startedMs;
            const before = changes;
            changes = changesOf(database);
            if (changes !== before) {
              this.writes += 1;
              seen(`${name} ${call.store}.${call.method}`);
              if (call.method === 'recordPoll') {
                // The argument of this method.
                this.#noteRecorded(call.args[0] as StoredPoll);
              }
              if (this.crashAfterWrites !== null && --this.crashAfterWrites < 0) return this.crash();
            }
            resolve(value);
          } catch (cause) {
            changes = changesOf(database);
            this.elsewhereMs += performance.now() - startedMs;
            reject(storageFailure(wordsFor(cause)));
          } finally {
            this.#busy -= 1;
          }
        };
        // One at a time, as in the storage thread.
        last = last.then(
          () =>
            new Promise<void>(
              (done) =>
                void time.inside(
                  this.storeTakesMs[name === 'nodes' ? 'nodes' : 'services'],
                  () => void run().then(done),
                ),
            ),
        );
      });
      return answer;
    });
    return {
      ...ports,
      status: { state: 'ready', notKept: false, notices: [] },
      onStatus: () => () => undefined,
      backup: async () => undefined,
      close: async () => {
        await last;
        isClosed = true;
      },
    };
  }
}

/** What nothing in the world uses. */
const none = null as never;
