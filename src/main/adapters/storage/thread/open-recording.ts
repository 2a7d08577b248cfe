import type { Log } from '../../../core/ports.ts';
import type { OpenRecording } from '../../../core/health-ports.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { StorageThread } from './storage-thread.ts';
import { portsOver } from '../store-ports.ts';

export interface RecordingOpenerOptions {
  /** As for `openStore`. */
  workerUrl: URL;
  log: Log;
  drivers?: readonly DriverName[];
}

/** Each recording has its own thread with its store in memory: a problem with one file can only end that thread. */
export function createRecordingOpener({ workerUrl, log, drivers }: RecordingOpenerOptions): OpenRecording {
  return async ({ path, id, textBytes, signal, onStep }) => {
    signal.throwIfAborted();
    const role = 'recording';
    const data = { role, drivers, path, id, textBytes } as const;
    const thread = new StorageThread(workerUrl, data, {
      onStep,
      onFailure: ({ stack }) => {
        if (stack !== null) log.error('recording.defect', new Error(stack));
      },
      onLost: (reason) => log.error('recording.thread-lost', new Error(reason)),
    });
    const end = () => thread.end();
    signal.addEventListener('abort', end);
    try {
      const { recording } = await thread.opened;
      signal.throwIfAborted();
      if (recording === undefined) throw new Error('the thread has read no recording');
      return { ...recording, store: portsOver((call) => thread.call(call)).health, close: end };
    } catch (cause) {
      end();
      signal.throwIfAborted();
      throw cause;
    } finally {
      signal.removeEventListener('abort', end);
    }
  };
}
