import type { Deed, Happening, History } from './history.ts';
import { Machine } from './machine.ts';
import { Network, newHold, type Host } from './network.ts';
import { NodeTruth, beginningMs } from './node-truth.ts';
import { Broken, type PromiseName } from './promises.ts';
import { addresses } from './service-answers.ts';
import { ServiceTruth } from './service-truth.ts';
import { settle, WorldTime } from './time.ts';
import { pastAnswers, type PastAnswers } from './past-answers.ts';
import { User } from './user.ts';
import { Notifications } from './notifications.ts';

/** Everything that there is, and what happens to it. Whether the app does right is the question of the watches. */
export class World {
  readonly history: History;
  readonly time: WorldTime;
  readonly network: Network;
  readonly machine: Machine;
  readonly user: User;
  readonly notifications = new Notifications();
  readonly answers: PastAnswers;
  readonly nodes: readonly NodeTruth[];
  readonly services: readonly ServiceTruth[];
  /** True time since when nothing is wrong any more; null while something may be. */
  quietSinceMs: number | null = null;
  /** True time of the last trouble that concerns the whole computer. */
  disturbedMs = 0;
  readonly disturbedHostMs = new Map<string, number>();
  /** Spans in which our own network was down. */
  readonly blind: { fromMs: number; toMs: number | null; isTold: boolean }[] = [];
  /** How far the system's clock has been set from where it began. */
  clockStepMs = 0;
  readonly hasClockSteps: boolean;
  readonly #seen: (what: string) => void;

  readonly #unwatched: readonly PromiseName[];

  constructor(history: History, seen: (what: string) => void, unwatched: readonly PromiseName[] = []) {
    this.history = history;
    this.#unwatched = unwatched;
    this.#seen = (what) => seen(`${this.time.nowMs} ${what}`);
    const { offMs, standsStillAsleep, drift } = history.clock;
    this.time = new WorldTime({ startMs: beginningMs + offMs, standsStillAsleep, drift });
    this.network = new Network(this.time, history.latencyMs, this.#seen);
    this.nodes = history.nodes.map((plan, which) => new NodeTruth(this.time, which, plan));
    const { seed, addresses: count } = history;
    this.services = history.services.map(
      (plan, which) => new ServiceTruth(this.time, which, plan, { seed, count }),
    );
    for (const node of this.nodes) {
      this.#addHost(node.url, node.host, node.plan.isLocal, {
        isThere: () => node.being !== 'dead',
        answer: (request) =>
          node.answer(request, this.network.hostOf(node.url)?.door.kind === 'two-backends'),
      });
    }
    for (const service of this.services) {
      this.#addHost(service.url, service.name, false, {
        isThere: () => true,
        answer: (request) => service.answer(request),
      });
    }
    this.machine = new Machine({
      time: this.time,
      channels: [this.notifications],
      network: this.network,
      history,
      serviceUrls: this.services.map(({ url }) => url),
      seen: this.#seen,
      wrong: (words) => this.broken('no-throw', words),
    });
    this.answers = pastAnswers(this.machine, (words) => this.broken('answers-stay', words));
    this.user = new User(this.time, this.machine, this.nodes, this.answers, (words) =>
      this.broken('undo', words),
    );
    this.hasClockSteps = history.happenings.some(
      ({ it, ...rest }) => it === 'clock' || ('clockMs' in rest && rest.clockMs !== 0),
    );
    this.time.outside(0, () => this.#plan(0));
  }

  /** For how long the computer has slept or will sleep; the history's times do not count that. */
  sleptMs = 0;

  /** Happenings follow each other; what comes after a sleep waits for its end. */
  #plan(index: number): void {
    const happening = this.history.happenings[index];
    if (happening === undefined) return;
    const wait = (): void => {
      const leftMs = happening.atMs + this.sleptMs - this.time.nowMs;
      if (leftMs > 0) return this.time.outside(leftMs, wait);
      void this.#happen(happening);
      this.#plan(index + 1);
    };
    wait();
  }

  #addHost(url: string, name: string, isLocal: boolean, rest: Pick<Host, 'isThere' | 'answer'>): void {
    this.network.hosts.set(new URL(url).origin, {
      ...rest,
      name,
      isLocal,
      door: { kind: 'plain' },
      requestsMs: [],
      connectsMs: [],
      requestCount: 0,
      refusedMs: -Infinity,
      cutMs: -Infinity,
      idleEnds: 0,
      hold: newHold(),
    });
  }

  #firstBroken: Broken | null = null;

  /** Notes a broken promise; the run ends after this step. */
  readonly broken = (promise: PromiseName, words: string): void => {
    if (this.#unwatched.includes(promise)) return;
    this.#firstBroken ??= new Broken({ promise, words, atMs: this.time.nowMs });
  };

  /** Whether such a thing happens in the history, or will. */
  has(...kinds: Happening['it'][]): boolean {
    return this.history.happenings.some(({ it }) => kinds.includes(it));
  }

  /** Whether the user does such a thing in the history, or will. */
  hasDeed(...deeds: Deed['does'][]): boolean {
    return this.history.happenings.some((one) => one.it === 'user' && deeds.includes(one.deed.does));
  }

  /** The first broken promise; null while all are kept. */
  get firstBroken(): Broken | null {
    return this.#firstBroken;
  }

  /** One step, with all that follows from it without time. False when nothing is left to happen until then. */
  async step(untilMs: number): Promise<boolean> {
    const { awakeMs, nowMs } = this.time;
    const hasMore = this.time.step(untilMs);
    // Nothing of the app runs while the computer sleeps.
    if (this.time.nowMs > nowMs && this.time.awakeMs === awakeMs) return hasMore;
    await settle();
    while (this.machine.isBusy) await settle();
    return hasMore;
  }

  hostNamed(name: string): Host | undefined {
    return [...this.network.hosts.values()].find((host) => host.name === name);
  }

  disturb(host?: string): void {
    if (host === undefined) this.disturbedMs = this.time.nowMs;
    else this.disturbedHostMs.set(host, this.time.nowMs);
  }

  /** When the computer or this host was disturbed last. */
  lastDisturbedMs(host: string): number {
    return Math.max(this.disturbedMs, this.machine.startedMs, this.disturbedHostMs.get(host) ?? 0);
  }

  start(): void {
    for (const host of this.network.hosts.values()) {
      host.requestsMs.length = 0;
      host.connectsMs.length = 0;
      // A new start knows nothing of it, and answers that are still under way are not for it.
      host.hold = newHold(Math.max(host.hold.untilMs, host.hold.forgottenUntilMs));
    }
    this.machine.start();
  }

  async #happen(happening: Happening): Promise<void> {
    if (this.quietSinceMs !== null) return;
    const { atMs, ...what } = happening;
    this.#seen(`${JSON.stringify(what)} planned for ${atMs}`);
    const { machine, time } = this;
    switch (happening.it) {
      case 'door':
        return this.#setDoor(happening.host, happening.door);
      case 'check':
      case 'checks':
      case 'node':
        return this.#toNode(happening);
      case 'network':
        this.network.hangs = happening.hangs === true;
        return this.#setNetwork(happening.isUp, happening.isTold);
      case 'clock':
        return this.#stepClock(happening.stepMs);
      case 'sleep':
        return this.#sleep(happening);
      case 'disk':
        this.disturb();
        return machine.setDisk(happening.isFull);
      case 'channel':
        this.notifications.isDown = happening.isDown;
        return;
      case 'store':
        machine.storeTakesMs[happening.which] = happening.takesMs;
        return;
      case 'crash':
        if (machine.app === null) return;
        machine.crashAfterWrites = happening.afterWrites;
        // Where nothing is written, it crashes at last after a while.
        time.outside(30_000, () => {
          if (machine.crashAfterWrites !== null) machine.crash();
        });
        this.#startWhenEnded(2_000, 0);
        return;
      case 'restart':
        if (machine.app === null) return;
        this.#startWhenEnded(happening.offMs, happening.clockMs);
        return await machine.quit();
      case 'user': {
        const { deed } = happening;
        // However short the pause; by another interval something else is promised.
        if ('which' in deed && ['pause-node', 'resume-node', 'set-interval', 'move-node'].includes(deed.does))
          this.disturb(this.nodes[deed.which % this.nodes.length]?.host ?? '');
        return await this.user.does(deed);
      }
      default:
        this.#toService(happening);
    }
  }

  /** Starts the app some time after it has ended. */
  #startWhenEnded(afterMs: number, clockMs: number): void {
    const before = this.machine.starts;
    const look = (): void => {
      if (this.machine.starts !== before) return;
      if (this.machine.app !== null) return this.time.outside(500, look);
      this.user.appEnded();
      this.time.outside(afterMs, () => {
        if (this.machine.starts !== before) return;
        this.#stepClock(clockMs);
        this.start();
      });
    };
    this.time.outside(500, look);
  }

  #setDoor(name: string, door: Host['door']): void {
    const host = this.hostNamed(name);
    if (host === undefined) return;
    host.door = door;
    this.network.cut(host);
    this.disturb(name);
  }

  #toNode(happening: Extract<Happening, { it: 'check' | 'checks' | 'node' }>): void {
    const node = this.nodes[happening.node];
    const host = node && this.network.hostOf(node.url);
    if (node === undefined || host === undefined) return;
    if (happening.it === 'check') node.setCheck(happening.check, happening.fails);
    else if (happening.it === 'checks') node.setCount(happening.count);
    else {
      node.become(happening.becomes);
      if (happening.becomes === 'dead') this.network.cut(host);
      if (happening.becomes === 'alive') this.network.wake(host);
      this.disturb(host.name);
    }
  }

  #toService(happening: Extract<Happening, { service: number }>): void {
    const service = this.services[happening.service];
    if (service === undefined) return;
    switch (happening.it) {
      case 'grow':
        return service.grow(happening.transactions, happening.inNewestBlock);
      case 'reorganise':
        return service.reorganise(happening.blocks);
      case 'take-back':
        return service.takeBack();
      case 'lag':
        return service.setLag(happening.list, happening.blocks);
      case 'expire-tokens':
        return service.expireTokens();
      case 'odd':
        service.odd = { how: happening.how, pages: happening.pages };
        return;
      case 'unopenable':
        this.machine.unopenable = happening.isSo ? service.url : null;
        return;
      case 'poison':
        return service.poison(happening.transactions, happening.status, happening.areOldest);
    }
  }

  #setNetwork(isUp: boolean, isTold: boolean): void {
    const { network, time } = this;
    if (isUp === network.isUp) return;
    network.isUp = isUp;
    network.isToldUp = isUp || !isTold;
    if (!isUp) this.blind.push({ fromMs: time.nowMs, toMs: null, isTold });
    else Object.assign(this.blind.at(-1) ?? {}, { toMs: time.nowMs });
    this.disturb();
  }

  #stepClock(ms: number): void {
    this.time.stepClock(ms);
    this.clockStepMs += ms;
    if (ms !== 0) this.disturb();
  }

  #sleep({ forMs, isTold, endIsUntold = false }: Extract<Happening, { it: 'sleep' }>): void {
    const { time, machine } = this;
    if (time.isAsleep) return;
    const { app } = machine;
    if (isTold) app?.suspend();
    time.sleep();
    this.sleptMs += forMs;
    time.outside(forMs, () => {
      time.wake();
      this.disturb();
      if (isTold && !endIsUntold && machine.app === app) app?.resume();
    });
  }

  /** All trouble ends. */
  makeQuiet(): void {
    const { machine, time, network } = this;
    if (machine.app === null) this.#startWhenEnded(0, 0);
    machine.app?.setWindow('shown');
    machine.crashAfterWrites = null;
    machine.setDisk(false);
    this.notifications.isDown = false;
    machine.unopenable = null;
    machine.storeTakesMs = { nodes: 0, services: 0 };
    this.#setNetwork(true, true);
    this.#stepClock(-this.clockStepMs);
    for (const node of this.nodes) {
      const host = network.hostOf(node.url);
      node.heal();
      if (host !== undefined) {
        network.wake(host);
        // One that has no trouble keeps its connections.
        if (host.door.kind !== 'plain') this.#setDoor(host.name, { kind: 'plain' });
      }
    }
    for (const service of this.services) {
      service.heal();
      this.#setDoor(service.name, { kind: 'plain' });
    }
    this.disturb();
    this.quietSinceMs = time.nowMs;
  }

  /** The service of which the window shows the addresses. */
  get serviceInUse(): ServiceTruth | undefined {
    const inUse = this.machine.app?.window()?.settings.service.dataUrl;
    return this.services.find(({ url }) => url === inUse);
  }

  get addresses(): readonly string[] {
    return addresses.slice(0, this.history.addresses);
  }
}
