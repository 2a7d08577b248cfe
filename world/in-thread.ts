import { DecodeThread } from '../src/main/adapters/decode/decode-thread.ts';
import type { SqlDatabase } from '../src/main/adapters/storage/sqlite/sql.ts';
import type { readers } from '../src/main/readers.ts';

// What the app has in threads of its own is in the one thread of the world.

/** Reads everything on the calling thread, since a thread of its own knows nothing of the simulated time. */
export class DecodesHere extends DecodeThread<typeof readers> {
  override inThread: DecodeThread<typeof readers>['inThread'] = (...call) => this.call(...call);
}

/** Rows that were written since the store was opened. */
export function changesOf(database: SqlDatabase): number {
  return Number(database.get('SELECT total_changes() AS n')?.['n'] ?? 0);
}
