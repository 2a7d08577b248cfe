import { AppFailure, err, type Result } from '../../../shared/errors.ts';
import type { RecordingTask } from '../../../shared/health/types.ts';
import { createListeners } from '../listeners.ts';
import type { Clock } from '../ports.ts';

/** The window is told no more often than this. */
const tellEveryMs = 200;

/** The recording that is being written or read, if any: how far it is, and the way to call it off. */
export class RecordingTasks {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #changes = createListeners<RecordingTask | null>();
  #task: RecordingTask | null = null;
  #isCancelled = false;
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

  /** Ends what is under way at its next step; nothing of it is left behind. */
  cancel(): void {
    this.#isCancelled = this.#task !== null;
  }

  /** Does the work unless another one is under way; ends with it. */
  async during<T>(kind: RecordingTask['kind'], work: () => Promise<Result<T>>): Promise<Result<T>> {
    if (this.#task !== null) {
      const message = 'Another recording is being written or read.';
      return err({ code: 'invalid-params', message, issues: [message] });
    }
    this.#isCancelled = false;
    this.#set({ kind, polls: 0, share: 0 });
    try {
      return await work();
    } finally {
      this.#set(null);
    }
  }

  /** Throws `cancelled` when it was called off. */
  goOn(): void {
    if (!this.#isCancelled) return;
    throw new AppFailure({ code: 'cancelled', message: 'The recording was called off; nothing was kept.' });
  }

  /** One more poll is done, and with it this share of all. Throws as `goOn` does. */
  step(share: number): void {
    this.goOn();
    if (this.#task === null) return;
    this.#task = { ...this.#task, polls: this.#task.polls + 1, share: Math.min(1, Math.max(0, share)) };
    if (this.#clock.monotonicMs() - this.#toldMs >= tellEveryMs) this.#set(this.#task);
  }

  #set(task: RecordingTask | null): void {
    this.#task = task;
    this.#toldMs = this.#clock.monotonicMs();
    this.#changes.emit(task);
  }
}
