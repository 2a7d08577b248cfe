// Newer versions of the app: where they are asked for, and how far that has come.
import type { AppError } from './errors.ts';

/** The update server that was configured when the build was packed. */
export type UpdateFeed =
  { provider: 'generic'; url: string } | { provider: 'github'; owner: string; repo: string };

/** Why this copy cannot replace itself: it is no installed package, the system's packages own it, or it has no signature. */
export type UpdateObstacle = 'folder' | 'packages' | 'unsigned';

export type UpdateState =
  | { at: 'idle' }
  /** `version` was available before. */
  | { at: 'asking'; version: string | null }
  | { at: 'newest'; askedAtMs: number }
  /** `error`: why a later question got no answer. */
  | { at: 'available'; version: string; error?: AppError }
  /** `share` is from 0 to 1; null while it is unknown. */
  | { at: 'downloading'; version: string; share: number | null }
  /** To be installed when the app ends. */
  | { at: 'ready'; version: string }
  /** `version` could not be downloaded; null: the question failed. */
  | { at: 'failed'; version: string | null; error: AppError };

export interface UpdateStatus {
  /** Whom this build asks; null if it knows no place. */
  host: string | null;
  /** Null if the app can replace itself. */
  obstacle: UpdateObstacle | null;
  state: UpdateState;
}
