import { parentPort } from 'node:worker_threads';
import type { DecodeReply, DecodeRequest, Functions } from './protocol.ts';

/** Answers calls of these functions, for as long as the thread lives. */
export function serve(functions: Functions): void {
  if (parentPort === null) throw new Error('This runs in a worker thread.');
  const port = parentPort;
  // Sent by decode-thread.ts alone, which is compiled from the same protocol and has the same functions.
  port.on('message', ({ id, name, args }: DecodeRequest) => port.postMessage(answer(id, name, args)));

  function answer(id: number, name: string, args: readonly unknown[]): DecodeReply {
    try {
      // The caller has them checked against the same functions.
      const given = args as never[];
      return { id, value: functions[name]?.(...given), failure: null };
    } catch (cause) {
      return { id, value: undefined, failure: cause instanceof Error ? cause.message : String(cause) };
    }
  }
}
