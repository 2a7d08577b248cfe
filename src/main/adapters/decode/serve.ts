import { parentPort } from 'node:worker_threads';
import type { DecodeReply, DecodeRequest, Functions } from './protocol.ts';
import { messageOf } from '../../../shared/errors.ts';

/** Executes calls of these functions until the thread ends. */
export function serve(functions: Functions): void {
  if (parentPort === null) throw new Error('This runs in a worker thread.');
  const port = parentPort;
  // Only decode-thread.ts sends messages; it is compiled from the same protocol and has the same functions.
  port.on('message', ({ id, name, args }: DecodeRequest) => port.postMessage(answer(id, name, args)));

  function answer(id: number, name: string, args: readonly unknown[]): DecodeReply {
    try {
      // The caller's arguments are type-checked against the same functions.
      const given = args as never[];
      return { id, value: functions[name]?.(...given), failure: null };
    } catch (cause) {
      return { id, value: undefined, failure: messageOf(cause) };
    }
  }
}
