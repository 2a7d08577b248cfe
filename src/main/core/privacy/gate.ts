import { AppFailure } from '../../../shared/errors.ts';
import { parseNodeUrl } from '../../../shared/health/node-url.ts';
import { orAdd } from '../../../shared/or-add.ts';
import {
  outboundKinds,
  outboundNames,
  type HostUse,
  type OutboundKind,
  type OutboundStatus,
} from '../../../shared/outbound.ts';
import { isLoopback } from '../../../shared/loopback.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import { remoteHost } from '../remote-host.ts';
import type { Clock, OutboundGate, OutboundWay } from '../ports.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import type { Proxies } from './proxies.ts';

export interface GateDeps {
  settings: SettingsService;
  clock: Clock;
  /** Sample data: nothing is asked of other computers, whatever the settings say. */
  isSample?: boolean;
}

/** There should be none to unknown hosts; more than this many add no information. */
const mostOthers = 20;

/** Which kinds may use which way. */
const kindsOf: Readonly<Record<OutboundWay, readonly OutboundKind[]>> = {
  request: ['data', 'metrics', 'nodes', 'trial', 'webhook', 'heartbeat'],
  connection: ['nodes', 'network'],
  proxy: ['proxy'],
  link: ['links'],
  update: ['updates'],
};

/** Allows and counts requests that the user's settings, nodes and current tests explain; refuses all others. */
export class Gate implements OutboundGate {
  readonly #deps: GateDeps;
  readonly #sinceMs: number;
  readonly #uses = new Map<OutboundKind | 'other', Map<string, HostUse>>();
  readonly #changes: Listeners<null> = createListeners();
  /** Origins of tests under way; may contain one twice. */
  #tried: readonly string[] = [];
  #nodeUrls: () => readonly string[] = () => [];
  #updateOrigins: readonly string[] = [];
  #proxies: Pick<Proxies, 'inUse' | 'logins'> = { inUse: () => [], logins: () => ({}) };

  constructor(deps: GateDeps) {
    this.#deps = deps;
    this.#sinceMs = deps.clock.nowMs();
  }

  /** Sets the source of the watched nodes' URLs, which is read at each request. */
  knowNodes(urls: () => readonly string[]): void {
    this.#nodeUrls = urls;
  }

  knowUpdates(origins: readonly string[]): void {
    this.#updateOrigins = origins;
  }

  knowProxies(proxies: Pick<Proxies, 'inUse' | 'logins'>): void {
    this.#proxies = proxies;
  }

  /** Calls the listener when a request was allowed or refused. Returns the function that removes it. */
  readonly onChange = this.#changes.add;

  refusal(url: URL, way: OutboundWay): string | null {
    if (this.#deps.isSample === true && way !== 'link' && !isLoopback(url.hostname))
      return 'With sample data, nothing is sent to other computers.';
    const kinds = kindsOf[way].filter(
      (kind) => kind === 'links' || this.#originsOf(kind).includes(url.origin),
    );
    const kind = kinds.find((candidate) => this.offReason(candidate) === null);
    const [switchedOff] = kinds;
    if (kind === undefined && switchedOff !== undefined) return this.offReason(switchedOff);
    this.#count(kind ?? 'other', url.origin);
    return kind === undefined
      ? `Nothing was sent to ${url.host}: no setting, node or test uses this address.`
      : null;
  }

  /** Like `refusal`, but throws. */
  pass(url: URL, way: OutboundWay): void {
    const message = this.refusal(url, way);
    if (message !== null) throw new AppFailure({ code: 'not-allowed', message });
  }

  /** Why requests of a kind are switched off; null when they are not. */
  offReason(kind: OutboundKind): string | null {
    const { requestsOff, updates } = this.#deps.settings.current();
    const off: readonly OutboundKind[] = updates === 'off' ? [...requestsOff, 'updates'] : requestsOff;
    // The network check asks the service's host, which must not be contacted while the service is switched off.
    const isOff = off.includes(kind) || (kind === 'network' && off.includes('data'));
    return isOff ? `“${outboundNames[kind]}” is switched off.` : null;
  }

  /** Allows requests to this node until the task has ended. */
  async trying<T>(nodeUrl: string, task: () => Promise<T>): Promise<T> {
    const { url } = parseNodeUrl(nodeUrl);
    const tried = url === null ? [] : [new URL(url).origin];
    this.#tried = [...this.#tried, ...tried];
    try {
      return await task();
    } finally {
      const at = this.#tried.indexOf(tried[0] ?? '');
      this.#tried = this.#tried.filter((_, index) => index !== at);
    }
  }

  status(): OutboundStatus {
    const hostsOf = (kind: OutboundKind): HostUse[] => {
      const uses = this.#uses.get(kind);
      const unasked = this.#originsOf(kind).filter((origin) => uses?.has(origin) !== true);
      const none = [...new Set(unasked)].map((origin) => ({ origin, count: 0, lastAtMs: null }));
      return [...none, ...(uses?.values() ?? [])].sort((a, b) => (a.origin < b.origin ? -1 : 1));
    };
    return {
      sinceMs: this.#sinceMs,
      uses: outboundKinds.map((kind) => ({ kind, hosts: hostsOf(kind) })),
      others: [...(this.#uses.get('other')?.values() ?? [])],
      logins: this.#proxies.logins(),
    };
  }

  #originsOf(kind: OutboundKind): readonly string[] {
    const { service, alerts } = this.#deps.settings.current();
    const { dataUrl, metricsUrl } = service;
    const urls: Readonly<Record<OutboundKind, () => readonly string[]>> = {
      data: () => [dataUrl],
      metrics: () => [metricsUrl],
      nodes: this.#nodeUrls,
      trial: () => this.#tried,
      network: () => (remoteHost(dataUrl) === null ? [] : [dataUrl]),
      proxy: () => this.#proxies.inUse(),
      links: () => [],
      webhook: () => (alerts.webhook === null ? [] : [alerts.webhook.origin]),
      heartbeat: () => (alerts.heartbeat === null ? [] : [alerts.heartbeat]),
      updates: () => this.#updateOrigins,
    };
    return urls[kind]().map((url) => new URL(url).origin);
  }

  #count(kind: OutboundKind | 'other', origin: string): void {
    const uses = orAdd(this.#uses, kind, () => new Map<string, HostUse>());
    if (kind === 'other' && uses.size >= mostOthers && !uses.has(origin)) return;
    const count = (uses.get(origin)?.count ?? 0) + 1;
    uses.set(origin, { origin, count, lastAtMs: this.#deps.clock.nowMs() });
    this.#changes.emit(null);
  }
}
