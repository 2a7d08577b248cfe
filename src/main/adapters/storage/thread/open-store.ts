/**
 * The app's side of the storage thread, which runs all SQL: opens, calls, restarts, backs up and closes it; each
 * recording has a thread of its own. Combines the other rooms of storage.
 */
import { dayMs, hourMs } from '../../../../shared/time.ts';
import type { Clock, Log, Timers } from '../../../core/ports.ts';
import type { StorageStatus } from '../../../../shared/ipc/answers.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { lostNotice, refused, written, type LostWrites } from './lost-writes.ts';
import type { FailureReply, OpenedReply } from './protocol.ts';
import { StorageThread, storageFailure } from './storage-thread.ts';
import { portsOver, type StoreCall, type StorePorts } from '../store-ports.ts';
import { messageOf } from '../../../../shared/errors.ts';

export interface OpenStoreOptions {
  /** Created if missing. Holds `store.sqlite`, its backup, and damaged files that were set aside. */
  directory: string;
  /** The built `worker.ts`, or that file itself where the runtime can execute TypeScript. */
  workerUrl: URL;
  clock: Clock;
  timers: Timers;
  log: Log;
  /** Which drivers to try, in order; both by default. */
  drivers?: readonly DriverName[];
  /** How long to wait for another owner of the store; 5 s by default. */
  busyTimeoutMs?: number;
  /** Largest store that is checked completely at every start, which takes 1 ms a MiB or more; 64 MiB by default. */
  thoroughUpToBytes?: number;
  /** Why what is stored cannot be used, as a sentence: the files stay as they are, and this store is one in memory. */
  unusable?: string;
}

export interface OpenedStore extends StorePorts {
  /** `memory`: nothing is stored on disk; the notices say why. `failed`: every call is rejected. */
  readonly status: StorageStatus;
  /** Calls the listener when the status has changed. Returns the function that removes it. */
  onStatus(listener: (status: StorageStatus) => void): () => void;
  /** Replaces the backup by a copy of the current store. Rejects with `storage` and leaves the old backup untouched. */
  backup(): Promise<void>;
  /** Resolves when everything acknowledged is in the store; later calls are rejected. */
  close(): Promise<void>;
}

/** No backup in the first minute, while the app starts. */
const firstBackupAfterMs = 60_000;
const mostRestartsAnHour = 3;
const nothingKept = 'Nothing is stored until you restart the app.';
/** Failures of the disk, by which a write is lost. */
const refusals: ReadonlySet<FailureReply['failure']> = new Set(['disk-full', 'unwritable', 'io']);

/**
 * Opens the store of the app; never rejects. An unusable store is set aside for its backup or an empty one
 * (`ladder.ts`), and the notices of `status` tell the user. Makes a backup once a day.
 */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const store = new Store(options);
  await store.opened;
  return Object.assign(store, store.ports);
}

class Store implements Omit<OpenedStore, keyof StorePorts> {
  readonly opened: Promise<void>;
  // Uses the field, because a lost thread is replaced.
  readonly ports = portsOver((call) => this.#call(call));
  readonly #options: OpenStoreOptions;
  readonly #listeners = new Set<(status: StorageStatus) => void>();
  /** Null if no thread could be started: all calls are then rejected. */
  #thread: StorageThread | null = null;
  /** Times of recent restarts, by the monotonic clock. */
  #restartsMs: number[] = [];
  #state: StorageStatus['state'] = 'opening';
  #openNotices: string[] = [];
  #damageNotice: string | null = null;
  #lost: LostWrites | null = null;
  #backupNotice: string | null = null;
  #backup: Promise<void> | null = null;
  #cancelBackup: (() => void) | null = null;
  #isClosed = false;

  constructor(options: OpenStoreOptions) {
    this.#options = options;
    this.opened = this.#open(options.unusable).then(
      (opened) => this.#onOpened(opened, []),
      (cause: unknown) => {
        options.log.error('storage.no-thread', cause);
        this.#fail(
          `${cannotBeUsed(cause)} Nothing can be shown or stored until you fix this and restart the app.`,
        );
      },
    );
  }

  async #open(unusable: string | undefined): Promise<OpenedReply> {
    if (unusable !== undefined) return await this.#openInMemory(unusable);
    this.#thread = this.#startThread('store');
    try {
      return await this.#thread.opened;
    } catch (cause) {
      // It failed before it could fall back to memory itself; without the files it may work.
      this.#options.log.error('storage.no-thread', cause);
      return await this.#openInMemory(cannotBeUsed(cause));
    }
  }

  async #openInMemory(why: string): Promise<OpenedReply> {
    this.#thread = this.#startThread('memory');
    const opened = await this.#thread.opened;
    const notice = `${why} New data is kept in memory only and will be lost when the app closes.`;
    return { ...opened, notices: [notice] };
  }

  get status(): StorageStatus {
    const lostWrites = this.#lost === null ? null : lostNotice(this.#lost);
    const added = [this.#damageNotice, lostWrites, this.#backupNotice].filter((notice) => notice !== null);
    return {
      state: this.#state,
      notKept: this.#lost?.untilMs === null,
      notices: [...this.#openNotices, ...added],
    };
  }

  onStatus(listener: (status: StorageStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  backup(): Promise<void> {
    if (this.#isClosed || this.#state !== 'ready') {
      return Promise.reject(storageFailure('There is no local store to make a backup of.'));
    }
    this.#backup ??= this.#makeBackup();
    return this.#backup;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelBackup?.();
    // A backup under way may simply be cut off: it takes effect only once it is complete.
    await this.#thread?.close();
  }

  #call(call: StoreCall): Promise<unknown> {
    return this.#thread?.call(call) ?? Promise.reject(storageFailure(this.#openNotices.join(' ')));
  }

  #startThread(
    role: 'store' | 'memory' | 'backup',
    onLost = (reason: string) => this.#restart(reason),
  ): StorageThread {
    const { workerUrl, directory, clock, ...options } = this.#options;
    const data = {
      role,
      directory,
      nowMs: clock.nowMs(),
      drivers: options.drivers,
      busyTimeoutMs: options.busyTimeoutMs ?? 5_000,
      thoroughUpToBytes: options.thoroughUpToBytes ?? 64 * 1024 * 1024,
    };
    return new StorageThread(workerUrl, data, {
      onFailure: (failure) => this.#onFailure(failure),
      onWritten: () => this.#setLost(written(this.#lost, clock.nowMs())),
      onLost,
    });
  }

  #onOpened(opened: OpenedReply, notices: string[]): void {
    this.#state = opened.state;
    this.#openNotices = [...notices, ...opened.notices];
    if (opened.state === 'ready') this.#scheduleBackup(opened.backupAtMs);
    this.#tell();
  }

  #onFailure(failure: FailureReply & { method: string }): void {
    const { clock, log } = this.#options;
    if (failure.stack !== null) log.error('storage.defect', new Error(failure.stack));
    else log.warn('storage.refused', { method: failure.method, failure: failure.failure });
    if (refusals.has(failure.failure)) {
      const isPoll = failure.method === 'recordPoll';
      this.#setLost(refused(this.#lost, { words: failure.message, isPoll, nowMs: clock.nowMs() }));
    }
    if (failure.failure !== 'corrupt') return;
    this.#damageNotice = failure.message;
    this.#tell();
  }

  /** Publishes only real changes. */
  #setLost(lost: LostWrites | null): void {
    const before = this.#lost === null ? null : lostNotice(this.#lost);
    this.#lost = lost;
    if (lost !== null && lostNotice(lost) !== before) this.#tell();
  }

  #restart(reason: string): void {
    this.#options.log.error('storage.thread-lost', new Error(reason));
    if (this.#isClosed) return;
    this.#cancelBackup?.();
    const what = `The local store stopped unexpectedly: ${reason}.`;
    if (this.#state === 'memory') {
      this.#fail(`${what} Data that was in memory only is lost. ${nothingKept}`);
      return;
    }
    const timeMs = this.#options.clock.monotonicMs();
    const lately = this.#restartsMs.filter((ms) => timeMs - ms < hourMs);
    this.#restartsMs = [...lately, timeMs];
    if (lately.length >= mostRestartsAnHour) {
      this.#fail(`${what} After several restarts within an hour, it is not restarted. ${nothingKept}`);
      return;
    }
    const thread = this.#startThread('store');
    this.#thread = thread;
    thread.opened.then(
      (opened) => {
        // The app's data is not in an empty store, so writes would fail there.
        if (opened.state === 'memory') this.#fail([what, ...opened.notices, nothingKept].join(' '));
        else this.#onOpened(opened, [`${what} It was restarted; the last changes may be missing.`]);
      },
      (cause: unknown) => this.#fail(`${what} It couldn’t be restarted: ${sentenceOf(cause)} ${nothingKept}`),
    );
  }

  #fail(notice: string): void {
    this.#thread?.end();
    this.#thread = null;
    this.#state = 'failed';
    this.#openNotices = [notice];
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener(this.status);
  }

  // ---- Backup --------------------------------------------------------------------------------------------------------

  #scheduleBackup(lastAtMs: number | null): void {
    this.#cancelBackup?.();
    if (this.#isClosed || this.#state !== 'ready') return;
    const { clock, timers } = this.#options;
    const ageMs = lastAtMs === null ? dayMs : clock.nowMs() - lastAtMs;
    // A backup from the future was made before the clock was set back, so its age is unknown.
    const dueInMs = ageMs < 0 ? 0 : dayMs - ageMs;
    // Timers stand still while the computer sleeps.
    const lookInMs = Math.min(Math.max(dueInMs, firstBackupAfterMs), hourMs);
    this.#cancelBackup = timers.after(lookInMs, () => {
      if (dueInMs > lookInMs) return this.#scheduleBackup(lastAtMs);
      this.#scheduleBackup(clock.nowMs());
      // The status reports its failure; until there is room, it is tried again each hour.
      this.backup().catch(() => this.#scheduleBackup(clock.nowMs() - dayMs + hourMs));
    });
  }

  async #makeBackup(): Promise<void> {
    try {
      // This thread ends once the backup is made.
      const thread = this.#startThread('backup', () => undefined);
      const { notices } = await thread.opened;
      thread.end();
      this.#backupNotice = notices[0] ?? null;
    } catch (cause) {
      this.#options.log.error('storage.backup', cause);
      this.#backupNotice = `The app couldn’t back up the local store: ${sentenceOf(cause)}`;
      throw cause;
    } finally {
      this.#backup = null;
      this.#tell();
    }
  }
}

function cannotBeUsed(cause: unknown): string {
  return `The local store can’t be used: ${sentenceOf(cause)}`;
}

function sentenceOf(cause: unknown): string {
  const message = messageOf(cause);
  return message.endsWith('.') ? message : `${message}.`;
}
