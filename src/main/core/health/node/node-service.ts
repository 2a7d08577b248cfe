import { refuse } from '../../../../shared/errors.ts';
import type { NodeConfig, NodeProbe, NodeStatus } from '../../../../shared/health/types.ts';
import { remoteHost } from '../../remote-host.ts';
import { nodeLimits } from '../../../../shared/limits.ts';
import { parseNodeUrl } from '../../../../shared/health/node-url.ts';
import { chainChecksOf } from '../../../../shared/health/scope.ts';
import type { ArgsOf, NodeFields } from '../../../../shared/ipc/contract.ts';
import type { HealthSettings } from '../../../../shared/settings.ts';
import { Turns } from '../../../../shared/turns.ts';
import { createListeners } from '../../listeners.ts';
import type { HealthStore, StoredNode } from '../../health-ports.ts';
import type { Ports } from '../../ports.ts';
import type { Removal } from '../../removals.ts';
import type { AskPorts, NodeAccess } from '../ask/ask-node.ts';
import { changeOptions, configOf, statusOf as toStatus, targetOf, NodeEntry } from './node-entry.ts';
import { checkCertificate, checkHeaders, checkNodeFields, type HeaderFields } from '../ask/node-fields.ts';
import { followUp } from './node-follow-up.ts';
import { NodeHeaders } from './node-headers.ts';
import { noteNodeId } from './node-identity.ts';
import { createNodeIntake, type TakenPoll } from './node-intake.ts';
import { createNodeUpkeep } from './node-upkeep.ts';
import { believedAfterMs } from './sure-time.ts';
import { notWatched, type HistorySource } from '../history/history-source.ts';
import { probeAnswer, probeNode } from '../ask/probe.ts';
import { createPoller, type PollerPorts } from '../poll/poller.ts';
import { RequestGate } from '../poll/request-gate.ts';
import { withTagChecks } from './tag-view.ts';

export interface NodeServicePorts extends PollerPorts, AskPorts, Pick<Ports, 'emit' | 'keychain'> {
  store: HealthStore;
  /** URL of a service on another computer, used to test the network connection; null without one. */
  remoteServiceUrl: () => string | null;
  /** The current limits of the history. */
  limits: () => Pick<HealthSettings, 'keepDays' | 'keepMegabytesPerNode' | 'recoverAfter'>;
}

export type NodeService = ReturnType<typeof createNodeService>;

/** What accepts a connection and says nothing, such as a captive portal, must not keep it open. */
const longestLookMs = 10_000;

/**
 * The watched nodes: polls them, stores their history, and implements the calls `nodes.*`. Calls throw `AppFailure`; a
 * storage error of a background poll is logged and never stops polling.
 */
export function createNodeService(ports: NodeServicePorts) {
  const { store, clock, random, log, emit } = ports;
  const entries = new Map<string, NodeEntry>();
  const pollListeners = createListeners<TakenPoll>();
  const headers = new NodeHeaders(ports.keychain, ports.log);
  const upkeepListeners = createListeners<null>();
  const upkeep = createNodeUpkeep({ ...ports, onDone: () => upkeepListeners.emit(null) });
  const stopped = new AbortController();
  /** Changes to the list, one at a time, so that two calls cannot both add the same address. */
  const changes = new Turns();

  const poller = createPoller(ports, {
    accessTo,
    onAnswer: async (answer, rhythm, signal) => {
      const entry = entries.get(answer.targetId);
      if (entry === undefined) return;
      await entry.turns.take(async () => {
        // What is asked may have changed while it waited for its turn.
        if (!signal.aborted) await intake.takeIn(entry, answer, rhythm);
      });
    },
    onReport: async (id, rest) => {
      const entry = entries.get(id);
      if (entry === undefined) return;
      const learned = await followUp(clock, entry, rest);
      await entry.turns.take(() => keepTagChecks(entry, learned));
    },
    onLiveness: (id, { reading, reportedNodeId }) => {
      const entry = entries.get(id);
      if (entry === undefined) return;
      entry.seen.liveness = probeAnswer('liveness', reading, clock.nowMs());
      if (reportedNodeId === null) return;
      const hadSeveral = entry.seen.nodeIds.length > 0;
      noteNodeId(entry, reportedNodeId, clock.monotonicMs());
      if (hadSeveral && entry.seen.nodeIds.length === 0) poller.pollSoon(id);
    },
    onSlept: (id) => {
      const entry = entries.get(id);
      if (entry !== undefined) entry.standing = null;
    },
    onChanged: (id) => {
      const entry = entries.get(id);
      if (entry !== undefined) tell(entry);
    },
  });

  const intake = createNodeIntake(ports, entries, {
    onTaken: (poll) => {
      if (poll.isStored) {
        upkeep.recorded(poll);
        emit('past.changed', { nodeId: poll.nodeId });
      }
      pollListeners.emit(poll);
    },
    onJudged: tell,
    onNetworkBack: ({ stored: { id } }) => {
      const { polling } = poller.statusOf(id);
      poller.pollSoon(id);
      return polling;
    },
    onDoubt: () => void lookForNetwork(),
  });

  /** Several nodes are lost together, and one look is for all of them. */
  const looks = new RequestGate();

  async function lookForNetwork(): Promise<void> {
    const url = ports.remoteServiceUrl();
    if (url === null || remoteHost(url) === null || !looks.pass('connect', clock.monotonicMs())) return;
    const line = ports.openLine(url, () => undefined);
    const limit = new AbortController();
    const cancel = ports.timers.after(longestLookMs, () => limit.abort());
    const failure = await line.connect(AbortSignal.any([stopped.signal, limit.signal]), true);
    cancel();
    line.close();
    if (failure === null) intake.remoteAnswered();
  }

  function statusOf(entry: NodeEntry): NodeStatus {
    return toStatus(entry, poller.statusOf(entry.stored.id));
  }

  function tell(entry: NodeEntry): void {
    emit('node.changed', statusOf(entry));
  }

  function list(): NodeStatus[] {
    return [...entries.values()].map(statusOf);
  }

  function configs(): NodeConfig[] {
    return [...entries.values()].map(({ stored }) => stored);
  }

  function entryOf(id: string): NodeEntry {
    return entries.get(id) ?? notWatched();
  }

  /** What requests to a node at its configured address need. */
  async function accessTo(id: string): Promise<NodeAccess> {
    const { url, headerNames, certificate } = entryOf(id).stored;
    return { headers: await headers.valuesFor(id, url, headerNames), certificate };
  }

  async function keepTagChecks(entry: NodeEntry, learned: StoredNode['tagChecks']): Promise<void> {
    const { stored } = entry;
    // The tags may have been changed in the meantime.
    const tagChecks = withTagChecks(learned, stored.tags, null);
    if (entry.removed || JSON.stringify(tagChecks) === JSON.stringify(stored.tagChecks)) return;
    entry.stored = { ...stored, tagChecks };
    await store.putNode(entry.stored);
  }

  function admit(node: StoredNode): NodeEntry {
    const entry = new NodeEntry(node);
    entries.set(node.id, entry);
    return entry;
  }

  async function putWithHeaders(
    node: StoredNode,
    given: HeaderFields,
    before: StoredNode | null,
  ): Promise<void> {
    // A locked keychain must not prevent a change that does not affect the values.
    const leavesValues =
      (before?.headerNames ?? []).join() === node.headerNames.join() &&
      (given.length === 0 || before?.url === node.url) &&
      given.every(({ value }) => value === null);
    if (leavesValues) return await store.putNode(node);
    const values = await headers.fill(node.id, node.url, given);
    await headers.keep(node.id, node.url, values, () => store.putNode(node));
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
    // A changed revision allows follow-up requests at once, as the user is waiting.
    entry.revision = 1;
    poller.put(targetOf(entry));
    emit('nodes.changed', list());
    return configOf(node);
  }

  async function update({ id, ...fields }: NodeFields & { id: string }): Promise<NodeConfig> {
    const entry = entryOf(id);
    const checked = checkNodeFields(fields, id, configs());
    // One at a time with the polls, which also write to the stored node.
    return await entry.turns.take(() => change(entry, checked));
  }

  async function change(entry: NodeEntry, { headers: given, ...options }: NodeFields): Promise<NodeConfig> {
    const before = entry.stored;
    const node: StoredNode = {
      ...before,
      ...options,
      headerNames: given.map(({ name }) => name),
      previousNodeId: (before.url === options.url ? null : entry.seen.nodeId) ?? before.previousNodeId,
      tagChecks: withTagChecks(before.tagChecks, options.tags, null),
    };
    await putWithHeaders(node, given, before);
    changeOptions(entry, node);
    const asksOtherwise =
      given.some(({ value }) => value !== null) ||
      JSON.stringify([before.headerNames, before.tags, before.certificate]) !==
        JSON.stringify([node.headerNames, node.tags, node.certificate]);
    if (asksOtherwise) {
      entry.revision += 1;
      entry.askedTags.clear();
    }
    poller.put(targetOf(entry));
    emit('nodes.changed', list());
    return configOf(node);
  }

  async function accept(id: string): Promise<void> {
    const entry = entryOf(id);
    await entry.turns.take(async () => {
      const stored = { ...entry.stored, previousNodeId: null };
      await store.putNode(stored);
      entry.stored = stored;
    });
    tell(entry);
  }

  async function remove(id: string): Promise<Removal> {
    const entry = entryOf(id);
    poller.remove(id);
    entry.removed = true;
    // Nothing may be stored for the node after it was removed.
    await entry.turns.settled();
    entries.delete(id);
    emit('nodes.changed', list());
    return {
      putBack: () => changes.take(async () => putBack(entry)),
      finish: () => changes.take(() => forget(entry.stored)),
    };
  }

  function putBack(entry: NodeEntry): void {
    checkNodeFields({ ...entry.stored, headers: [] }, null, configs());
    entry.removed = false;
    const all = [...entries.values(), entry].sort((a, b) => a.stored.addedAtMs - b.stored.addedAtMs);
    entries.clear();
    for (const one of all) entries.set(one.stored.id, one);
    poller.put(targetOf(entry));
    emit('nodes.changed', list());
  }

  /** Of those at one address the one in use last: others were removed, and not deleted yet, when the app ended. */
  async function storedNodes(): Promise<StoredNode[]> {
    const nodes: StoredNode[] = [];
    for (const same of Map.groupBy(await store.listNodes(), ({ url }) => url).values()) {
      const [last, ...others] = same.length > 1 ? await byLastUse(same) : same;
      nodes.push(...(last === undefined ? [] : [last]));
      for (const node of others) await forget(node).catch((cause: unknown) => log.error('node.left', cause));
    }
    return nodes;
  }

  async function byLastUse(nodes: readonly StoredNode[]): Promise<StoredNode[]> {
    const used = nodes.map(async (node) => {
      const { poll } = await store.latest(node.id);
      return { node, atMs: Math.max(node.addedAtMs, poll?.polledAtMs ?? 0) };
    });
    return (await Promise.all(used)).sort((a, b) => b.atMs - a.atMs).map(({ node }) => node);
  }

  async function forget({ id, headerNames }: StoredNode): Promise<void> {
    await store.removeNode(id);
    if (headerNames.length === 0) return;
    await headers.forget(id).catch((cause: unknown) => log.error('node.headers-left', cause));
  }

  /** Tests an address before a node is added or changed; `id` is the node being changed. */
  async function probe({ id, url: givenUrl, ...rest }: ArgsOf<'nodes.probe'>): Promise<NodeProbe> {
    const { url, problem } = parseNodeUrl(givenUrl);
    if (problem !== null) refuse(problem, 'url');
    const certificate = checkCertificate(rest.certificate, url);
    const values = await headers.fill(id, url, checkHeaders(rest.headers));
    const knownNodeId = (id === null ? undefined : entries.get(id))?.seen.nodeId ?? null;
    return await probeNode(ports, { url, headers: values, certificate }, knownNodeId, stopped.signal);
  }

  return {
    async start() {
      let [lastId, lastMs] = ['', 0];
      await changes.take(async () => {
        const admitted = (await storedNodes()).map((node) => admit(withAllowedInterval(node)));
        await Promise.all(admitted.map((entry) => intake.loadHistory(entry)));
        for (const { seen, stored } of admitted)
          if ((seen.lastPollAtMs ?? 0) > lastMs) [lastId, lastMs] = [stored.id, seen.lastPollAtMs ?? 0];
        emit('nodes.changed', list());
        for (const entry of admitted) poller.put(targetOf(entry));
      });
      const before = lastMs === 0 ? null : store.readPollAt(lastId, lastMs - believedAfterMs);
      const seen = await before?.catch((cause: unknown) => void log.error('node.history', cause));
      upkeep.start(seen?.polledAtMs ?? null);
    },
    /** Stops polling; resolves when everything is stored. */
    async stop() {
      poller.suspend();
      stopped.abort();
      await Promise.all([changes.settled(), upkeep.stop()]);
      await Promise.all([...entries.values()].map(({ turns }) => turns.settled()));
      await Promise.all([...entries.values()].map((entry) => intake.storeUnsaved(entry)));
    },
    list,
    urls: () => configs().map(({ url }) => url),
    /** The values go to the keychain; only the headers' names are stored and returned. */
    add: (fields: NodeFields) => changes.take(() => add(fields)),
    update: (change: NodeFields & { id: string }) => changes.take(() => update(change)),
    /** From now on the node that answers is the only one that is known at its address. */
    accept: (id: string) => changes.take(() => accept(id)),
    /** Removes the node; once that is final, also its history and header values. */
    remove: (id: string) => changes.take(() => remove(id)),
    /** Polls now, even a paused node, or joins the poll under way; resolves when the answer is stored. */
    async poll(id: string): Promise<NodeStatus> {
      await poller.pollNow(id);
      return statusOf(entryOf(id));
    },
    probe,
    accessTo,
    hideHeaders: (text: string) => headers.hide(text),
    /** Where each node's past is stored. */
    historySources: (): HistorySource[] =>
      [...entries.values()].map((entry) => ({
        id: entry.stored.id,
        name: entry.stored.name,
        store,
        sinceMs: entry.stored.addedAtMs,
        unsaved: () => entry.unsaved?.poll.episodes ?? [],
        get chainChecks() {
          return entry.seen.report && chainChecksOf(entry.seen.report);
        },
        nodeId: entry.seen.nodeId,
      })),
    received: (id: string) => entryOf(id).received,
    historyUse: async () => (await store.historyUse()).filter(({ nodeId }) => entries.has(nodeId)),
    limitsChanged: () => upkeep.limitsChanged(),
    /** Call when something else on another computer has answered, such as a service. */
    remoteAnswered: () => intake.remoteAnswered(),
    /** Before sleep: the time until waking up must not count against the nodes. */
    suspend: () => poller.suspend(),
    resume: () => poller.resume(),
    /** Called for every poll once it is stored or refused; returns the function that removes the listener. */
    onPoll: pollListeners.add,
    /** The same for each upkeep that has done something, after which old failures may be gone. */
    onUpkeep: upkeepListeners.add,
  };
}

/** Until 0.3.0 an interval could be shorter than the budget of a node allows. */
function withAllowedInterval(node: StoredNode): StoredNode {
  const { intervalMs } = node;
  return { ...node, intervalMs: intervalMs && Math.max(intervalMs, nodeLimits.intervalMs.min) };
}
