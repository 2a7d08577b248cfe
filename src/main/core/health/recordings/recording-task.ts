import { AppFailure, refuse } from '../../../../shared/errors.ts';
import type { RecordingTask } from '../../../../shared/health/types.ts';
import { createListeners } from '../../listeners.ts';
import type { Clock } from '../../ports.ts';

/** The window is told no more often than this. */
const tellEveryMs = 200;

/** The recording that is being written or read, if any: how far it is, and the way to call it off. */
export class RecordingTasks {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #changes = createListeners<RecordingTask | null>();
  #task: RecordingTask | null = null;
  #abort = new AbortController();
  #toldMs = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Null while none is under way. */
  get current(): RecordingTask | null {
    return this.#task;
  }

  /** Returns the function that ends the listening. */
  onChange(listener: (task: RecordingTask | null) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Ends what is under way; nothing of it is left behind. */
  cancel(): void {
    this.#abort.abort(
      new AppFailure({ code: 'cancelled', message: 'The recording was called off; nothing was kept.' }),
    );
  }

  /** Does the work unless another one is under way; ends with it. The reason of `signal` is that it was called off. */
  async during<T>(kind: RecordingTask['kind'], work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#task !== null) refuse('Another recording is being written or read.', 'kind');
    this.#abort = new AbortController();
    this.#set({ kind, polls: 0, share: 0 });
    try {
      return await work(this.#abort.signal);
    } finally {
      this.#set(null);
    }
  }

  /** So many polls are done, and with them this share of all. Throws when it was called off. */
  step(polls: number, share: number): void {
    this.#abort.signal.throwIfAborted();
    if (this.#task === null) return;
    this.#task = { ...this.#task, polls, share: Math.min(1, Math.max(0, share)) };
    if (this.#clock.monotonicMs() - this.#toldMs >= tellEveryMs) this.#set(this.#task);
  }

  #set(task: RecordingTask | null): void {
    this.#task = task;
    this.#toldMs = this.#clock.monotonicMs();
    this.#changes.emit(task);
  }
}
