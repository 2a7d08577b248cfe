import { AppFailure, refuse } from '../../../../shared/errors.ts';
import type { RecordingTask } from '../../../../shared/health/types.ts';
import type { Clock, Emit } from '../../ports.ts';

/** Shortest time between two progress events to the window. */
const tellEveryMs = 200;

/** The recording being written or read, if any: its progress, and a way to cancel it. */
export class RecordingTasks {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #emit: Emit;
  #task: RecordingTask | null = null;
  #abort = new AbortController();
  #toldMs = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>, emit: Emit) {
    this.#clock = clock;
    this.#emit = emit;
  }

  /** Null while nothing is being written or read. */
  get current(): RecordingTask | null {
    return this.#task;
  }

  /** Cancels the current task; it leaves nothing behind. */
  cancel(): void {
    this.#abort.abort(
      new AppFailure({ code: 'cancelled', message: 'The recording was cancelled. Nothing was kept.' }),
    );
  }

  /** Runs the work unless another task is under way. When cancelled, `signal` aborts with the error to throw. */
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

  /** Reports progress: polls done, and their share of all. Throws when the task was cancelled. */
  step(polls: number, share: number): void {
    this.#abort.signal.throwIfAborted();
    if (this.#task === null) return;
    this.#task = { ...this.#task, polls, share: Math.min(1, Math.max(0, share)) };
    if (this.#clock.monotonicMs() - this.#toldMs >= tellEveryMs) this.#set(this.#task);
  }

  #set(task: RecordingTask | null): void {
    this.#task = task;
    this.#toldMs = this.#clock.monotonicMs();
    this.#emit('recordingTask.changed', task);
  }
}
