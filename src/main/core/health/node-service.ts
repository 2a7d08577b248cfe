import { AppFailure, err, ok, unwrap, type AppError, type Result } from '../../../shared/errors.ts';
import { parseStoredReport } from '../../../shared/health/stored-report.ts';
import type {
  FailureEpisode,
  HealthReport,
  NodeConfig,
  NodeState,
  NodeStatus,
  Strip,
} from '../../../shared/health/types.ts';
import { createListeners } from '../listeners.ts';
import type { HealthStore, StoredEpisode, StoredNode } from '../ports.ts';
import { foldAnswer, restoreHistory, type History } from './history.ts';
import { parseNodeUrl } from './node-address.ts';
import { createPoller, type PollAnswer, type PollerPorts } from './poller.ts';
import { composeStrips } from './strips.ts';

export interface NodeServicePorts extends PollerPorts {
  store: HealthStore;
}

/** What a person says about a node. An empty name becomes the host of the address. */
export interface NodeFields {
  name: string;
  url: string;
  intervalMs: number;
}

/**
 * The nodes that are watched: polls them, folds what they say into history, and answers the calls `nodes.*`. Calls end
 * with an error of the closed set; a storage error of a background poll is logged and never stops the polling.
 */
export interface NodeService {
  /** Loads the nodes and begins to poll them. Throws `AppFailure` when the list of nodes cannot be read. */
  start(): Promise<void>;
  /** Stops polling; ends when everything under way is stored. */
  stop(): Promise<void>;
  list(): NodeStatus[];
  add(fields: NodeFields): Promise<Result<NodeConfig>>;
  update(change: NodeFields & { id: string }): Promise<Result<NodeConfig>>;
  /** Forgets the node and its history. */
  remove(id: string): Promise<Result<null>>;
  /** Polls now, or joins the poll under way; the answer is stored by then. */
  poll(id: string): Promise<Result<NodeStatus>>;
  /** Cells are of whole milliseconds, so the last one may reach a little beyond `toMs`. */
  strips(query: { id: string; fromMs: number; toMs: number; cellCount: number }): Promise<Result<Strip[]>>;
  episodes(query: { id: string; check: string | null; limit: number }): Promise<Result<FailureEpisode[]>>;
  /** The computer goes to sleep: what is not seen from now on is nobody's failure. */
  suspend(): void;
  resume(): void;
  /** Each returns the function that ends the listening. */
  onNodeChanged(listener: (status: NodeStatus) => void): () => void;
  onListChanged(listener: (nodes: NodeStatus[]) => void): () => void;
}

const retentionMs = 365 * 86_400_000;
const pruneEveryMs = 86_400_000;
const intervalRangeMs = { min: 1_000, max: 86_400_000 };

interface Entry {
  config: NodeConfig;
  state: NodeState;
  reason: string;
  report: HealthReport | null;
  reportAtMs: number | null;
  lastPollAtMs: number | null;
  error: AppError | null;
  nodeId: string | null;
  previousNodeId: string | null;
  /** Null until it could be read from the store. */
  history: History | null;
  /** Ends when the last answer is stored; answers of one node are taken in one after the other. */
  recording: Promise<void>;
  removed: boolean;
}

export function createNodeService(ports: NodeServicePorts): NodeService {
  const { store, clock, timers, random, log } = ports;
  const entries = new Map<string, Entry>();
  const nodeListeners = createListeners<NodeStatus>();
  const listListeners = createListeners<NodeStatus[]>();
  let lastChange: Promise<unknown> = Promise.resolve();
  let cancelPrune: (() => void) | null = null;

  const poller = createPoller(ports, {
    onAnswer: async (answer) => {
      const entry = entries.get(answer.targetId);
      if (entry === undefined) return;
      const turn = entry.recording.then(() => takeIn(entry, answer));
      // The poller has the error; the next answer must not fail with it.
      entry.recording = turn.catch(() => undefined);
      await turn;
    },
    onChanged: (id) => {
      const entry = entries.get(id);
      if (entry !== undefined) nodeListeners.emit(statusOf(entry));
    },
  });

  function statusOf(entry: Entry): NodeStatus {
    const { config, state, reason, report, reportAtMs, lastPollAtMs, error, nodeId, previousNodeId } = entry;
    return {
      node: config,
      state,
      reason,
      report,
      reportAtMs,
      lastPollAtMs,
      ...poller.statusOf(config.id),
      error,
      nodeId,
      previousNodeId,
    };
  }

  function list(): NodeStatus[] {
    return [...entries.values()].map(statusOf);
  }

  /** One change of the list after the other, so that two calls cannot both find an address free. */
  function inTurn<T>(change: () => Promise<Result<T>>): Promise<Result<T>> {
    const turn = lastChange.then(() => asResult(change));
    // The caller has the error; the queue only needs the end.
    lastChange = turn.catch(() => undefined);
    return turn;
  }

  // ---- Taking in an answer -----------------------------------------------------------------------------------------

  async function takeIn(entry: Entry, answer: PollAnswer): Promise<void> {
    if (entry.removed) return;
    const { reading, polledAtMs, reportedNodeId } = answer;
    // Needed to tell whether the node is still the same one; tries again if the store could not be read before.
    await loadHistory(entry);
    entry.lastPollAtMs = polledAtMs;
    entry.state = reading.state;
    entry.reason = reading.reason;
    entry.error = reading.kind === 'no-report' ? reading.error : null;
    if (reading.kind === 'report') {
      entry.report = reading.report;
      entry.reportAtMs = polledAtMs;
    }
    if (reportedNodeId !== null && reportedNodeId !== entry.nodeId) {
      entry.previousNodeId = entry.nodeId;
      entry.nodeId = reportedNodeId;
    }
    await record(entry, answer);
  }

  async function record(entry: Entry, answer: PollAnswer): Promise<void> {
    // Without its past a poll would be recorded as if the node had none; the next one tries again.
    if (entry.history === null || entry.removed) return;
    const { poll, history } = foldAnswer(entry.config.id, entry.history, answer, () => random.id());
    try {
      await store.recordPoll(poll);
      // Only now: what could not be stored is folded again from what the store knows.
      entry.history = history;
    } catch (error) {
      log.error('node.record', error);
    }
  }

  async function loadHistory(entry: Entry): Promise<void> {
    if (entry.history !== null) return;
    const { id } = entry.config;
    try {
      const [{ poll, lastReport }, openEpisodes] = await Promise.all([
        store.latest(id),
        store.openEpisodes(id),
      ]);
      const reportJson = lastReport?.reportJson ?? null;
      const report = reportJson === null ? null : parseStoredReport(reportJson);
      if (reportJson !== null && report === null) log.warn('node.stored-report-unreadable', { nodeId: id });
      entry.history = restoreHistory(report, lastReport?.polledAtMs ?? 0, openEpisodes);
      // What was seen since the start, while the store could not be read, is newer.
      if (entry.lastPollAtMs !== null) return;
      entry.report = report;
      entry.reportAtMs = report === null ? null : (lastReport?.polledAtMs ?? null);
      entry.lastPollAtMs = poll?.polledAtMs ?? null;
      entry.nodeId = poll?.reportedNodeId ?? lastReport?.reportedNodeId ?? null;
    } catch (error) {
      log.error('node.history', error);
    }
  }

  // ---- Start and upkeep --------------------------------------------------------------------------------------------

  function admit(node: StoredNode): Entry {
    const entry: Entry = {
      config: node,
      state: 'unknown',
      reason: 'The node was not asked yet.',
      report: null,
      reportAtMs: null,
      lastPollAtMs: null,
      error: null,
      nodeId: null,
      previousNodeId: null,
      history: null,
      recording: Promise.resolve(),
      removed: false,
    };
    entries.set(node.id, entry);
    return entry;
  }

  async function prune(): Promise<void> {
    cancelPrune = timers.after(pruneEveryMs, () => void prune());
    try {
      await store.prune(clock.nowMs() - retentionMs);
    } catch (error) {
      log.error('node.prune', error);
    }
  }

  return {
    async start() {
      const started = await inTurn(async () => {
        const nodes = await store.listNodes();
        await Promise.all(nodes.map((node) => loadHistory(admit(node))));
        listListeners.emit(list());
        for (const node of nodes) poller.put(node);
        return ok(null);
      });
      unwrap(started);
      void prune();
    },
    async stop() {
      poller.suspend();
      cancelPrune?.();
      await lastChange;
      await Promise.all([...entries.values()].map((entry) => entry.recording));
    },
    list,
    add: (fields) =>
      inTurn(async () => {
        const checked = checkFields(fields, null, entries.values());
        if (!checked.ok) return checked;
        const node: StoredNode = { id: random.id(), ...checked.value, addedAtMs: clock.nowMs() };
        await store.putNode(node);
        admit(node);
        poller.put(node);
        listListeners.emit(list());
        return ok(node);
      }),
    update: ({ id, ...fields }) =>
      inTurn(async () => {
        const entry = entries.get(id);
        if (entry === undefined) return noSuchNode();
        const checked = checkFields(fields, id, entries.values());
        if (!checked.ok) return checked;
        const node: StoredNode = { ...entry.config, ...checked.value };
        await store.putNode(node);
        if (node.url !== entry.config.url) {
          entry.state = 'unknown';
          entry.reason = 'The address was changed and not asked yet.';
          entry.error = null;
        }
        entry.config = node;
        poller.put(node);
        listListeners.emit(list());
        return ok(node);
      }),
    remove: (id) =>
      inTurn(async () => {
        const entry = entries.get(id);
        if (entry === undefined) return noSuchNode();
        poller.remove(id);
        entry.removed = true;
        // Nothing may be stored of the node after it was removed.
        await entry.recording;
        try {
          await store.removeNode(id);
        } catch (error) {
          entry.removed = false;
          poller.put(entry.config);
          throw error;
        }
        entries.delete(id);
        listListeners.emit(list());
        return ok(null);
      }),
    async poll(id) {
      await poller.pollNow(id);
      const entry = entries.get(id);
      return entry === undefined ? noSuchNode() : ok(statusOf(entry));
    },
    strips: ({ id, fromMs, toMs, cellCount }) =>
      asResult(async () => {
        const entry = entries.get(id);
        if (entry === undefined) return noSuchNode();
        if (!(toMs > fromMs) || !Number.isInteger(cellCount) || cellCount < 1) {
          return invalid('A strip needs an end after its start and at least one cell.', 'toMs');
        }
        const startMs = Math.floor(fromMs);
        const span = { fromMs: startMs, cellMs: Math.ceil((toMs - startMs) / cellCount), cellCount };
        const cells = await store.readCells(id, span.fromMs, span.cellMs, span.cellCount);
        return ok(
          composeStrips(
            cells,
            (entry.report?.checks ?? []).map((check) => check.name),
            span,
          ),
        );
      }),
    episodes: ({ id, check, limit }) =>
      asResult(async () => {
        if (!entries.has(id)) return noSuchNode();
        const stored = await store.readEpisodes(id, check, limit);
        return ok(stored.map(withoutId));
      }),
    suspend: () => {
      poller.suspend();
    },
    resume: () => {
      poller.resume();
    },
    onNodeChanged: (listener) => nodeListeners.add(listener),
    onListChanged: (listener) => listListeners.add(listener),
  };
}

function checkFields(fields: NodeFields, ownId: string | null, entries: Iterable<Entry>): Result<NodeFields> {
  const url = parseNodeUrl(fields.url);
  if (!url.ok) return url;
  const { intervalMs } = fields;
  if (!Number.isInteger(intervalMs) || intervalMs < intervalRangeMs.min || intervalMs > intervalRangeMs.max) {
    return invalid('The interval must be between one second and one day.', 'intervalMs');
  }
  for (const { config } of entries) {
    if (config.url === url.value && config.id !== ownId) {
      return invalid(`This address is watched already, as “${config.name}”.`, 'url');
    }
  }
  const name = fields.name.trim();
  return ok({ name: name === '' ? url.value.replace(/^https?:\/\//, '') : name, url: url.value, intervalMs });
}

function invalid(message: string, field: string): Result<never> {
  return err({ code: 'invalid-params', message, issues: [field] });
}

function noSuchNode(): Result<never> {
  return err({ code: 'not-found', message: 'This node is not watched (any more).' });
}

function withoutId(stored: StoredEpisode): FailureEpisode {
  const { id, ...episode } = stored;
  void id;
  return episode;
}

/** Storage errors are thrown as `AppFailure`; anything else is a defect and goes on to whoever reports those. */
async function asResult<T>(action: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof AppFailure) return err(error.error);
    throw error;
  }
}
