import { Worker } from 'node:worker_threads';
import type { Log, Timers } from '../../core/ports.ts';
import type { DecodeReply, DecodeRequest, Functions } from './protocol.ts';

export interface DecodeThreadOptions<F extends Functions> {
  /** The built `decode-worker.ts`, or that file where the runtime reads TypeScript. Serves the same functions. */
  workerUrl: URL;
  functions: F;
  log: Log;
  timers: Timers;
  /** Texts of at least this many characters go to the thread; for shorter ones copying costs more. */
  fromLength?: number;
  /** Characters that may be queued for the thread; calls beyond that return null. */
  mostLength?: number;
}

const defaultFromLength = 256 * 1024;
const defaultMostLength = 64 * 1024 * 1024;
/** For new objects: with as much as V8 takes by itself, a thread soon holds 100 MB, and is no faster. */
const youngMb = 8;
/** A thread that has nothing to do keeps the memory of what it did. */
const idleMs = 30_000;

/** A running thread with its pending calls, and the characters of each. */
interface Running {
  worker: Worker;
  waiting: Map<number, { resolve(value: unknown): void; length: number }>;
}

/** Decodes large texts in a thread, which is started for them, ends when idle, and is replaced when it crashes. */
export class DecodeThread<F extends Functions> {
  readonly #options: DecodeThreadOptions<F>;
  #running: Running | null = null;
  #lastId = 0;
  #waitingLength = 0;
  #cancelEnd: () => void = () => undefined;

  constructor(options: DecodeThreadOptions<F>) {
    this.#options = options;
  }

  /** The result of the function, called directly for short texts; null when the thread crashed or its queue is full. */
  async call<N extends keyof F & string>(
    name: N,
    ...args: Parameters<F[N]>
  ): Promise<ReturnType<F[N]> | null> {
    if (lengthOf(args) >= (this.#options.fromLength ?? defaultFromLength))
      return this.inThread(name, ...args);
    // The functions keep their own types.
    return this.#options.functions[name]?.(...args) as ReturnType<F[N]>;
  }

  /** Like `call`, but always in the thread. Calls are answered in order. */
  inThread<N extends keyof F & string>(name: N, ...args: Parameters<F[N]>): Promise<ReturnType<F[N]> | null> {
    const length = lengthOf(args);
    if (this.#waitingLength + length > (this.#options.mostLength ?? defaultMostLength)) {
      this.#options.log.warn('decode.full', { name });
      return Promise.resolve(null);
    }
    this.#cancelEnd();
    const { worker, waiting } = this.#running ?? this.#start();
    this.#lastId += 1;
    const request: DecodeRequest = { id: this.#lastId, name, args };
    return new Promise((resolve) => {
      waiting.set(request.id, {
        // The thread has the same functions, so the value has the function's type.
        resolve: (value) => resolve(value as ReturnType<F[N]> | null),
        length,
      });
      this.#waitingLength += length;
      worker.postMessage(request);
    });
  }

  #start(): Running {
    const worker = new Worker(this.#options.workerUrl, {
      name: 'decode',
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    });
    const running: Running = { worker, waiting: new Map() };
    const { waiting } = running;
    this.#running = running;
    const settle = (id: number, value: unknown): void => {
      const entry = waiting.get(id);
      waiting.delete(id);
      this.#waitingLength -= entry?.length ?? 0;
      entry?.resolve(value);
      if (this.#running !== running || waiting.size > 0) return;
      this.#cancelEnd();
      this.#cancelEnd = this.#options.timers.after(idleMs, () => {
        this.#running = null;
        void worker.terminate();
      });
    };
    // Only serve.ts sends messages, and it is compiled from the same protocol.
    worker.on('message', ({ id, value, failure }: DecodeReply) => {
      if (failure !== null) this.#options.log.error('decode.defect', new Error(failure));
      settle(id, failure === null ? value : null);
    });
    worker.on('error', (cause) => this.#options.log.error('decode.thread', cause));
    worker.on('exit', () => {
      if (this.#running === running) this.#running = null;
      for (const id of [...waiting.keys()]) settle(id, null);
    });
    // Does not keep the process alive by itself, as listening to its messages would.
    worker.unref();
    return running;
  }
}

/** Characters in all texts among the arguments. */
function lengthOf(args: readonly unknown[]): number {
  let length = 0;
  for (const arg of args) {
    if (typeof arg === 'string') length += arg.length;
    else if (Array.isArray(arg)) length += lengthOf(arg);
  }
  return length;
}
