import type { StorageStatus } from '../../../shared/ipc/answers.ts';
import type { Log, RunStore, StoredRun, StoredRunPage } from '../ports.ts';

const atOnce = 100;
const largestWriteBytes = 4_000_000;
const every = { words: [], without: [], states: [], asked: null, fromMs: null, beforeMs: null };

/**
 * Moves all runs with their pages and attempts to another store. Each is removed only once it is whole there; what an
 * interrupted attempt has left there is replaced, but not one that was whole and has gone on there since. A run that
 * cannot be moved stays where it is, and so do all while the other store is not on the disk.
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
        await copyRun(from, to, run);
        await from.remove(run.id);
      } catch (cause) {
        offset += 1;
        log.error('runs.move-failed', cause);
      }
    }
  }
}

async function copyRun(from: RunStore, to: RunStore, run: StoredRun): Promise<void> {
  const known = await to.read(run.id);
  if (known !== null && known.pageCount > 0 && known.pageCount >= run.pageCount) return;
  await to.remove(run.id);
  await to.create({ ...run, pageCount: 0 });
  let pages: StoredRunPage[] = [];
  let bytes = 0;
  for (let index = 0; index < run.pageCount; index += 1) {
    const page = await from.readPage(run.id, index);
    if (page === null) continue;
    pages.push(page);
    bytes += page.byteLength;
    // Each write is flushed to the disk.
    if (bytes < largestWriteBytes) continue;
    await to.save({ ...run, pageCount: index + 1 }, pages, []);
    [pages, bytes] = [[], 0];
  }
  await to.save(run, pages, await from.readAttempts(run.id));
}
