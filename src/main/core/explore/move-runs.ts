import type { StorageStatus } from '../../../shared/ipc/answers.ts';
import type { Log, RunStore } from '../ports.ts';

const atOnce = 100;
const every = { words: [], without: [], states: [], asked: null, fromMs: null, beforeMs: null };

/**
 * Moves all runs with their pages and attempts to another store. Each is removed only once it is whole there, and what
 * an interrupted attempt has left there is replaced. A run that cannot be moved stays where it is, and so do all while the
 * other store is not on the disk.
 */
export async function moveRuns(
  from: RunStore,
  { runs: to, status }: { runs: RunStore; status: Pick<StorageStatus, 'state'> },
  log: Log,
): Promise<void> {
  if (status.state !== 'ready') return;
  /** How many stay. */
  let offset = 0;
  for (;;) {
    const { runs } = await from.list({ ...every, offset, limit: atOnce });
    if (runs.length === 0) return;
    for (const run of runs) {
      try {
        await to.remove(run.id);
        await to.create({ ...run, pageCount: 0 });
        for (let index = 0; index < run.pageCount; index += 1) {
          const page = await from.readPage(run.id, index);
          await to.save({ ...run, pageCount: index + 1 }, page === null ? [] : [page], []);
        }
        await to.save(run, [], await from.readAttempts(run.id));
        await from.remove(run.id);
      } catch (cause) {
        offset += 1;
        log.error('runs.move-failed', cause);
      }
    }
  }
}
