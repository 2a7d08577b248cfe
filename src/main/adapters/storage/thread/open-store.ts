/**
 * The thread that all SQL runs in, seen from the app: opened, called, restarted, backed up and closed; a thread more for each
 * recording. Puts the other rooms of storage together.
 */
import type { Clock, Log, Timers } from '../../../core/ports.ts';
import type { StorageStatus } from '../../../../shared/ipc/answers.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { lostNotice, refused, written, type LostWrites } from './lost-writes.ts';
import type { FailureReply, OpenedReply } from './protocol.ts';
import { StorageThread, storageFailure } from './storage-thread.ts';
import { portsOver, type StoreCall, type StorePorts } from '../store-ports.ts';

export interface OpenStoreOptions {
  /** Made when it is missing. Holds `store.sqlite`, its backup, and what had to be set aside. */
  directory: string;
  /** The built `worker.ts`, or that file itself where the runtime reads TypeScript. */
  workerUrl: URL;
  clock: Clock;
  timers: Timers;
  log: Log;
  /** Which drivers to try, in order; both by default. */
  drivers?: readonly DriverName[];
  /** How long another owner of the store is waited for; 5 s by default. */
  busyTimeoutMs?: number;
  /** Up to which size the whole store is checked at every start; 256 MiB by default. */
  thoroughUpToBytes?: number;
}

export interface OpenedStore extends StorePorts {
  /** `memory`: nothing is kept; the notices say why. `failed`: every call is rejected. */
  readonly status: StorageStatus;
  /** The status has changed. Returns the function that ends the listening. */
  onStatus(listener: (status: StorageStatus) => void): () => void;
  /** Replaces the backup by a copy of the store as it is now. Rejects with code `storage`, the old backup untouched. */
  backup(): Promise<void>;
  /** Everything acknowledged is in the store when this resolves; calls made later are rejected. */
  close(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
/** The first minute belongs to the user. */
const firstBackupAfterMs = 60_000;
const mostRestartsAnHour = 3;
const hourMs = 60 * 60 * 1000;
const nothingKept = 'Nothing can be stored until the app is started again.';
/** Failures after which what was to be written is gone. */
const refusals: ReadonlySet<FailureReply['failure']> = new Set(['disk-full', 'unwritable', 'io']);

/**
 * Opens the store of the app; never rejects. A store that cannot be used is set aside for its backup or an empty one (`ladder.ts`), and the
 * notices of `status` tell the user. A backup is made once a day.
 */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const store = new Store(options);
  await store.opened;
  return Object.assign(store, store.ports);
}

class Store implements Omit<OpenedStore, keyof StorePorts> {
  readonly opened: Promise<void>;
  // Through the field of the thread, because one that was lost is replaced.
  readonly ports = portsOver((call) => this.#call(call));
  readonly #options: OpenStoreOptions;
  readonly #listeners = new Set<(status: StorageStatus) => void>();
  /** Null when there is none: then nothing works any more. */
  #thread: StorageThread | null;
  /** Moments of the last restarts, by the clock that never goes back. */
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
    this.#thread = this.#startThread('store');
    this.opened = this.#thread.opened
      .catch((cause: unknown) => {
        options.log.error('storage.no-thread', cause);
        return this.#openInMemory(messageOf(cause));
      })
      .then(
        (opened) => this.#onOpened(opened, []),
        (cause: unknown) => {
          options.log.error('storage.no-thread', cause);
          this.#fail(
            `The local store cannot be used: ${messageOf(cause)} Nothing can be shown or kept until the app is started again without this trouble.`,
          );
        },
      );
  }

  /** The thread has not come as far as to choose memory by itself, but may without the files. */
  async #openInMemory(reason: string): Promise<OpenedReply> {
    this.#thread = this.#startThread('memory');
    const opened = await this.#thread.opened;
    const notice = `The local store cannot be used: ${reason} Everything new is kept in memory only and is lost when the app closes.`;
    return { ...opened, notices: [notice] };
  }

  get status(): StorageStatus {
    const lostWrites = this.#lost === null ? null : lostNotice(this.#lost);
    const added = [this.#damageNotice, lostWrites, this.#backupNotice].filter((notice) => notice !== null);
    return { state: this.#state, notices: [...this.#openNotices, ...added] };
  }

  onStatus(listener: (status: StorageStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
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
    // A backup under way is left alone: what it has written counts only when it is whole.
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
      drivers: options.drivers ?? (['node:sqlite', 'libsql'] as const),
      busyTimeoutMs: options.busyTimeoutMs ?? 5_000,
      thoroughUpToBytes: options.thoroughUpToBytes ?? 256 * 1024 * 1024,
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
    this.#damageNotice = `${failure.message} It will be checked when the app starts next time, and set aside if need be.`;
    this.#tell();
  }

  /** Tells only what is new. */
  #setLost(lost: LostWrites | null): void {
    const before = this.#lost === null ? null : lostNotice(this.#lost);
    this.#lost = lost;
    if (lost !== null && lostNotice(lost) !== before) this.#tell();
  }

  #restart(reason: string): void {
    this.#options.log.error('storage.thread-lost', new Error(reason));
    if (this.#isClosed) return;
    this.#cancelBackup?.();
    const what = `The storage thread stopped unexpectedly: ${reason}.`;
    if (this.#state === 'memory') {
      this.#fail(`${what} What was kept in memory only is lost. ${nothingKept}`);
      return;
    }
    const timeMs = this.#options.clock.monotonicMs();
    const lately = this.#restartsMs.filter((ms) => timeMs - ms < hourMs);
    this.#restartsMs = [...lately, timeMs];
    if (lately.length >= mostRestartsAnHour) {
      this.#fail(`${what} It is not started again. ${nothingKept}`);
      return;
    }
    const thread = this.#startThread('store');
    this.#thread = thread;
    thread.opened.then(
      (opened) => {
        // What the app has at hand is not in an empty store, so writing would fail there.
        if (opened.state === 'memory') this.#fail([what, ...opened.notices, nothingKept].join(' '));
        else this.#onOpened(opened, [`${what} It was started again; its last writes may be missing.`]);
      },
      (cause: unknown) =>
        this.#fail(`${what} It could not be started again: ${messageOf(cause)} ${nothingKept}`),
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
    const { clock, timers } = this.#options;
    const ageMs = lastAtMs === null ? dayMs : clock.nowMs() - lastAtMs;
    // A backup from the future was made before the clock was set back: its age is not known.
    const dueInMs = ageMs < 0 ? 0 : dayMs - ageMs;
    this.#cancelBackup = timers.after(Math.max(dueInMs, firstBackupAfterMs), () => {
      this.#scheduleBackup(clock.nowMs());
      // Its failure is told by the status.
      this.backup().catch(() => undefined);
    });
  }

  async #makeBackup(): Promise<void> {
    try {
      // It ends once it has made the backup.
      const thread = this.#startThread('backup', () => undefined);
      const { notices } = await thread.opened;
      thread.end();
      this.#backupNotice = notices[0] ?? null;
    } catch (cause) {
      this.#options.log.error('storage.backup', cause);
      this.#backupNotice = `No backup of the local store could be made: ${messageOf(cause)}`;
      throw cause;
    } finally {
      this.#backup = null;
      this.#tell();
    }
  }
}

/** As a sentence. */
function messageOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.endsWith('.') ? message : `${message}.`;
}
