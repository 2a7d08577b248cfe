import type { Log, RunStore } from '../ports.ts';

const atOnce = 100;

/**
 * Moves all runs with their pages and attempts to another store. Each is removed only once it is whole there, and what
 * an interrupted attempt has left there is replaced. A run that cannot be moved stays where it is.
 */
export async function moveRuns(from: RunStore, to: RunStore, log: Log): Promise<void> {
  let cursor: string | null = null;
  do {
    const listed = await from.list({ words: [], without: [], cursor, limit: atOnce });
    for (const run of listed.runs) {
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
        log.error('runs.move-failed', cause);
      }
    }
    cursor = listed.nextCursor;
  } while (cursor !== null);
}
