import { Worker } from 'node:worker_threads';
import { AppFailure, type AppError } from '../../../../shared/errors.ts';
import type { FailureReply, OpenedReply, WorkerData, WorkerReply, WorkerRequest } from './protocol.ts';
import { wordsFor } from '../sqlite/sql.ts';
import type { StoreCall } from '../store-ports.ts';

export interface StorageThreadEvents {
  /** So far a recording is read. */
  onStep?(polls: number, share: number): void;
  /** A call failed; its caller has been told. */
  onFailure(failure: FailureReply & { method: string }): void;
  /** A call has changed what is stored. */
  onWritten(): void;
  /** The thread ended unasked, after it had opened the store. Calls under way have been rejected. */
  onLost(reason: string): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(failure: AppFailure): void;
}

/** What a stranger's file may make a thread hold; with more the thread ends, and the app goes on. */
const recordingHeapMb = 512;

/** The app's end of the thread that owns a database. A call that fails rejects with an `AppFailure` of code `storage`. */
export class StorageThread {
  /** Rejects when the thread cannot begin: then there is no thread. */
  readonly opened: Promise<OpenedReply>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  /** Why no further call can be made; null while calls can be made. */
  #closedBecause: string | null = null;

  constructor(workerUrl: URL, data: WorkerData, events: StorageThreadEvents) {
    const worker = new Worker(workerUrl, {
      workerData: data,
      name: data.role === 'backup' ? 'storage-backup' : 'storage',
      ...(data.role === 'recording' ? { resourceLimits: { maxOldGenerationSizeMb: recordingHeapMb } } : {}),
    });
    this.#worker = worker;
    let settle: { resolve(opened: OpenedReply): void; reject(failure: AppFailure): void };
    this.opened = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    let isOpen = false;
    let endedBecause = 'it ended by itself';
    let refusal: AppError | null = null;
    // Sent by worker.ts alone, which is compiled from the same protocol.
    worker.on('message', (message: WorkerReply) => {
      switch (message.kind) {
        case 'opened':
          isOpen = true;
          settle.resolve(message);
          break;
        case 'value':
          this.#take(message.id)?.resolve(message.value);
          if (message.hasWritten) events.onWritten();
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
      endedBecause = cause instanceof Error ? cause.message : String(cause);
    });
    worker.on('exit', () => {
      const wasClosing = this.#closedBecause !== null;
      this.#closedBecause ??= `The storage thread has stopped: ${endedBecause}.`;
      settle.reject(refusal === null ? storageFailure(endedBecause) : new AppFailure(refusal));
      for (const waiting of this.#waiting.values()) {
        waiting.reject(
          storageFailure(`The storage thread stopped before this was stored or read: ${endedBecause}.`),
        );
      }
      this.#waiting.clear();
      if (isOpen && !wasClosing) events.onLost(endedBecause);
    });
  }

  /** Resolves with what the store's method returned. Calls are made in the order in which they are handed in. */
  call(call: StoreCall): Promise<unknown> {
    return this.#send((id) => ({ id, ...call }));
  }

  /** Ends the thread at once, whatever it does. */
  end(): void {
    this.#closedBecause ??= 'The local store is closed.';
    void this.#worker.terminate();
  }

  /** Ends the thread when every call before this one is answered and the store is closed. */
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
    return new Promise((resolve, reject) => {
      try {
        this.#worker.postMessage(toRequest(id));
        this.#waiting.set(id, { resolve, reject });
      } catch (cause) {
        reject(storageFailure(wordsFor(cause)));
      }
    });
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

export function storageFailure(message: string): AppFailure {
  return new AppFailure({ code: 'storage', message });
}
