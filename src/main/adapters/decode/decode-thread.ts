import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { decodeAnswer, type DecodedAnswer } from '../../../shared/endpoints/decode-answer.ts';
import type { EndpointDefinition } from '../../../shared/endpoints/define.ts';
import { err, type Result } from '../../../shared/errors.ts';
import type { Log } from '../../core/ports.ts';
import type { DecodeReply, DecodeRequest } from './protocol.ts';

export interface DecodeThreadOptions {
  /** The built `worker.ts`, or that file itself where the runtime reads TypeScript. */
  workerUrl: URL;
  log: Log;
  /** Texts of at least this many characters go to the thread; a shorter one is read sooner than it is copied. */
  fromLength?: number;
}

const defaultFromLength = 256 * 1024;

/** One thread with the texts that it is reading. */
interface Running {
  worker: Worker;
  waiting: Map<number, (decoded: Result<DecodedAnswer>) => void>;
}

/** Reads large answers in a thread of its own, which starts with the first of them and is replaced when it breaks. */
export class DecodeThread {
  readonly #options: DecodeThreadOptions;
  #running: Running | null = null;
  #lastId = 0;

  constructor(options: DecodeThreadOptions) {
    this.#options = options;
  }

  /** As `decodeAnswer`; an answer that breaks the thread is `bad-response`. Never rejects. */
  async decode(endpoint: EndpointDefinition, text: string): Promise<Result<DecodedAnswer>> {
    if (text.length < (this.#options.fromLength ?? defaultFromLength)) {
      // What waits to be sent goes first, the request for the next page above all: so the service works meanwhile. The
      // first turn frees the connection of the answer that has just come, the second one sends on it.
      await setImmediate();
      await setImmediate();
      return decodeAnswer(endpoint, text);
    }
    const { worker, waiting } = this.#running ?? this.#start();
    this.#lastId += 1;
    const request: DecodeRequest = { id: this.#lastId, endpointId: endpoint.id, text };
    return await new Promise((resolve) => {
      waiting.set(request.id, resolve);
      worker.postMessage(request);
    });
  }

  #start(): Running {
    const worker = new Worker(this.#options.workerUrl, { name: 'decode' });
    const waiting: Running['waiting'] = new Map();
    const running = { worker, waiting };
    this.#running = running;
    // The app may end while it waits for nothing but this thread.
    worker.unref();
    // Sent by worker.ts alone, which is compiled from the same protocol.
    worker.on('message', ({ id, decoded }: DecodeReply) => {
      waiting.get(id)?.(decoded);
      waiting.delete(id);
    });
    worker.on('error', (cause) => this.#options.log.error('decode.thread', cause));
    worker.on('exit', () => {
      if (this.#running === running) this.#running = null;
      for (const resolve of waiting.values()) resolve(err(broken()));
      waiting.clear();
    });
    return running;
  }
}

function broken() {
  const message = 'The answer could not be read: the thread that read it has ended.';
  return { code: 'bad-response' as const, message, issues: [] };
}
