import { closeSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { AppFailure, type AppError } from '../../../../shared/errors.ts';
import type { RecordingFacts } from '../../../core/health-ports.ts';
import type { Timers } from '../../../core/ports.ts';
import { makeBackup } from '../opening/backup.ts';
import { filesIn } from '../opening/files.ts';
import { openInMemory, openLadder } from '../opening/ladder.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import type { FailureReply, WorkerData, WorkerReply, WorkerRequest } from './protocol.ts';
import { recordingLines } from '../recordings/recording-file.ts';
import { readRecording } from '../recordings/recording-reader.ts';
import { integer } from '../sqlite/row.ts';
import { toSqlFailure, wordsFor, type SqlDatabase } from '../sqlite/sql.ts';
import { callStore } from '../store-ports.ts';
import { createSqlStores, readForStart } from './stores.ts';

/** Entry of the storage thread: all SQL of the app runs here. */

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;

const reply = (message: WorkerReply) => port.postMessage(message);

async function run(data: WorkerData): Promise<void> {
  try {
    const driver = loadDriver(data.drivers);
    if (data.role === 'backup') {
      const notice = makeBackup(driver, data.directory, data.nowMs, { read });
      const notices = notice === null ? [] : [notice];
      reply({ kind: 'opened', state: 'ready', notices, backupAtMs: data.nowMs });
    } else if (data.role === 'store') {
      const { database, close, ...facts } = openLadder({ ...data, driver, read });
      serve(database, close, data.directory);
      reply({ kind: 'opened', ...facts });
    } else {
      const database = openInMemory(driver);
      const facts = data.role === 'recording' ? { recording: await readFile(database, data) } : {};
      serve(database, () => database.close(), null);
      reply({ kind: 'opened', state: 'memory', notices: [], backupAtMs: null, ...facts });
    }
  } catch (cause) {
    const { message } = describe(cause, 'directory' in data ? data.directory : null);
    const error: AppError = cause instanceof AppFailure ? cause.error : { code: 'storage', message };
    reply({ kind: 'ended', error });
  }
}

const tellEveryMs = 100;

function readFile(
  database: SqlDatabase,
  { path, id, textBytes }: WorkerData & { role: 'recording' },
): Promise<RecordingFacts> {
  let toldMs = -Infinity;
  const onStep = (polls: number, share: number): void => {
    if (performance.now() - toldMs < tellEveryMs) return;
    toldMs = performance.now();
    reply({ kind: 'step', polls, share });
  };
  return readRecording(database, { lines: recordingLines(path, textBytes), id, onStep });
}

const timers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

const read = (database: SqlDatabase) => readForStart(database, timers);

/** Executes calls until the request to close. `directory`: the folder of the store; null for one in memory. */
function serve(database: SqlDatabase, close: () => void, directory: string | null): void {
  const stores = createSqlStores(database, timers);
  port.on('message', (request: WorkerRequest) => {
    const { id } = request;
    const isEnd = 'close' in request;
    const method = isEnd ? 'close' : request.method;
    const fail = (cause: unknown) => reply({ kind: 'failure', id, method, ...describe(cause, directory) });
    const changesBefore = changesOf(database);
    try {
      if (isEnd) {
        stores.stop();
        close();
      }
      const value = isEnd ? null : callStore(stores, request);
      // Before others are executed, whose changes are not its own: a slow call only reads.
      const hasWritten = !isEnd && changesOf(database) !== changesBefore;
      const answer = (result: unknown) => reply({ kind: 'value', id, value: result, hasWritten });
      // While a slow call is pending, later ones are executed; all others are answered in order.
      if (value instanceof Promise) value.then(answer, fail);
      else answer(value);
    } catch (cause) {
      fail(cause);
    }
    // Without its port, nothing keeps the thread alive.
    if (isEnd) port.close();
  });
}

/** Number of rows changed since the store was opened. */
function changesOf(database: SqlDatabase): number {
  return integer(database.get('SELECT total_changes() AS n'), 'n');
}

function describe(cause: unknown, directory: string | null): FailureReply {
  const failure = toSqlFailure(cause);
  let message = wordsFor(failure);
  if (failure.kind === 'corrupt' && directory !== null) {
    try {
      // Makes the next start check the whole store, and set it aside if needed.
      closeSync(openSync(filesIn(directory).suspect, 'a'));
      message += ' The app checks it at the next start, and sets it aside if it can’t be used.';
    } catch (marking) {
      message += ` It couldn’t be marked for a check: ${toSqlFailure(marking).message}.`;
    }
  }
  return {
    failure: failure.kind,
    message,
    stack: failure.kind === 'defect' ? (failure.stack ?? failure.message) : null,
  };
}

// Only storage-thread.ts starts this, with exactly this data.
void run(workerData as WorkerData);
