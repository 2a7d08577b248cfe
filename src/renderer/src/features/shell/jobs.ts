import { everything } from '../../../../shared/activity/filter.ts';
import type { Result } from '../../../../shared/errors.ts';
import { call } from '../../bridge.ts';
import type { AppState } from '../../state/app.svelte.ts';
import { titleOf } from '../../state/catalogue.ts';
import type { Explore } from '../../state/explore.svelte.ts';
import { completionWords, waitsForConnection } from '../activity/words/plan-words.ts';
import { fetchingWords } from '../explore/query/run-words.ts';
import { shortHash } from '../../../../shared/text.ts';
import { formatCount, formatPlural } from '../../ui/text/format.ts';
import { shareText } from '../settings/update-words.ts';
import { progressWords, summarize } from '../watchlist/sync-words.ts';

/** A long task that is running. */
export interface Job {
  id: string;
  title: string;
  /** The title contains a label or an address. */
  isPrivate?: boolean;
  /** Its progress in words. */
  note: string;
  /** Its progress from 0 to 1; null where the total is unknown. */
  share: number | null;
  /** Cancels the task; finished work is kept. */
  cancel: () => Promise<Result<unknown>>;
}

/** All running tasks that can be cancelled. */
export function jobsOf(app: AppState, explore: Explore): Job[] {
  const { completion, activityExport, recordingTask, updates } = app;
  const jobs: Job[] = [];
  for (const { address, label, chains } of app.watchlist) {
    const syncs = chains.flatMap(({ sync, otherLists }) => [sync, ...otherLists.map((other) => other.sync)]);
    const isRunning = syncs.some(({ state }) => state === 'running');
    if (!isRunning) continue;
    jobs.push({
      id: `sync ${address}`,
      title: `Fetching history for ${label ?? shortHash(address)}`,
      isPrivate: true,
      note: progressWords(summarize(syncs.filter(({ state }) => state !== 'never')), null),
      share: null,
      cancel: () => call('activity.cancel', { scope: { address, chainId: null } }),
    });
  }
  if (completion.isAll && completion.waitingCount > 0) {
    const total = completion.doneCount + completion.waitingCount;
    jobs.push({
      id: 'completion',
      title: 'Fetching transaction details',
      note: waitsForConnection(completion, app.connection)
        ? completionWords(completion, app.connection)
        : `${formatCount(completion.doneCount)} of ${formatCount(total)}`,
      share: completion.doneCount / total,
      cancel: () => call('activity.completeAll', { filter: everything, run: false }),
    });
  }
  // Not yet while the user is choosing a file.
  if (activityExport !== null && activityExport.done > 0) {
    jobs.push({
      id: 'export',
      title: 'Exporting activity',
      note: formatPlural(activityExport.done, 'transaction'),
      share: activityExport.share,
      cancel: () => call('activity.cancelExport'),
    });
  }
  if (recordingTask !== null && recordingTask.done > 0) {
    jobs.push({
      id: 'recording',
      title: recordingTask.kind === 'save' ? 'Saving the recording' : 'Opening the recording',
      note: formatPlural(recordingTask.done, 'poll'),
      share: recordingTask.share,
      cancel: () => call('recordings.cancel'),
    });
  }
  if (updates.state.at === 'downloading') {
    const { version, share } = updates.state;
    jobs.push({
      id: 'update',
      title: `Downloading version ${version}`,
      note: share === null ? 'Starting' : shareText(share),
      share,
      cancel: () => call('updates.cancel'),
    });
  }
  for (const { run, since } of explore.running) {
    jobs.push({
      id: `run ${run.id}`,
      title: titleOf(run.target),
      note: fetchingWords(run, since),
      share: null,
      cancel: () => call('runs.cancel', { runId: run.id }),
    });
  }
  return jobs;
}
