import { closeSync, openSync } from 'node:fs';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { makeBackup } from './backup.ts';
import { filesIn } from './files.ts';
import { openLadder } from './ladder.ts';
import { loadDriver } from './load-driver.ts';
import type { FailureReply, WorkerData, WorkerReply, WorkerRequest } from './protocol.ts';
import { integer } from './row.ts';
import { toSqlFailure, wordsFor, type SqlDatabase } from './sql.ts';
import { callStore } from './store-ports.ts';
import { createSqlStores } from './stores.ts';

/** Entry of the storage thread: all SQL of the app runs here. */

if (parentPort === null) throw new Error('This file runs as a worker thread.');
// Started by storage-thread.ts alone, which passes exactly this.
run(parentPort, workerData as WorkerData);

function run(port: MessagePort, data: WorkerData): void {
  const reply = (message: WorkerReply) => port.postMessage(message);
  try {
    if (data.role === 'store') {
      serve(port, data, reply);
    } else {
      const notice = makeBackup(loadDriver(data.drivers), data.directory, data.nowMs);
      reply({ kind: 'backed-up', notice });
    }
  } catch (cause) {
    reply({ kind: 'ended', ...describe(cause, data.directory) });
  }
}

function serve(
  port: MessagePort,
  data: WorkerData & { role: 'store' },
  reply: (message: WorkerReply) => void,
): void {
  const opened = openLadder({ ...data, driver: loadDriver(data.drivers) });
  const stores = createSqlStores(opened.database);
  const { state, notices, backupAtMs } = opened;
  reply({ kind: 'opened', state, notices, backupAtMs });
  // A failure is met again, and told, by the first call that needs what was to be brought up to date.
  stores.catchUp().catch(() => undefined);
  port.on('message', (request: WorkerRequest) => {
    const { id } = request;
    const isEnd = 'close' in request;
    const method = isEnd ? 'close' : request.method;
    const fail = (cause: unknown) =>
      reply({ kind: 'failure', id, method, ...describe(cause, data.directory) });
    const changesBefore = changesOf(opened.database);
    const answer = (value: unknown) => {
      const hasWritten = !isEnd && changesOf(opened.database) !== changesBefore;
      reply({ kind: 'value', id, value, hasWritten });
    };
    try {
      if (isEnd) {
        stores.stop();
        opened.close();
      }
      const value = isEnd ? null : callStore(stores, request);
      // What takes its time lets later calls be served meanwhile; all others are answered in their order.
      if (value instanceof Promise) value.then(answer, fail);
      else answer(value);
    } catch (cause) {
      fail(cause);
    }
    // Without its port the thread has nothing to wait for and ends.
    if (isEnd) port.close();
  });
}

/** Rows that were changed since the store was opened. */
function changesOf(database: SqlDatabase): number {
  return integer(database.prepare('SELECT total_changes() AS n').get() ?? {}, 'n');
}

function describe(cause: unknown, directory: string): FailureReply {
  const failure = toSqlFailure(cause);
  let message = wordsFor(failure);
  if (failure.kind === 'corrupt') {
    try {
      // Has the whole store checked at the next start, where it can be set aside.
      closeSync(openSync(filesIn(directory).suspect, 'a'));
    } catch (marking) {
      message += ` It could not be marked for a check: ${marking instanceof Error ? marking.message : String(marking)}.`;
    }
  }
  return {
    failure: failure.kind,
    message,
    stack: failure.kind === 'defect' ? (failure.stack ?? failure.message) : null,
  };
}
