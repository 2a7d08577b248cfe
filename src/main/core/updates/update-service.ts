import type { UpdateObstacle, UpdateState, UpdateStatus } from '../../../shared/updates.ts';
import type { Ports, Updater } from '../ports.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import { updateError } from './update-error.ts';
import { newerVersion } from './update-place.ts';
import { nextUpdateState, type UpdateEvent } from './update-state.ts';

export interface UpdateServiceDeps extends Pick<Ports, 'emit' | 'clock' | 'timers' | 'log'> {
  settings: SettingsService;
  /** Whom to ask; null if the build knows no place, and then nothing is ever asked. */
  source: { host: string; updater: Updater } | null;
  obstacle: UpdateObstacle | null;
  runningVersion: string;
}

const askAgainMs = 86_400_000;
/** After a question that reached nobody: a laptop wakes before its network does. */
const afterFailureMs = 600_000;
const reachedNobody: readonly string[] = ['unreachable', 'timeout', 'proxy'];
/** What takes longer, without any progress, is given up. */
const limits = {
  question: { ms: 60_000, words: (host: string) => `${host} didn’t respond in time.` },
  download: {
    ms: 300_000,
    words: (host: string) => `${host} sent nothing for 5 minutes, so the app stopped the download.`,
  },
};

/** Asks for newer versions of the app, and downloads and installs them, as the user's setting says. */
export class UpdateService {
  readonly #deps: UpdateServiceDeps;
  #state: UpdateState = { at: 'idle' };
  #isStarted = false;
  /** The question or download under way. */
  #work: AbortController | null = null;
  #cancelPlan: (() => void) | null = null;
  #askedAtMs = 0;

  constructor(deps: UpdateServiceDeps) {
    this.#deps = deps;
    deps.settings.onChange(({ settings, previous }) => {
      if (settings.updates !== previous.updates) this.#follow();
    });
  }

  status(): UpdateStatus {
    const { source, obstacle } = this.#deps;
    return { host: source?.host ?? null, obstacle, state: this.#state };
  }

  /** Begins to follow the setting; called when the window is there. */
  start(): void {
    this.#isStarted = true;
    this.#follow();
  }

  /** Called after sleep, in which no timer goes on. */
  resume(): void {
    const passedMs = Math.abs(this.#deps.clock.nowMs() - this.#askedAtMs);
    if (this.#isStarted && passedMs >= askAgainMs) void this.ask();
  }

  /** Resolves when the answer is there, or the question has failed: the state says which. */
  async ask(): Promise<void> {
    const { settings, source, obstacle, clock, runningVersion } = this.#deps;
    if (source === null || settings.current().updates === 'off') return;
    // Also when this question falls into a download.
    this.#askedAtMs = clock.nowMs();
    this.#plan(askAgainMs);
    if (!this.#apply({ kind: 'ask' })) return;
    await this.#run(source.host, limits.question, async (signal) => {
      const version = newerVersion(await source.updater.ask(signal), runningVersion);
      return { kind: 'answered', version, atMs: clock.nowMs() };
    });
    if (settings.current().updates === 'automatic' && obstacle === null) this.download();
  }

  download(): void {
    const { source, obstacle } = this.#deps;
    if (source === null || obstacle !== null || !this.#apply({ kind: 'download' })) return;
    void this.#run(source.host, limits.download, async (signal, wait) => {
      await source.updater.download((percent) => {
        if (signal.aborted) return;
        wait();
        const isShare = typeof percent === 'number' && percent >= 0 && percent <= 100;
        this.#apply({ kind: 'progressed', share: isShare ? percent / 100 : null });
      }, signal);
      return { kind: 'downloaded' };
    });
  }

  cancelDownload(): void {
    if (this.#state.at === 'downloading') this.#stop({ kind: 'cancel' });
  }

  /** Called when the app has closed everything and is about to end. */
  installAtEnd(): void {
    const { source, log } = this.#deps;
    if (this.#state.at !== 'ready' || source === null) return;
    log.info('updates.installing', { version: this.#state.version });
    try {
      source.updater.install();
    } catch (cause) {
      // This version stays, and offers the next one again when it is started.
      log.warn('updates.not-installed', { code: updateError(cause, source.host, log).code });
    }
  }

  #plan(delayMs: number): void {
    this.#cancelPlan?.();
    this.#cancelPlan = this.#deps.timers.after(delayMs, () => void this.ask());
  }

  #follow(): void {
    if (this.#deps.settings.current().updates === 'off') {
      this.#cancelPlan?.();
      this.#stop({ kind: 'off' });
    } else if (this.#isStarted) void this.ask();
  }

  /** What the task says after it was stopped is not heard. Its limit begins again each time that it calls `wait`. */
  async #run(
    host: string,
    { ms, words }: (typeof limits)['question'],
    task: (signal: AbortSignal, wait: () => void) => Promise<UpdateEvent>,
  ): Promise<void> {
    const work = new AbortController();
    this.#work = work;
    const giveUp = (): void => {
      if (this.#work !== work) return;
      this.#stop({ kind: 'failed', error: { code: 'timeout', message: words(host) } });
    };
    let cancelLimit = this.#deps.timers.after(ms, giveUp);
    const wait = (): void => {
      cancelLimit();
      cancelLimit = this.#deps.timers.after(ms, giveUp);
    };
    const event = await task(work.signal, wait).catch((cause: unknown): UpdateEvent => {
      return { kind: 'failed', error: updateError(cause, host, this.#deps.log) };
    });
    cancelLimit();
    if (this.#work === work) this.#apply(event);
  }

  #stop(event: UpdateEvent): void {
    this.#work?.abort();
    this.#work = null;
    this.#apply(event);
  }

  /** Whether the event had a place in the state. */
  #apply(event: UpdateEvent): boolean {
    const before = this.#state;
    this.#state = nextUpdateState(before, event);
    if (this.#state === before) return false;
    if (event.kind === 'failed') {
      this.#deps.log.warn('updates.failed', { code: event.error.code });
      if (before.at === 'asking' && reachedNobody.includes(event.error.code)) {
        this.#plan(afterFailureMs);
        this.#askedAtMs = 0;
      }
    }
    this.#deps.emit('updates.changed', this.status());
    return true;
  }
}
