import type { AppError } from '../../../shared/errors.ts';
import type { UpdateState } from '../../../shared/updates.ts';

export type UpdateEvent =
  | { kind: 'ask' }
  /** Null: there is none that is newer. */
  | { kind: 'answered'; version: string | null; atMs: number }
  | { kind: 'download' }
  | { kind: 'progressed'; share: number | null }
  | { kind: 'downloaded' }
  | { kind: 'failed'; error: AppError }
  | { kind: 'cancel' }
  | { kind: 'off' };

/** The next state; the same object where the event has no place in it. */
export function nextUpdateState(state: UpdateState, event: UpdateEvent): UpdateState {
  switch (event.kind) {
    case 'ask':
      return state.at === 'asking' || state.at === 'downloading' || state.at === 'ready'
        ? state
        : { at: 'asking', version: state.at === 'available' ? state.version : null };
    case 'answered': {
      const { version, atMs: askedAtMs } = event;
      if (state.at !== 'asking') return state;
      return version === null ? { at: 'newest', askedAtMs } : { at: 'available', version };
    }
    case 'download':
      return state.at === 'available' ? { at: 'downloading', version: state.version, share: null } : state;
    case 'progressed':
      return state.at === 'downloading' ? { ...state, share: event.share } : state;
    case 'downloaded':
      return state.at === 'downloading' ? { at: 'ready', version: state.version } : state;
    case 'failed':
      if (state.at !== 'asking' && state.at !== 'downloading') return state;
      // What was offered is still there.
      return state.at === 'asking' && state.version !== null
        ? { at: 'available', version: state.version, error: event.error }
        : { at: 'failed', version: state.version, error: event.error };
    case 'cancel':
      return state.at === 'downloading' ? { at: 'available', version: state.version } : state;
    case 'off':
      return { at: 'idle' };
  }
}
