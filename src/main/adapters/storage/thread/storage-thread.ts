import { Worker } from 'node:worker_threads';
import { AppFailure, type AppError, messageOf } from '../../../../shared/errors.ts';
import type { FailureReply, OpenedReply, WorkerData, WorkerReply, WorkerRequest } from './protocol.ts';
import { wordsFor } from '../sqlite/sql.ts';
import type { StoreCall } from '../store-ports.ts';

export interface StorageThreadEvents {
  /** Progress of reading a recording. */
  onStep?(polls: number, share: number): void;
  /** A call failed; its caller already has the error. */
  onFailure(failure: FailureReply & { method: string }): void;
  /** A call has changed something in the store. */
  onWritten?(): void;
  /** The thread ended unexpectedly after opening the store. Pending calls have been rejected. */
  onLost(reason: string): void;
}

/** Memory limit for reading an untrusted file; beyond it only the thread ends. */
const recordingHeapMb = 512;

/** The app's side of a thread that owns a database. A failed call rejects with an `AppFailure` of code `storage`. */
export class StorageThread {
  /** Rejects when the thread cannot start; it has ended then. */
  readonly opened: Promise<OpenedReply>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  /** Why no more calls are accepted; null while they are. */
  #closedBecause: string | null = null;

  constructor(workerUrl: URL, data: WorkerData, events: StorageThreadEvents) {
    const worker = new Worker(workerUrl, {
      workerData: data,
      name: data.role === 'backup' ? 'storage-backup' : 'storage',
      ...(data.role === 'recording' ? { resourceLimits: { maxOldGenerationSizeMb: recordingHeapMb } } : {}),
    });
    this.#worker = worker;
    const opening = Promise.withResolvers<OpenedReply>();
    this.opened = opening.promise;
    let isOpen = false;
    let endedBecause = 'it ended by itself';
    let refusal: AppError | null = null;
    // Only worker.ts sends messages, and it is compiled from the same protocol.
    worker.on('message', (message: WorkerReply) => {
      switch (message.kind) {
        case 'opened':
          isOpen = true;
          opening.resolve(message);
          break;
        case 'value':
          this.#take(message.id)?.resolve(message.value);
          if (message.hasWritten) events.onWritten?.();
          break;
        case 'failure':
          this.#take(message.id)?.reject(storageFailure(message.message));
          events.onFailure(message);
          break;
        case 'step':
          events.onStep?.(message.polls, message.share);
          break;
        case 'ended':
          refusal = message.error;
          break;
      }
    });
    worker.on('error', (cause) => {
      endedBecause = messageOf(cause);
    });
    worker.on('exit', () => {
      const wasClosing = this.#closedBecause !== null;
      this.#closedBecause ??= `The local store has stopped: ${endedBecause}.`;
      opening.reject(refusal === null ? storageFailure(endedBecause) : new AppFailure(refusal));
      for (const waiting of this.#waiting.values()) {
        const words = `The local store stopped before this was stored or read: ${endedBecause}.`;
        waiting.reject(storageFailure(words));
      }
      this.#waiting.clear();
      if (isOpen && !wasClosing) events.onLost(endedBecause);
    });
  }

  /** Resolves with the result of the store's method. Calls are executed in the order in which they are made. */
  call(call: StoreCall): Promise<unknown> {
    return this.#send((id) => ({ id, ...call }));
  }

  /** Terminates the thread at once. */
  end(): void {
    this.#closedBecause ??= 'The local store is closed.';
    void this.#worker.terminate();
  }

  /** Closes the store and ends the thread, after all earlier calls. */
  async close(): Promise<void> {
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    const closing = this.#send((id) => ({ id, close: true }));
    this.#closedBecause ??= 'The local store is closed.';
    await closing;
    await exited;
  }

  #send(toRequest: (id: number) => WorkerRequest): Promise<unknown> {
    if (this.#closedBecause !== null) return Promise.reject(storageFailure(this.#closedBecause));
    this.#lastId += 1;
    const id = this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    try {
      this.#worker.postMessage(toRequest(id));
      this.#waiting.set(id, waiting);
    } catch (cause) {
      waiting.reject(storageFailure(wordsFor(cause)));
    }
    return waiting.promise;
  }

  #take(id: number): PromiseWithResolvers<unknown> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

export function storageFailure(message: string): AppFailure {
  return new AppFailure({ code: 'storage', message });
}
