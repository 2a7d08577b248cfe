import type {
  ActivityExportStatus,
  BookEntry,
  ChainSync,
  CompletionStatus,
  WatchedAddress,
  WatchedChain,
} from '../../../shared/activity/types.ts';
import { LookAlikes } from '../../../shared/activity/look-alike.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import type { BudgetStatus } from '../../../shared/explore/types.ts';
import { incidentTitle } from '../../../shared/health/incident-title.ts';
import type { Incident, NodeStatus, RecordingInfo, RecordingTask } from '../../../shared/health/types.ts';
import type {
  AppSnapshot,
  ConnectionStatus,
  SecretStatus,
  StorageStatus,
} from '../../../shared/ipc/answers.ts';
import type { EventContract } from '../../../shared/ipc/contract.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import { call, listen } from '../bridge.ts';

type ActivityChange = EventContract['activity.changed'];

/** Parts of the snapshot whose event `….changed` brings all of them. */
const toldWhole = [
  'settings',
  'secret',
  'storage',
  'connection',
  'book',
  'completion',
  'activityExport',
  'nodes',
  'recordingTask',
  'budget',
] as const satisfies readonly (keyof AppSnapshot)[];

const unknownShare = {
  remainingThisMinute: null,
  limitPerMinute: null,
  remainingToday: null,
  limitPerDay: null,
  heldUntilMs: null,
};

/**
 * What an address is called, and who says so: the user about an own address (null where it has no label), the user's
 * book, or the service. What the service says is not the user's word, and is shown as such.
 */
export interface KnownName {
  text: string | null;
  from: 'watchlist' | 'book' | 'service';
}

/** What the main process last said, kept current by its events. One instance a window. */
export class AppState implements AppSnapshot {
  readonly #settle: () => Promise<void>;
  phase = $state<'starting' | 'ready' | 'failed'>('starting');
  startError = $state.raw<AppError | null>(null);
  version = $state('');
  dataFolder = $state('');
  locale = $state('');
  settings = $state.raw<Settings>(defaultSettings);
  secret = $state.raw<SecretStatus>({ present: false, storage: 'none', keychain: 'unknown' });
  storage = $state.raw<StorageStatus>({ state: 'opening', notices: [] });
  connection = $state.raw<ConnectionStatus>({ state: 'unknown', lastAnswerAtMs: null, error: null });
  watchlist = $state.raw<WatchedAddress[]>([]);
  book = $state.raw<BookEntry[]>([]);
  completion = $state.raw<CompletionStatus>({
    partialCount: 0,
    waitingCount: 0,
    isAll: false,
    doneCount: 0,
    error: null,
  });
  activityExport = $state.raw<ActivityExportStatus>({
    state: 'idle',
    rowsWritten: 0,
    totalCount: 0,
    path: null,
    error: null,
  });
  nodes = $state.raw<NodeStatus[]>([]);
  /** Recordings that are open. */
  recordings = $state.raw<RecordingInfo[]>([]);
  /** The one that is being written or read. */
  recordingTask = $state.raw<RecordingTask | null>(null);
  budget = $state.raw<BudgetStatus>({ data: unknownShare, metrics: unknownShare });

  /** Names of chains, by id, as far as they are known. */
  readonly chainNames: ReadonlyMap<string, string> = $derived(
    new Map(
      this.watchlist.flatMap((entry) => entry.chains.map((chain) => [chain.chainId, chain.name] as const)),
    ),
  );

  /** The same by the id that nodes know a chain by, and call its check. */
  readonly blockchainNames: ReadonlyMap<string, string> = $derived(
    new Map(
      this.watchlist
        .flatMap((entry) => entry.chains)
        .flatMap(({ blockchainId, name }) => (blockchainId === null ? [] : [[blockchainId, name] as const])),
    ),
  );

  /** Nodes by the ids that they send; other nodes call them so. */
  readonly nodesByTheirId: ReadonlyMap<string, NodeStatus> = $derived(
    new Map(
      this.nodes.flatMap((status) => (status.nodeId === null ? [] : [[status.nodeId, status] as const])),
    ),
  );
  /** The same by name. */
  readonly nodeNames: ReadonlyMap<string, string> = $derived(
    new Map([...this.nodesByTheirId].map(([id, { node }]) => [id, node.name])),
  );

  /** Names that the user has given, by address in lower case: not every service spells the checksum. */
  readonly #names: ReadonlyMap<string, KnownName> = $derived(
    new Map<string, KnownName>([
      ...this.book.map(
        ({ address, name }) => [address.toLowerCase(), { text: name, from: 'book' as const }] as const,
      ),
      ...this.watchlist.map(
        ({ address, label }) => [address.toLowerCase(), { text: label, from: 'watchlist' as const }] as const,
      ),
    ]),
  );
  readonly #watched: ReadonlyMap<string, WatchedAddress> = $derived(
    new Map(this.watchlist.map((entry) => [entry.address.toLowerCase(), entry])),
  );

  /** Tells whom an address could be taken for. */
  readonly lookAlikes: LookAlikes = $derived(
    new LookAlikes([...this.watchlist, ...this.book].map(({ address }) => address)),
  );

  readonly #chains: ReadonlyMap<string, WatchedChain> = $derived(
    new Map(
      this.watchlist.flatMap(({ address, chains }) =>
        chains.map((chain) => [historyKey(address, chain.chainId), chain] as const),
      ),
    ),
  );

  /** Changes of histories since the last one that was shown; null while it has been quiet. */
  #collected: Map<string, ActivityChange> | null = null;
  readonly #activityListeners = new Set<(change: ActivityChange) => void>();

  /** `settle` ends when changes that have come meanwhile are to be shown together: each one makes the window look again. */
  constructor(settle: () => Promise<void> = () => Promise.resolve()) {
    this.#settle = settle;
  }

  /** Loads the snapshot and follows the events; returns the function that ends it. */
  start(): () => void {
    // Events that overtake the snapshot are newer than it, so they wait and are applied after it.
    let waiting: (() => void)[] | null = [];
    const inOrder = (apply: () => void) => (waiting === null ? apply() : void waiting.push(apply));

    const endings = [
      ...toldWhole.map((part) =>
        listen(`${part}.changed`, (value) => inOrder(() => Object.assign(this, { [part]: value }))),
      ),
      listen('watchlist.changed', (watchlist) => inOrder(() => this.#putWatchlist(watchlist))),
      listen('node.changed', (status) => inOrder(() => this.#putNode(status))),
      listen('activity.changed', (change) => inOrder(() => this.#putSync(change))),
    ];
    const load = async () => {
      const result = await call('app.snapshot');
      if (result.ok) Object.assign(this, result.value);
      else this.startError = result.error;
      const held = waiting ?? [];
      waiting = null;
      for (const apply of held) apply();
      this.phase = result.ok ? 'ready' : 'failed';
    };
    void load();
    return () => {
      for (const end of endings) end();
    };
  }

  /** What an incident is, in a sentence. */
  incidentTitle(incident: Incident): string {
    const node =
      this.node(incident.nodeId)?.node.name ??
      this.recordings.find(({ id }) => id === incident.nodeId)?.nodeName;
    const names = { chains: this.blockchainNames, nodes: this.nodeNames };
    return incidentTitle(incident, { node: node ?? 'a removed node', ...names });
  }

  /** Tells of every change of stored rows; returns the function that ends it. */
  onActivityChanged(listener: (change: ActivityChange) => void): () => void {
    this.#activityListeners.add(listener);
    return () => this.#activityListeners.delete(listener);
  }

  /** The name of an address: the user's label, else the name in the book, else `serviceName`; null without any. */
  nameOf(address: string, serviceName: string | null = null): KnownName | null {
    const known = this.#names.get(address.toLowerCase());
    return known ?? (serviceName === null ? null : { text: serviceName, from: 'service' });
  }

  /** The watched address of this spelling or another; null when it is not watched. */
  watched(address: string): WatchedAddress | null {
    return this.#watched.get(address.toLowerCase()) ?? null;
  }

  /** Asks for a file and reads the recording in it; null when the user chose none. */
  async openRecording(): Promise<Result<RecordingInfo | null>> {
    const result = await call('recordings.open');
    const opened = result.ok ? result.value : null;
    if (opened !== null) {
      this.recordings = [...this.recordings.filter(({ id }) => id !== opened.id), opened];
    }
    return result;
  }

  async closeRecording(id: string): Promise<Result<null>> {
    const result = await call('recordings.close', { id });
    if (result.ok) this.recordings = this.recordings.filter((recording) => recording.id !== id);
    return result;
  }

  chain(address: string, chainId: string): WatchedChain | null {
    return this.#chains.get(historyKey(address, chainId)) ?? null;
  }

  node(id: string): NodeStatus | null {
    return this.nodes.find((candidate) => candidate.node.id === id) ?? null;
  }

  /** Changes settings; what the main process kept comes as an event before the answer. */
  updateSettings(change: Partial<Settings>): Promise<Result<Settings>> {
    return call('settings.update', change);
  }

  #putNode(status: NodeStatus): void {
    this.nodes = this.nodes.map((known) => (known.node.id === status.node.id ? status : known));
  }

  #putWatchlist(watchlist: WatchedAddress[]): void {
    this.#applyCollected();
    this.watchlist = watchlist.map((entry) => ({
      ...entry,
      chains: entry.chains.map((chain) => ({
        ...chain,
        sync: withKnownError(this.chain(entry.address, chain.chainId)?.sync, chain.sync),
      })),
    }));
  }

  /** The first change shows at once, those that come within the time of settling together. */
  #putSync(change: ActivityChange): void {
    const { address, chainId, list } = change;
    const isFirst = this.#collected === null;
    this.#collected ??= new Map();
    this.#collected.set(`${list} ${historyKey(address, chainId)}`, change);
    if (isFirst) void this.#applyWhenSettled();
  }

  async #applyWhenSettled(): Promise<void> {
    while (this.#applyCollected()) await this.#settle();
    this.#collected = null;
  }

  /** Whether there was anything to apply. */
  #applyCollected(): boolean {
    const changes = [...(this.#collected?.values() ?? [])];
    if (changes.length === 0) return false;
    this.#collected?.clear();
    const byHistory = new Map<string, ActivityChange[]>();
    for (const change of changes) {
      const key = historyKey(change.address, change.chainId);
      byHistory.set(key, [...(byHistory.get(key) ?? []), change]);
    }
    const changed = new Set(changes.map(({ address }) => address));
    this.watchlist = this.watchlist.map((entry) =>
      changed.has(entry.address)
        ? {
            ...entry,
            chains: entry.chains.map((chain) =>
              (byHistory.get(historyKey(entry.address, chain.chainId)) ?? []).reduce(withSync, chain),
            ),
          }
        : entry,
    );
    for (const change of changes) for (const listener of this.#activityListeners) listener(change);
    return true;
  }
}

function historyKey(address: string, chainId: string): string {
  return `${address.toLowerCase()} ${chainId}`;
}

function withSync(chain: WatchedChain, { list, sync }: ActivityChange): WatchedChain {
  if (list === 'transactions') return { ...chain, sync: withKnownError(chain.sync, sync) };
  const otherLists = chain.otherLists.map((other) =>
    other.list === list ? { list, sync: withKnownError(other.sync, sync) } : other,
  );
  return { ...chain, otherLists };
}

/** The same error again keeps its identity: its countdown started when it was first seen. */
function withKnownError(known: ChainSync | undefined, next: ChainSync): ChainSync {
  const isSame = known?.error && JSON.stringify(known.error) === JSON.stringify(next.error);
  return isSame ? { ...next, error: known.error } : next;
}
