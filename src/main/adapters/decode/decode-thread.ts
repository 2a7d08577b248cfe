import { Worker } from 'node:worker_threads';
import type { Log } from '../../core/ports.ts';
import type { DecodeReply, DecodeRequest, Functions } from './protocol.ts';

export interface DecodeThreadOptions<F extends Functions> {
  /** The built `decode-worker.ts`, or that file itself where the runtime reads TypeScript. It serves the same functions. */
  workerUrl: URL;
  functions: F;
  log: Log;
  /** Texts of at least this many characters together go to the thread; shorter ones are read sooner than they are copied. */
  fromLength?: number;
  /** Characters that may wait in the thread; what would be more is not read. */
  mostLength?: number;
}

const defaultFromLength = 256 * 1024;
const defaultMostLength = 64 * 1024 * 1024;

interface Waiting {
  resolve(value: unknown): void;
  length: number;
}

/** One thread with the calls that it is working on. */
interface Running {
  worker: Worker;
  waiting: Map<number, Waiting>;
}

/** Reads large texts in a thread of its own, which starts with the first of them and is replaced when it breaks. */
export class DecodeThread<F extends Functions> {
  readonly #options: DecodeThreadOptions<F>;
  #running: Running | null = null;
  #lastId = 0;
  #waitingLength = 0;

  constructor(options: DecodeThreadOptions<F>) {
    this.#options = options;
  }

  /** What the function returns, called here for short texts; null when the thread broke or has too much to do. */
  async call<N extends keyof F & string>(
    name: N,
    ...args: Parameters<F[N]>
  ): Promise<ReturnType<F[N]> | null> {
    if (lengthOf(args) >= (this.#options.fromLength ?? defaultFromLength))
      return this.inThread(name, ...args);
    // The functions of the options by their own type.
    return this.#options.functions[name]?.(...args) as ReturnType<F[N]>;
  }

  /** The same, always in the thread. Calls are answered in their order. */
  inThread<N extends keyof F & string>(name: N, ...args: Parameters<F[N]>): Promise<ReturnType<F[N]> | null> {
    const length = lengthOf(args);
    if (this.#waitingLength + length > (this.#options.mostLength ?? defaultMostLength)) {
      this.#options.log.warn('decode.full', { name });
      return Promise.resolve(null);
    }
    const { worker, waiting } = this.#running ?? this.#start();
    this.#lastId += 1;
    const request: DecodeRequest = { id: this.#lastId, name, args };
    return new Promise((resolve) => {
      waiting.set(request.id, {
        // The thread has the functions of the options, so the value is of the function's type.
        resolve: (value) => resolve(value as ReturnType<F[N]> | null),
        length,
      });
      this.#waitingLength += length;
      worker.postMessage(request);
    });
  }

  #start(): Running {
    const worker = new Worker(this.#options.workerUrl, { name: 'decode' });
    const waiting: Running['waiting'] = new Map();
    const running = { worker, waiting };
    this.#running = running;
    const settle = (id: number, value: unknown): void => {
      const entry = waiting.get(id);
      waiting.delete(id);
      this.#waitingLength -= entry?.length ?? 0;
      entry?.resolve(value);
    };
    // The app may end while it waits for nothing but this thread.
    worker.unref();
    // Sent by serve.ts alone, which is compiled from the same protocol.
    worker.on('message', ({ id, value, failure }: DecodeReply) => {
      if (failure !== null) this.#options.log.error('decode.defect', new Error(failure));
      settle(id, failure === null ? value : null);
    });
    worker.on('error', (cause) => this.#options.log.error('decode.thread', cause));
    worker.on('exit', () => {
      if (this.#running === running) this.#running = null;
      for (const id of [...waiting.keys()]) settle(id, null);
    });
    return running;
  }
}

/** Characters of all texts in the arguments. */
function lengthOf(args: readonly unknown[]): number {
  let length = 0;
  for (const arg of args) {
    if (typeof arg === 'string') length += arg.length;
    else if (Array.isArray(arg)) length += lengthOf(arg);
  }
  return length;
}
