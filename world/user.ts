import { addressNews } from '../src/shared/alerts/types.ts';
import { everything } from '../src/shared/activity/filter.ts';
import type { AlertSettings } from '../src/shared/settings.ts';
import type { Result } from '../src/shared/errors.ts';
import type { NodeConfig } from '../src/shared/health/types.ts';
import type { Deed } from './history.ts';
import type { Machine } from './machine.ts';
import type { NodeTruth } from './node-truth.ts';
import type { PastAnswers } from './past-answers.ts';
import { addresses } from './service-answers.ts';
import type { WorldTime } from './time.ts';

/** How long the window offers to undo a removal. */
const undoForMs = 10_000;

/** The user, who does things by the calls of the window and knows what should be in the lists afterwards. */
export class User {
  /** URLs of nodes, and addresses, that should be there; null while it is open whether they are. */
  readonly nodes = new Map<string, boolean | null>();
  readonly addresses = new Map<string, boolean | null>();
  /** When the user last wanted all details; null for never. */
  wantedDetailsMs: number | null = null;
  /** True time of the last change of the service. */
  serviceChosenMs = 0;
  /** How often the user has begun or ended to ask in Explore, and how many questions are open. */
  questions = 0;
  openQuestions = 0;
  /** True time of the last "Stop", which ends a check under way. */
  stoppedMs = 0;
  /** Addresses that are paused, and of which the user has wanted nothing since; with when that was. */
  readonly paused = new Map<string, number>();
  #toAddresses = 0;
  /** When something was done to a node that allows it more requests, by its host; the computer awake (`awakeMs`). */
  readonly askedMs = new Map<string, number[]>();
  /** Until when alerts are paused, by the computer's clock. */
  alertsWaitUntilMs = 0;
  /** Something that undo did not give back. */
  readonly #lost: (words: string) => void;
  /** What was removed and can still be undone. */
  readonly #unsettled = new Set<string>();
  /** Ids of nodes whose URL is being changed: until that is saved, their forms do not remove them. */
  readonly #moving = new Set<string>();
  readonly #time: WorldTime;
  readonly #machine: Machine;
  readonly #truths: readonly NodeTruth[];
  readonly #answers: PastAnswers;

  constructor(
    time: WorldTime,
    machine: Machine,
    truths: readonly NodeTruth[],
    answers: PastAnswers,
    lost: (words: string) => void,
  ) {
    this.#time = time;
    this.#machine = machine;
    this.#truths = truths;
    this.#answers = answers;
    this.#lost = lost;
  }

  async does(deed: Deed): Promise<void> {
    const { app } = this.#machine;
    if (app === null || this.#time.isAsleep) return;
    if (deed.does === 'set-window') return app.setWindow(deed.to);
    // A user looks at the window, and waits until it is there.
    app.setWindow('shown');
    while (app.window() === null) await this.#wait(500);
    if (this.#machine.app !== app) return;
    switch (deed.does) {
      case 'add-node':
      case 'poll-now':
      case 'pause-node':
      case 'resume-node':
      case 'remove-node':
      case 'move-node':
      case 'set-interval':
        // The app begins with it when it is called, or, where its store is slow, when it answers.
        this.#asks(deed);
        await this.#toNode(app, deed);
        return this.#asks(deed);
      case 'use-service':
        this.paused.clear();
        this.serviceChosenMs = this.#time.nowMs;
        await app.invoke('settings.update', { service: this.#machine.profile(deed.which) });
        return;
      case 'ask':
      case 'look-up':
        this.paused.clear();
        this.questions += 1;
        this.openQuestions += 1;
        if (deed.does === 'ask') await this.#answers.ask(app, deed.which, deed.pages);
        else await this.#answers.lookUp(app, deed.which);
        this.questions += 1;
        // All pages go on after the first one was answered.
        if (deed.does === 'look-up' || deed.pages === 'one')
          this.openQuestions = Math.max(0, this.openQuestions - 1);
        return;
      case 'act': {
        const listed = await app.invoke('alerts.list', undefined);
        for (const { key, endedAtMs } of listed.ok ? listed.value.alerts : [])
          if (endedAtMs === null) await app.invoke('alerts.act', { key, action: deed.action });
        return;
      }
      case 'pause-alerts': {
        const untilMs = this.#time.wallMs() + deed.forMs;
        if (await this.#setAlerts(app, () => ({ pausedUntilMs: untilMs }))) this.alertsWaitUntilMs = untilMs;
        return;
      }
      case 'plan': {
        const url = this.#truths[deed.which % Math.max(1, this.#truths.length)]?.url;
        const nodeId = app.window()?.nodes.find(({ node }) => node.url === url)?.node.id;
        if (nodeId === undefined) return;
        const [fromMs, untilMs] = [this.#time.wallMs(), this.#time.wallMs() + deed.forMs];
        const plan = { nodeId, fromMs, untilMs };
        await this.#setAlerts(app, ({ planned }) => ({ planned: [...planned, plan] }));
        return;
      }
      case 'look':
        await app.invoke('incidents.list', { filter: allIncidents, offset: 0, limit: 500 });
        return;
      default:
        return await this.#toAddress(app, deed);
    }
  }

  async #toNode(app: App, deed: NodeDeed): Promise<void> {
    const truth = this.#truths[deed.which % Math.max(1, this.#truths.length)];
    if (truth === undefined) return;
    const { url, plan } = truth;
    const status = app.window()?.nodes.find(({ node }) => node.url === url);
    if (deed.does === 'add-node') {
      if (this.nodes.get(url) === true) return;
      const fields = {
        name: '',
        url,
        intervalMs: plan.intervalMs,
        tags: [],
        headers: [],
        certificate: null,
        paused: false,
      };
      const settle = openUntilSettled(this.nodes, url);
      settle((await app.invoke('nodes.add', fields)).ok ? true : null);
      return;
    }
    if (status === undefined) return;
    const { id, headerNames, addedAtMs, ...fields } = status.node;
    void [headerNames, addedAtMs];
    if (deed.does === 'poll-now') await app.invoke('nodes.poll', { id });
    else if (deed.does === 'move-node') await this.#move(app, status.node, this.#truths[deed.to]);
    else if (deed.does === 'set-interval')
      await app.invoke('nodes.update', { id, ...fields, headers: [], intervalMs: deed.intervalMs });
    else if (deed.does !== 'remove-node') {
      await app.invoke('nodes.update', { id, ...fields, headers: [], paused: deed.does === 'pause-node' });
    } else if (!this.#moving.has(id)) {
      const counts = async (): Promise<Counts> => {
        const use = await app.invoke('nodes.historyUse', undefined);
        const own = use.ok ? use.value.find(({ nodeId }) => nodeId === id) : undefined;
        return new Map([[`polls of ${truth.host}`, own?.pollCount ?? 0]]);
      };
      const remove = () => app.invoke('nodes.remove', { id });
      await this.#remove(app, { list: this.nodes, key: url, remove, counts, undoAfterMs: deed.undoAfterMs });
    }
  }

  async #move(app: App, { headerNames, addedAtMs, ...fields }: NodeConfig, to?: NodeTruth): Promise<void> {
    void [headerNames, addedAtMs];
    if (to === undefined) return;
    const isThere = this.nodes.get(to.url);
    // While that is open, it may be; and the form of a node that is being moved is closed.
    if (isThere === true || isThere === null || this.nodes.get(fields.url) === null) return;
    const settles = [openUntilSettled(this.nodes, fields.url), openUntilSettled(this.nodes, to.url)];
    this.#moving.add(fields.id);
    const moved = await app.invoke('nodes.update', { ...fields, headers: [], url: to.url });
    this.#moving.delete(fields.id);
    for (const [index, settle] of settles.entries()) settle(moved.ok ? index === 1 : null);
    this.#asks({ does: 'poll-now', which: this.#truths.indexOf(to) });
  }

  async #toAddress(
    app: App,
    deed: Exclude<
      Deed,
      | NodeDeed
      | { does: 'use-service' | 'look' | 'set-window' | 'ask' | 'look-up' | 'act' | 'plan' | 'pause-alerts' }
    >,
  ): Promise<void> {
    const address = addresses[deed.which % addresses.length] ?? addresses[0];
    const scope = { address, chainId: null };
    this.paused.delete(address);
    this.#toAddresses += 1;
    switch (deed.does) {
      case 'add-address': {
        const key = this.#keyOf(address);
        const settle = openUntilSettled(this.addresses, key);
        const added = await app.invoke('watchlist.add', { address, label: null });
        settle(added.ok ? true : null);
        if (added.ok) await this.#chooseNews(app, address);
        return;
      }
      case 'pause-address':
      case 'resume-address': {
        const paused = deed.does === 'pause-address';
        const fields = { label: null, tags: [], colour: null, paused };
        const key = this.#keyOf(address);
        const isPaused = app.window()?.watchlist.find((one) => one.address === address)?.paused;
        const deeds = this.#toAddresses;
        const updated = await app.invoke('watchlist.update', { address, ...fields });
        // Something else may have been done meanwhile.
        const isLast = deeds === this.#toAddresses && key === this.#keyOf(address);
        if (updated.ok && paused && isPaused === false && isLast) this.paused.set(address, this.#time.nowMs);
        return;
      }
      case 'audit':
      case 'distrust': {
        const chains = app.window()?.watchlist.find((one) => one.address === address)?.chains ?? [];
        for (const { chainId, sync } of chains) {
          if (deed.does === 'audit') await app.invoke('activity.audit', { address, chainId });
          else {
            const newest = Math.max(1, ...sync.covered.map(({ toBlock }) => Number(toBlock)));
            const blocks = { fromBlock: String(Math.floor(newest * deed.share)), toBlock: String(newest) };
            await app.invoke('activity.distrust', { address, chainId, list: deed.list, ...blocks });
          }
        }
        return;
      }
      case 'fetch-chains':
        await app.invoke('watchlist.refreshChains', { address });
        return;
      case 'fetch':
        await app.invoke('activity.sync', { scope, what: deed.what });
        return;
      case 'stop':
        this.stoppedMs = this.#time.nowMs;
        await app.invoke('activity.cancel', { scope });
        return;
      case 'complete-all':
        if ((await app.invoke('activity.completeAll', { filter: everything, run: true })).ok)
          this.wantedDetailsMs = this.#time.nowMs;
        return;
      case 'remove-address': {
        const key = this.#keyOf(address);
        const counts = async () => this.#listsOf(app, key, address);
        const remove = () => app.invoke('watchlist.remove', { address, keepData: deed.keep });
        const { undoAfterMs } = deed;
        await this.#remove(app, { list: this.addresses, key, remove, counts, undoAfterMs });
      }
    }
  }

  /** Whoever watches an address wants to be told of all that happens there. */
  async #chooseNews(app: App, address: string): Promise<void> {
    const choice = { address, sinceMs: this.#time.wallMs(), about: [...addressNews] };
    await this.#setAlerts(app, ({ addresses }) => ({
      addresses: [...addresses.filter((one) => one.address !== address), choice],
    }));
  }

  /** Whether they have been stored. */
  async #setAlerts(app: App, to: (before: AlertSettings) => Partial<AlertSettings>): Promise<boolean> {
    if (this.#machine.app !== app) return false;
    const { alerts } = app.services().settings.current();
    return (await app.invoke('settings.update', { alerts: { ...alerts, ...to(alerts) } })).ok;
  }

  /** Removes something, and undoes that or lets its message go. */
  async #remove(app: App, { list, key, remove, counts, undoAfterMs }: Removing): Promise<void> {
    const isThere = (): boolean => this.#machine.app === app;
    // While it is being added anew, what is stored is to go.
    const before = list.get(key) === true ? await counts() : null;
    // Its URL may have been changed meanwhile.
    if (before !== null && list.get(key) !== true) return;
    const settle = openUntilSettled(list, key);
    const removed = await remove();
    settle(removed.ok ? false : null);
    if (!removed.ok) return;
    const { undoId } = removed.value;
    this.#unsettled.add(key);
    await this.#wait(undoAfterMs ?? undoForMs);
    if (!isThere()) return;
    const settled = await app.invoke('removals.settle', { undoId, putBack: undoAfterMs !== null });
    if (settled.ok && undoAfterMs !== null) {
      list.set(key, true);
      const after = await counts();
      for (const [what, count] of before ?? []) {
        const left = after?.get(what) ?? 0;
        if (isThere() && after !== null && left < count)
          this.#lost(`${what} were ${count} before the removal, and are ${left} after it was undone`);
      }
    } else if (undoAfterMs !== null) {
      // The message stays for the rest of its time.
      await this.#wait(undoForMs - undoAfterMs);
      if (isThere()) await app.invoke('removals.settle', { undoId, putBack: false });
    }
    this.#unsettled.delete(key);
  }

  /** How many elements each list of an address has; null when another service is used by now. */
  #listsOf(app: App, key: string, address: string): Counts | null {
    if (this.#keyOf(address) !== key) return null;
    const watched = app.services().watchlist.views();
    const chains = watched.find((one) => one.address === address)?.chains;
    return new Map(
      (chains ?? []).flatMap(({ chainId, sync, otherLists }) =>
        [{ list: 'transactions', sync }, ...otherLists].map(
          (one) => [`elements of ${one.list} on ${chainId}`, one.sync.rowCount] as const,
        ),
      ),
    );
  }

  /** Each service has its own list of addresses; one that is being left still takes what is done. */
  #keyOf(address: string): string {
    return `${this.#machine.app?.services().service.profile().dataUrl} ${address}`;
  }

  /** The app ended: of a removal that was not settled, either is right. */
  appEnded(): void {
    this.questions += 1;
    this.openQuestions = 0;
    for (const key of this.#unsettled) {
      if (this.nodes.has(key)) this.nodes.set(key, null);
      if (this.addresses.has(key)) this.addresses.set(key, null);
    }
    this.#unsettled.clear();
    this.#moving.clear();
  }

  #asks({ does, which }: NodeDeed): void {
    const host = this.#truths[which % Math.max(1, this.#truths.length)]?.host;
    if (host === undefined || does === 'pause-node') return;
    this.askedMs.set(host, [...(this.askedMs.get(host) ?? []), this.#time.awakeMs]);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#time.inside(ms, resolve));
  }
}

type App = NonNullable<Machine['app']>;

type NodeDeed = Extract<Deed, { does: `${string}-node` | 'poll-now' | 'set-interval' }>;

/** How many there are, by what. */
type Counts = ReadonlyMap<string, number>;

interface Removing {
  list: Map<string, boolean | null>;
  key: string;
  remove: () => Promise<Result<{ undoId: string }>>;
  /** What must not be less after it was undone; null when that cannot be told. */
  counts: () => Promise<Counts | null>;
  undoAfterMs: number | null;
}

/** While a call is under way, and if the app ends before it is answered, either is right. */
function openUntilSettled(list: Map<string, boolean | null>, key: string): (isThere: boolean | null) => void {
  const before = list.get(key) === undefined ? false : (list.get(key) ?? null);
  list.set(key, null);
  return (isThere) => {
    // Another call may have settled it meanwhile.
    if (isThere !== null || list.get(key) === null) list.set(key, isThere ?? before);
  };
}

export const allIncidents = {
  nodeId: null,
  check: null,
  state: 'all',
  fromMs: null,
  toMs: null,
  text: '',
} as const;
