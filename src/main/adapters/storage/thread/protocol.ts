import type { AppError } from '../../../../shared/errors.ts';
import type { RecordingFacts } from '../../../core/health-ports.ts';
import type { DriverName } from '../sqlite/driver.ts';
import type { SqlFailureKind } from '../sqlite/sql.ts';
import type { StoreCall } from '../store-ports.ts';

/** Messages between the app and its storage thread. Both sides are compiled from these types. */

/** What a thread does; each has one role. */
export type WorkerData = { drivers: readonly DriverName[] | undefined } & (
  | { role: 'store'; directory: string; nowMs: number; busyTimeoutMs: number; thoroughUpToBytes: number }
  /** A store in memory. */
  | { role: 'memory' }
  /** A store in memory, filled from a recording's file as the node `id`. */
  | { role: 'recording'; path: string; id: string; textBytes: number }
  /** Makes a backup; answers no calls. */
  | { role: 'backup'; directory: string; nowMs: number }
);

/** A call with its number, or the request to close. Calls are executed in order. */
export type WorkerRequest = ({ id: number } & StoreCall) | { id: number; close: true };

export type WorkerReply =
  | ({ kind: 'opened' } & OpenedReply)
  /** Progress of reading a recording. */
  | { kind: 'step'; polls: number; share: number }
  /** `hasWritten`: the call has changed something in the store. */
  | { kind: 'value'; id: number; value: unknown; hasWritten: boolean }
  | ({ kind: 'failure'; id: number; method: string } & FailureReply)
  /** The thread could not start, or its task failed. */
  | { kind: 'ended'; error: AppError };

export interface OpenedReply {
  state: 'ready' | 'memory';
  /** Notices for the user. */
  notices: string[];
  /** Null without a backup. */
  backupAtMs: number | null;
  /** If one was read. */
  recording?: RecordingFacts;
}

export interface FailureReply {
  failure: SqlFailureKind;
  /** A sentence for the user. */
  message: string;
  /** Stack of a bug, for the log; null for other failures. */
  stack: string | null;
}
