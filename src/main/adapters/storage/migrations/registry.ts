import { firstTables } from './0001-first-tables.ts';
import { exploreRuns } from './0002-explore-runs.ts';
import { activityLists } from './0003-activity-lists.ts';
import { healthHistory } from './0004-health-history.ts';
import { rowHashes } from './0005-row-hashes.ts';
import { verdicts } from './0006-verdicts.ts';
import { rowRequests } from './0007-row-requests.ts';
import type { Migration } from './migration.ts';

/** All layouts of the store so far, oldest first. */
export const migrations: readonly Migration[] = [
  firstTables,
  exploreRuns,
  activityLists,
  healthHistory,
  rowHashes,
  verdicts,
  rowRequests,
];
