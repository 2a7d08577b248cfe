import type { AppError } from '../../../../shared/errors.ts';
import type { RecordingFacts } from '../../../core/health-ports.ts';
import type { DriverName } from '../sqlite/driver.ts';
import type { SqlFailureKind } from '../sqlite/sql.ts';
import type { StoreCall } from '../store-ports.ts';

/** What passes between the app and its storage thread. Both ends are compiled from these types. */

/** Decides what the thread does; one thread does one of them. */
export type WorkerData = { drivers: readonly DriverName[] } & (
  | { role: 'store'; directory: string; nowMs: number; busyTimeoutMs: number; thoroughUpToBytes: number }
  /** A store that forgets everything at the end. */
  | { role: 'memory' }
  /** The same, with the recording of a file in it as the node `id`. */
  | { role: 'recording'; path: string; id: string; textBytes: number }
  /** Makes a backup, and answers no calls. */
  | { role: 'backup'; directory: string; nowMs: number }
);

/** A call with its number, or the end. Calls are made in order. */
export type WorkerRequest = ({ id: number } & StoreCall) | { id: number; close: true };

export type WorkerReply =
  | ({ kind: 'opened' } & OpenedReply)
  /** So far a recording is read. */
  | { kind: 'step'; polls: number; share: number }
  /** `hasWritten`: something in the store was changed by the call. */
  | { kind: 'value'; id: number; value: unknown; hasWritten: boolean }
  | ({ kind: 'failure'; id: number; method: string } & FailureReply)
  /** The thread could not begin, or its one task failed. */
  | { kind: 'ended'; error: AppError };

export interface OpenedReply {
  state: 'ready' | 'memory';
  /** What the user should know. */
  notices: string[];
  /** Null without a backup. */
  backupAtMs: number | null;
  /** Null unless it was to be read. */
  recording: RecordingFacts | null;
}

export interface FailureReply {
  failure: SqlFailureKind;
  /** In words for the user. */
  message: string;
  /** Where a defect was found, for the log; null for everything else. */
  stack: string | null;
}
