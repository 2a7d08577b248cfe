import type { AlertMember } from '../../../shared/alerts/types.ts';
import type { ConnectionStatus, StorageStatus } from '../../../shared/ipc/answers.ts';
import type { AlertSettings } from '../../../shared/settings.ts';
import type { UpdateStatus } from '../../../shared/updates.ts';
import type { Condition } from './rules.ts';

/** What there is to know of the app itself. */
export interface AppFacts {
  /** The service that is configured. */
  dataUrl: string;
  connection: ConnectionStatus;
  storage: StorageStatus;
  updates: UpdateStatus;
  /** Whether the user wants to know of newer versions. */
  asksForUpdates: boolean;
}

/** Stands in the place of a node. */
export const appId = 'app';

/** What is the case at the app itself. What is not known at the moment stays as it was: `open` are the open alerts. */
export function appConditions(
  { dataUrl, connection, storage, updates: { state }, asksForUpdates }: AppFacts,
  open: readonly AlertMember[],
  { atMs, settings }: { atMs: number; settings: AlertSettings },
): Condition[] {
  const level = settings.rules.app;
  if (level === 'off') return [];
  const found = (id: string, subject: string, words: string): Condition => ({
    ...{ ids: [id], rule: 'app', level, nodeId: appId, nodeName: 'Watchkeeper', subject, words },
    ...{ because: [], sinceMs: atMs, endedAtMs: null, isDue: true },
  });
  const before = (subject: string): Condition[] =>
    open.filter((member) => member.subject === subject).map((member) => ({ ...member, isDue: true }));
  const keyId = `key ${dataUrl}`;
  const isKeyRefused = connection.error?.code === 'unauthorized';
  const isConnectionKnown = isKeyRefused || connection.state === 'online' || connection.state === 'off';
  const isNotKept = storage.state === 'memory' || storage.state === 'failed' || storage.notKept;
  const version = 'version' in state ? state.version : null;
  return [
    ...(isKeyRefused ? [found(keyId, 'key', 'The service refuses your API key')] : []),
    // That another service refused its key is over.
    ...(isConnectionKnown ? [] : before('key').filter(({ ids }) => ids.includes(keyId))),
    ...(isNotKept ? [found('storage', 'storage', 'Nothing new is being saved on this computer')] : []),
    ...(version === null ? [] : [found(`version ${version}`, 'version', `Version ${version} is available`)]),
    ...(version === null && asksForUpdates && state.at !== 'newest' ? before('version') : []),
  ];
}
