/**
 * The nodes that are watched: their list, options and extra headers, and what becomes of each answer until it is stored and
 * told. Puts the other rooms of health together.
 */
import { refuse } from '../../../../shared/errors.ts';
import type { NodeConfig, NodeProbe, NodeStatus } from '../../../../shared/health/types.ts';
import { parseNodeUrl } from '../../../../shared/health/node-url.ts';
import type { ArgsOf, NodeFields } from '../../../../shared/ipc/contract.ts';
import type { HealthSettings } from '../../../../shared/settings.ts';
import { Turns } from '../../../../shared/turns.ts';
import { createListeners } from '../../listeners.ts';
import type { HealthStore, StoredNode, StoredPoll } from '../../health-ports.ts';
import type { Keychain } from '../../ports.ts';
import type { AskPorts } from '../ask/ask-node.ts';
import {
  changeOptions,
  configOf,
  newEntry,
  statusOf as toStatus,
  targetOf,
  type NodeEntry,
} from './node-entry.ts';
import { checkHeaders, checkNodeFields, type HeaderFields } from '../ask/node-fields.ts';
import { followUp } from './node-follow-up.ts';
import { NodeHeaders, type HeaderValues } from './node-headers.ts';
import { createNodeIntake } from './node-intake.ts';
import { remoteHost } from '../ask/node-network.ts';
import { createNodeUpkeep } from './node-upkeep.ts';
import { notWatched, type HistorySource } from '../history/history-source.ts';
import { probeAnswer, probeNode } from '../ask/probe.ts';
import { createPoller, type PollerPorts } from '../poll/poller.ts';
import { withTagChecks } from './tag-view.ts';

export interface NodeServicePorts extends PollerPorts, AskPorts {
  store: HealthStore;
  keychain: Keychain;
  /** False when the system knows that this computer has no network. */
  isOnline: () => boolean;
  /** A service on another computer that could be connected to shows that the network is there; null without one. */
  remoteServiceUrl: () => string | null;
  /** The limits of the history that hold now. */
  limits: () => Pick<HealthSettings, 'keepDays' | 'keepMegabytesPerNode'>;
}

/** An address to be asked before it is added or changed; `id` is the node that is being changed. */
type Probe = ArgsOf<'nodes.probe'>;

export type NodeService = ReturnType<typeof createNodeService>;

/**
 * The nodes that are watched: polls them, folds what they say into history, and answers the calls `nodes.*`. Calls throw
 * `AppFailure`; a storage error of a background poll is logged and never stops the polling.
 */
export function createNodeService(ports: NodeServicePorts) {
  const { store, clock, random, log } = ports;
  const entries = new Map<string, NodeEntry>();
  const nodeListeners = createListeners<NodeStatus>();
  const listListeners = createListeners<NodeStatus[]>();
  const pollListeners = createListeners<StoredPoll>();
  const headers = new NodeHeaders(ports.keychain, clock);
  const upkeep = createNodeUpkeep(ports);
  const stopped = new AbortController();
  /** One change of the list after the other, so that two calls cannot both find an address free. */
  const changes = new Turns();

  const poller = createPoller(ports, {
    headersFor,
    onAnswer: async (answer) => {
      const entry = entries.get(answer.targetId);
      if (entry === undefined) return;
      await entry.turns.take(() => intake.takeIn(entry, answer, poller.rhythmOf(answer.targetId)));
    },
    onReport: async (id, rest) => {
      const entry = entries.get(id);
      if (entry === undefined) return;
      const learned = await followUp(ports, entry, rest, () => tell(entry));
      await entry.turns.take(() => keepTagChecks(entry, learned));
    },
    onLiveness: (id, reading) => {
      const entry = entries.get(id);
      if (entry !== undefined) entry.seen.liveness = probeAnswer('liveness', reading, clock.nowMs());
    },
    onChanged: (id) => {
      const entry = entries.get(id);
      if (entry !== undefined) tell(entry);
    },
  });

  const intake = createNodeIntake(ports, entries, {
    onRecorded: (poll) => {
      upkeep.recorded(poll);
      pollListeners.emit(poll);
    },
    onJudged: tell,
    onNetworkBack: ({ stored }) => void poller.pollNow(stored.id),
    onDoubt: () => void lookForNetwork(),
  });

  async function lookForNetwork(): Promise<void> {
    const url = ports.remoteServiceUrl();
    if (url === null || remoteHost(url) === null) return;
    const line = ports.openLine(url, () => undefined);
    if (await line.connect(stopped.signal)) intake.remoteAnswered();
    line.close();
  }

  function statusOf(entry: NodeEntry): NodeStatus {
    return toStatus(entry, poller.statusOf(entry.stored.id));
  }

  function tell(entry: NodeEntry): void {
    nodeListeners.emit(statusOf(entry));
  }

  function list(): NodeStatus[] {
    return [...entries.values()].map(statusOf);
  }

  function* configs(): Iterable<NodeConfig> {
    for (const { stored } of entries.values()) yield stored;
  }

  function entryOf(id: string): NodeEntry {
    return entries.get(id) ?? notWatched();
  }

  /** The extra headers for requests to a node at its own address. */
  async function headersFor(id: string): Promise<HeaderValues> {
    const { url, headerNames } = entryOf(id).stored;
    return await headers.valuesFor(id, url, headerNames);
  }

  async function keepTagChecks(entry: NodeEntry, learned: StoredNode['tagChecks']): Promise<void> {
    const { stored } = entry;
    // Tags may have been changed meanwhile.
    const tagChecks = withTagChecks(learned, stored.tags, null);
    if (entry.removed || JSON.stringify(tagChecks) === JSON.stringify(stored.tagChecks)) return;
    entry.stored = { ...stored, tagChecks };
    await store.putNode(entry.stored);
  }

  function admit(node: StoredNode): NodeEntry {
    const entry = newEntry(node);
    entries.set(node.id, entry);
    return entry;
  }

  /** Stores the node, and before it the values of its headers; if the node cannot be stored, the old values stay. */
  async function putWithHeaders(
    node: StoredNode,
    given: HeaderFields,
    before: StoredNode | null,
  ): Promise<void> {
    // A locked keychain shall not be in the way of a change that leaves the values alone.
    const leavesValues =
      (before?.headerNames ?? []).join() === node.headerNames.join() &&
      (given.length === 0 || before?.url === node.url) &&
      given.every(({ value }) => value === null);
    if (leavesValues) return await store.putNode(node);
    const values = await headers.fill(node.id, node.url, given);
    const undo = await headers.keep(node.id, node.url, values);
    try {
      await store.putNode(node);
    } catch (error) {
      // Why it was not stored is what the user can act on.
      await undo().catch((cause: unknown) => log.error('node.headers-left', cause));
      throw error;
    }
  }

  async function add(fields: NodeFields): Promise<NodeConfig> {
    const { headers: given, ...options } = checkNodeFields(fields, null, configs());
    const node: StoredNode = {
      id: random.id(),
      ...options,
      headerNames: given.map(({ name }) => name),
      addedAtMs: clock.nowMs(),
      previousNodeId: null,
      tagChecks: [],
    };
    await putWithHeaders(node, given, null);
    const entry = admit(node);
    // A person waits for what is asked beside health.
    entry.revision = 1;
    poller.put(targetOf(entry));
    listListeners.emit(list());
    return configOf(node);
  }

  async function update({ id, ...fields }: NodeFields & { id: string }): Promise<NodeConfig> {
    const entry = entryOf(id);
    const checked = checkNodeFields(fields, id, configs());
    // In turn with the polls, which store what they learn of the node in the same place.
    return await entry.turns.take(() => change(entry, checked));
  }

  async function change(entry: NodeEntry, { headers: given, ...options }: NodeFields): Promise<NodeConfig> {
    const before = entry.stored;
    const node: StoredNode = {
      ...before,
      ...options,
      headerNames: given.map(({ name }) => name),
      tagChecks: withTagChecks(before.tagChecks, options.tags, null),
    };
    await putWithHeaders(node, given, before);
    changeOptions(entry, node);
    const asksOtherwise =
      given.some(({ value }) => value !== null) ||
      JSON.stringify([before.headerNames, before.tags]) !== JSON.stringify([node.headerNames, node.tags]);
    if (asksOtherwise) {
      entry.revision += 1;
      entry.askedTags.clear();
    }
    poller.put(targetOf(entry));
    listListeners.emit(list());
    return configOf(node);
  }

  async function remove(id: string): Promise<null> {
    const entry = entryOf(id);
    poller.remove(id);
    entry.removed = true;
    // Nothing may be stored of the node after it was removed.
    await entry.turns.settled();
    try {
      await store.removeNode(id);
    } catch (error) {
      entry.removed = false;
      poller.put(targetOf(entry));
      throw error;
    }
    entries.delete(id);
    listListeners.emit(list());
    if (entry.stored.headerNames.length > 0) {
      await headers.forget(id).catch((cause: unknown) => log.error('node.headers-left', cause));
    }
    return null;
  }

  async function probe({ id, url: givenUrl, headers: given }: Probe): Promise<NodeProbe> {
    const { url, problem } = parseNodeUrl(givenUrl);
    if (problem !== null) refuse(problem, 'url');
    const values = await headers.fill(id, url, checkHeaders(given));
    const knownNodeId = (id === null ? undefined : entries.get(id))?.seen.nodeId ?? null;
    return await probeNode(ports, { url, headers: values }, knownNodeId, stopped.signal);
  }

  return {
    /** Loads the nodes and begins to poll them. */
    async start() {
      let seenMs: number | null = null;
      await changes.take(async () => {
        const nodes = await store.listNodes();
        const admitted = nodes.map(admit);
        await Promise.all(admitted.map((entry) => intake.loadHistory(entry)));
        for (const { stored, seen } of admitted) {
          if (!stored.paused && seen.lastPollAtMs !== null)
            seenMs = Math.max(seenMs ?? seen.lastPollAtMs, seen.lastPollAtMs);
        }
        listListeners.emit(list());
        for (const entry of admitted) poller.put(targetOf(entry));
      });
      upkeep.start(seenMs);
    },
    /** Stops polling; ends when everything under way is stored. */
    async stop() {
      poller.suspend();
      stopped.abort();
      await Promise.all([changes.settled(), upkeep.stop()]);
      await Promise.all([...entries.values()].map(({ turns }) => turns.settled()));
    },
    list,
    /** The values of headers go to the keychain; what is returned and stored has only their names. */
    add: (fields: NodeFields) => changes.take(() => add(fields)),
    update: (change: NodeFields & { id: string }) => changes.take(() => update(change)),
    /** Forgets the node, its history and the values of its headers. */
    remove: (id: string) => changes.take(() => remove(id)),
    /** Polls now, or joins the poll under way, also a node that is paused; the answer is stored by then. */
    async poll(id: string): Promise<NodeStatus> {
      await poller.pollNow(id);
      return statusOf(entryOf(id));
    },
    probe,
    headersFor,
    /** Where the past of each node is stored. */
    historySources: (): HistorySource[] =>
      [...entries.values()].map(({ stored: { id, name }, seen: { nodeId } }) => ({
        id,
        name,
        store,
        chainChecks: null,
        nodeId,
      })),
    received: (id: string) => entryOf(id).received,
    historyUse: () => store.historyUse(),
    limitsChanged: () => upkeep.limitsChanged(),
    /** Something on another computer answered, such as a service. */
    remoteAnswered: () => intake.remoteAnswered(),
    /** The computer goes to sleep: what is not seen from now on is nobody's failure. */
    suspend() {
      for (const entry of entries.values()) entry.standing = null;
      poller.suspend();
    },
    resume: () => poller.resume(),
    /** Each returns the function that ends the listening. */
    onNodeChanged: (listener: (status: NodeStatus) => void) => nodeListeners.add(listener),
    onListChanged: (listener: (nodes: NodeStatus[]) => void) => listListeners.add(listener),
    /** Told of every poll when it is stored. */
    onRecorded: (listener: (poll: StoredPoll) => void) => pollListeners.add(listener),
  };
}
