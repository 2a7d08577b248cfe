import type {
  BookEntry,
  CompletionStatus,
  WatchedAddress,
  WatchedChain,
} from '../../../shared/activity/types.ts';
import { plannedAt } from '../../../shared/alerts/planned.ts';
import { LookAlikes } from '../../../shared/activity/look-alike.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import type { BudgetStatus } from '../../../shared/explore/types.ts';
import { incidentTitle } from '../../../shared/health/incident-title.ts';
import type { FileTask } from '../../../shared/file-task.ts';
import type { Incident, NodeStatus, RecordingInfo } from '../../../shared/health/types.ts';
import type {
  AppSnapshot,
  ConnectionStatus,
  Removed,
  SecretStatus,
  StorageStatus,
} from '../../../shared/ipc/answers.ts';
import type { EventContract } from '../../../shared/ipc/contract.ts';
import type { OutboundStatus } from '../../../shared/outbound.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import type { UpdateStatus } from '../../../shared/updates.ts';
import { call, listen } from '../bridge.ts';

type ActivityChange = EventContract['activity.changed'];

/** Parts of the snapshot whose event `….changed` has their whole new value. */
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
  'outbound',
  'updates',
  'alerts',
] as const satisfies readonly (keyof AppSnapshot)[];

const unknownShare = {
  remainingThisMinute: null,
  limitPerMinute: null,
  remainingToday: null,
  limitPerDay: null,
  heldUntilMs: null,
};

/**
 * The name of an address and its source: the watchlist (null for an address without a label or a name), the user's
 * book, or the service. A name from the service is untrusted, and shown as such.
 */
export interface KnownName {
  text: string | null;
  from: 'watchlist' | 'book' | 'service';
}

/** A copy of the main process's state, kept current by its events. One instance per window. */
export class AppState implements AppSnapshot {
  /** Resolves when further changes may be taken: they come in bursts. */
  readonly settle: () => Promise<void>;
  phase = $state<'starting' | 'ready' | 'failed'>('starting');
  startError = $state.raw<AppError | null>(null);
  /** Whether this window shows the sample data. */
  isSample = $state(false);
  version = $state('');
  dataFolder = $state('');
  locale = $state('');
  /** The settings as the main process told them, and the changes that it has not answered yet. */
  #told = $state.raw<Settings>(defaultSettings);
  #wanted = $state.raw<readonly Partial<Settings>[]>([]);
  readonly #settings = $derived(
    this.#wanted.reduce<Settings>((settings, change) => ({ ...settings, ...change }), this.#told),
  );
  secret = $state.raw<SecretStatus>({ present: false, storage: 'none', keychain: 'unknown' });
  storage = $state.raw<StorageStatus>({ state: 'opening', notKept: false, notices: [] });
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
  /** The export of activity that is being written. */
  activityExport = $state.raw<FileTask | null>(null);
  nodes = $state.raw<NodeStatus[]>([]);
  /** Open recordings. */
  recordings = $state.raw<RecordingInfo[]>([]);
  /** The recording that is being written or read. */
  recordingTask = $state.raw<FileTask | null>(null);
  budget = $state.raw<BudgetStatus>({ data: unknownShare, metrics: unknownShare });
  outbound = $state.raw<OutboundStatus>({ sinceMs: 0, uses: [], others: [], logins: {} });
  /** How many are open, neither acknowledged nor snoozed. */
  alerts = $state(0);
  updates = $state.raw<UpdateStatus>({ host: null, obstacle: null, state: { at: 'idle' } });

  /** The known names of chains by chain id. */
  readonly chainNames: ReadonlyMap<string, string> = $derived(
    new Map(
      this.watchlist.flatMap((entry) => entry.chains.map((chain) => [chain.chainId, chain.name] as const)),
    ),
  );

  /** The same by blockchain id, which nodes use as the name of a chain's check. */
  readonly blockchainNames: ReadonlyMap<string, string> = $derived(
    new Map(
      this.watchlist
        .flatMap((entry) => entry.chains)
        .flatMap(({ blockchainId, name }) => (blockchainId === null ? [] : [[blockchainId, name] as const])),
    ),
  );

  /** Nodes by their node ids, by which other nodes refer to them. */
  readonly nodesByTheirId: ReadonlyMap<string, NodeStatus> = $derived(
    new Map(
      this.nodes.flatMap((status) => (status.nodeId === null ? [] : [[status.nodeId, status] as const])),
    ),
  );
  /** Names of nodes by node id. */
  readonly nodeNames: ReadonlyMap<string, string> = $derived(
    new Map([...this.nodesByTheirId].map(([id, { node }]) => [id, node.name])),
  );

  /** The names of nodes by id, each with its address where another node has the same one. */
  readonly nodeTitles: ReadonlyMap<string, string> = $derived.by(() => {
    const alike = Map.groupBy(this.nodes, ({ node }) => node.name);
    return new Map(
      this.nodes.map(({ node: { id, name, url } }) => [
        id,
        alike.get(name)?.length === 1 ? name : `${name} · ${url.replace(/^https?:\/\//, '')}`,
      ]),
    );
  });

  /** Names given by the user, by address in lower case, because not every service writes the checksum. */
  readonly #names: ReadonlyMap<string, KnownName> = $derived.by(() => {
    const names = new Map<string, KnownName>();
    for (const { address, name } of this.book) names.set(address.toLowerCase(), { text: name, from: 'book' });
    for (const { address, label } of this.watchlist) {
      const lower = address.toLowerCase();
      names.set(lower, { text: label ?? names.get(lower)?.text ?? null, from: 'watchlist' });
    }
    return names;
  });
  readonly #watched: ReadonlyMap<string, WatchedAddress> = $derived(
    new Map(this.watchlist.map((entry) => [entry.address.toLowerCase(), entry])),
  );

  /** Finds look-alikes of the user's addresses. */
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

  /** Events that arrive before the snapshot are newer than it, so they are applied after it; null once it is there. */
  #waiting: (() => void)[] | null = [];

  /** Changes of histories that are still to be applied; null while there is no burst. */
  #collected: Map<string, ActivityChange> | null = null;

  constructor(settle: () => Promise<void> = () => Promise.resolve()) {
    this.settle = settle;
  }

  /** A change counts at once, so that the next one goes on from it, and no longer once it is refused. */
  get settings(): Settings {
    return this.#settings;
  }

  set settings(told: Settings) {
    this.#told = told;
  }

  /** Loads the snapshot and follows the events; returns a function that stops this. */
  start(): () => void {
    const inOrder = (apply: () => void) =>
      this.#waiting === null ? apply() : void this.#waiting.push(apply);

    const endings = [
      ...toldWhole.map((part) =>
        listen(`${part}.changed`, (value) => inOrder(() => Object.assign(this, { [part]: value }))),
      ),
      listen('watchlist.changed', (watchlist) => inOrder(() => this.#putWatchlist(watchlist))),
      listen('node.changed', (status) => inOrder(() => this.#putNode(status))),
      listen('activity.changed', (change) => inOrder(() => this.#putSync(change))),
    ];
    // Asked for itself, because the snapshot waits until the sample data is made.
    const askIfSample = async () => {
      const result = await call('app.isSample');
      this.isSample = result.ok && result.value;
    };
    void askIfSample();
    void this.load();
    return () => {
      for (const end of endings) end();
    };
  }

  /** Loads the snapshot; can be repeated after a failure. */
  async load(): Promise<void> {
    this.phase = 'starting';
    // Those of a start that has failed are older than what is asked for now.
    this.#waiting &&= [];
    const result = await call('app.snapshot');
    if (result.ok) {
      Object.assign(this, result.value);
      for (const apply of this.#waiting ?? []) apply();
      this.#waiting = null;
    } else this.startError = result.error;
    this.phase = result.ok ? 'ready' : 'failed';
  }

  /** Whether it began while its node was being worked on. */
  isPlanned({ nodeId, startedAtMs }: Incident): boolean {
    return plannedAt(this.settings.alerts.planned, nodeId, startedAtMs) !== undefined;
  }

  /** An incident in a sentence. */
  incidentTitle(incident: Incident): string {
    const node =
      this.node(incident.nodeId)?.node.name ??
      this.recordings.find(({ id }) => id === incident.nodeId)?.nodeName;
    const names = { chains: this.blockchainNames, nodes: this.nodeNames };
    return incidentTitle(incident, { node: node ?? 'a removed node', ...names });
  }

  /** The name of an address: the user's label, else the name in the book, else `serviceName`; null without any. */
  nameOf(address: string, serviceName: string | null = null): KnownName | null {
    const known = this.#names.get(address.toLowerCase());
    return known ?? (serviceName === null ? null : { text: serviceName, from: 'service' });
  }

  /** The watched address, in any spelling; null when it is not watched. */
  watched(address: string): WatchedAddress | null {
    return this.#watched.get(address.toLowerCase()) ?? null;
  }

  /** Asks for a file and opens the recording in it; null when the user chose none. */
  async openRecording(): Promise<Result<RecordingInfo | null>> {
    const result = await call('recordings.open');
    const opened = result.ok ? result.value : null;
    if (opened !== null) {
      this.recordings = [...this.recordings.filter(({ id }) => id !== opened.id), opened];
    }
    return result;
  }

  async closeRecording(id: string): Promise<Result<Removed>> {
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

  /** Changes settings; the new ones arrive as an event before the answer. */
  async updateSettings(change: Partial<Settings>): Promise<Result<Settings>> {
    this.#wanted = [...this.#wanted, change];
    const result = await call('settings.update', change);
    this.#wanted = this.#wanted.filter((other) => other !== change);
    return result;
  }

  /** Stores the width of the list at the left of a view; null: the default. */
  setPaneWidth(pane: keyof Settings['paneWidths'], width: number | null): Promise<Result<Settings>> {
    return this.updateSettings({ paneWidths: { ...this.settings.paneWidths, [pane]: width } });
  }

  #putNode(status: NodeStatus): void {
    this.nodes = this.nodes.map((known) => (known.node.id === status.node.id ? status : known));
  }

  #putWatchlist(watchlist: WatchedAddress[]): void {
    // It is newer than what came before it.
    this.#collected?.clear();
    this.watchlist = watchlist;
  }

  /** The first change is applied at once, further ones within the settling time together. */
  #putSync(change: ActivityChange): void {
    const { address, chainId, list } = change;
    const isFirst = this.#collected === null;
    this.#collected ??= new Map();
    this.#collected.set(`${list} ${historyKey(address, chainId)}`, change);
    if (isFirst) void this.#applyWhenSettled();
  }

  async #applyWhenSettled(): Promise<void> {
    while (this.#applyCollected()) await this.settle();
    this.#collected = null;
  }

  /** Whether there was anything to apply. */
  #applyCollected(): boolean {
    const changes = [...(this.#collected?.values() ?? [])];
    if (changes.length === 0) return false;
    this.#collected?.clear();
    const byHistory = Map.groupBy(changes, ({ address, chainId }) => historyKey(address, chainId));
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
    return true;
  }
}

const historyKey = (address: string, chainId: string): string => `${address.toLowerCase()} ${chainId}`;

function withSync(chain: WatchedChain, { list, sync }: ActivityChange): WatchedChain {
  if (list === 'transactions') return { ...chain, sync };
  const otherLists = chain.otherLists.map((other) => (other.list === list ? { list, sync } : other));
  return { ...chain, otherLists };
}
