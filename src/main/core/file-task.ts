import { AppFailure, refuse } from '../../shared/errors.ts';
import type { FileTask } from '../../shared/file-task.ts';

/** The file that is being written or read, if any: how far it is, and a way to cancel it. One at a time. */
export class FileTasks {
  readonly #tell: (task: FileTask | null) => void;
  #task: FileTask | null = null;
  #abort = new AbortController();

  constructor(tell: (task: FileTask | null) => void) {
    this.#tell = tell;
  }

  /** Null while nothing is being written or read. */
  get current(): FileTask | null {
    return this.#task;
  }

  /** Cancels the current task; it leaves nothing behind. */
  cancel(): void {
    this.#abort.abort(new AppFailure({ code: 'cancelled', message: 'Cancelled. Nothing was kept.' }));
  }

  /** Runs the work unless another task is under way. When cancelled, `signal` aborts with the error to throw. */
  async during<T>(kind: FileTask['kind'], work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#task !== null) refuse('Another file is still being written or read.', 'kind');
    this.#abort = new AbortController();
    this.#set({ kind, done: 0, share: 0 });
    try {
      return await work(this.#abort.signal);
    } finally {
      this.#set(null);
    }
  }

  /** Reports progress: what is done, and its share of all. Throws when the task was cancelled. */
  step(done: number, share: number): void {
    this.#abort.signal.throwIfAborted();
    if (this.#task !== null) this.#set({ ...this.#task, done, share: Math.min(1, Math.max(0, share)) });
  }

  #set(task: FileTask | null): void {
    this.#task = task;
    this.#tell(task);
  }
}
