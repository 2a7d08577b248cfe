import { Agent, request, type AgentOptions, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { HttpFailed, OutboundGate, Proxy, ProxyRules } from '../../core/ports.ts';
import { classifyFailure, failure, noProxyFor, NotAllowed, ProxyProblem } from './failures.ts';
import {
  isGatewayError,
  loginFor,
  openConnection,
  refusalBy,
  tryConnection,
  type Opening,
} from './open-connection.ts';

/** All that connections depend on. */
export interface Network {
  gate: OutboundGate;
  proxies: ProxyRules;
  /** The authorities that are trusted. */
  trusted: () => SecureContext;
}

export interface Exchange {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  certificate: string | null;
  signal: AbortSignal;
  /** Asked before the request is sent once more. */
  mayGoOn?: (() => boolean) | undefined;
}

export interface TransportOptions {
  /** One host, one route: a change of the route ends what is kept of the one before. */
  isOfOneHost?: boolean;
  /** Called with each new agent. */
  prepare?: (agent: Agent) => void;
  /** Called when a request has got its connection. */
  onSocket?: (socket: Socket) => void;
}

/**
 * The only way to another computer, but for updates: requests over Node's HTTP client, by the proxies that the rules
 * name, to hosts whose certificate is trusted.
 */
export class Transport {
  readonly #network: Network;
  readonly #agentOptions: AgentOptions;
  readonly #options: TransportOptions;
  readonly #agents = new Map<string, Agent>();
  /** Requests under way, and whether their host, or its proxy, has accepted the connection. */
  readonly underWay = new Set<{ isReached: boolean }>();

  constructor(network: Network, agentOptions: AgentOptions, options: TransportOptions = {}) {
    this.#network = network;
    this.#agentOptions = agentOptions;
    this.#options = options;
  }

  /** The answer, once its headers are there. */
  async send(target: URL, exchange: Exchange): Promise<IncomingMessage> {
    return await this.#byProxy(target, exchange.signal, (proxy) => this.#sendBy(proxy, target, exchange));
  }

  /** Opens a connection and closes it, without a request; returns why that failed, or null, and never throws. */
  async connect(target: URL, signal: AbortSignal, isProven = false): Promise<HttpFailed | null> {
    const { gate, trusted } = this.#network;
    try {
      const refusal = gate.refusal(target, 'connection');
      if (refusal !== null) throw new NotAllowed(refusal);
      await this.#byProxy(target, signal, (proxy) =>
        tryConnection({ target, proxy, certificate: null, trusted, signal }, isProven),
      );
      return null;
    } catch (cause) {
      return signal.aborted ? failure('cancelled', '') : classifyFailure(cause, target.host);
    }
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  /** Tries one proxy after the other until one of them is there. */
  async #byProxy<T>(target: URL, signal: AbortSignal, use: (proxy: Proxy | null) => Promise<T>): Promise<T> {
    const proxies = await unlessAborted(this.#network.proxies.proxiesFor(target), signal);
    let problem = new ProxyProblem(noProxyFor(target));
    for (const proxy of proxies) {
      const refusal = proxy && this.#network.gate.refusal(new URL(proxy.url), 'proxy');
      if (refusal !== null) throw new NotAllowed(refusal);
      try {
        return await use(proxy);
      } catch (cause) {
        if (proxy === null || !(cause instanceof ProxyProblem && cause.kind === 'unreachable')) throw cause;
        if (!signal.aborted) this.#network.proxies.missed(proxy);
        problem = cause;
      }
    }
    throw problem;
  }

  async #sendBy(proxy: Proxy | null, target: URL, exchange: Exchange): Promise<IncomingMessage> {
    const { method, headers, body, certificate, signal, mayGoOn } = exchange;
    const { trusted } = this.#network;
    // Without TLS a proxy reads the request, and has to be told for whom it is.
    const isRead = proxy !== null && target.protocol === 'http:';
    const agent = this.#agentOf(`${target.protocol} ${proxy?.url} ${certificate}`, target);
    for (let isRepeated = false; ; isRepeated = true) {
      const opening: Opening = { target, proxy, certificate, trusted, signal };
      const asked = request(target, {
        ...{ method, agent, signal, opening },
        headers: isRead ? { ...headers, ...loginFor(proxy) } : headers,
        ...(isRead ? { path: target.href } : {}),
      });
      const underWay = { isReached: false };
      opening.onReached = () => (underWay.isReached = true);
      this.underWay.add(underWay);
      asked.once('socket', (socket: Socket) => {
        underWay.isReached = true;
        this.#options.onSocket?.(socket);
      });
      asked.once('close', () => this.underWay.delete(underWay));
      try {
        const answer = await answerTo(asked, body);
        if (!isRead || !isOfProxy(answer)) return answer;
        answer.destroy();
        throw refusalBy(proxy, answer, target);
      } catch (cause) {
        // The server closed the idle connection before it read the request, so the request can be repeated.
        if (!asked.reusedSocket || isRepeated || signal.aborted || cause instanceof ProxyProblem) throw cause;
        if (mayGoOn?.() === false) throw new NotAllowed();
      }
    }
  }

  /** Connections are kept by what decides who is at their other end. */
  #agentOf(key: string, { protocol }: URL): Agent {
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    if (this.#options.isOfOneHost === true) this.close();
    const agent = new OpeningAgent(this.#agentOptions, protocol);
    this.#options.prepare?.(agent);
    this.#agents.set(key, agent);
    return agent;
  }
}

/** Opens each connection as its request says. */
class OpeningAgent extends Agent {
  constructor(options: AgentOptions, protocol: string) {
    super(options);
    // What Node's own agent for TLS has; not in Node's types.
    Object.assign(this, { protocol, defaultPort: protocol === 'https:' ? 443 : 80 });
  }

  override createConnection(...[options, callback]: Parameters<Agent['createConnection']>): undefined {
    // Given with each request, above.
    const { opening } = options as unknown as { opening: Opening };
    openConnection(opening).then(
      (socket) => callback?.(null, socket),
      // Node expects no socket with an error, whatever its types say.
      (cause: unknown) => callback?.(cause as Error, undefined as never),
    );
  }
}

function answerTo(asked: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('response', resolve);
    // Stays attached, because a failed request may emit another error.
    asked.on('error', reject);
    // Such as of 101, for another protocol that was not asked for: then there is neither.
    asked.once('close', () => reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })));
    asked.end(body);
  });
}

/** An answer that the proxy gives in the place of the host. A node's own 503 is a report as JSON. */
function isOfProxy({ statusCode: status = 0, headers }: IncomingMessage): boolean {
  const isReport = headers['node-id'] !== undefined || headers['content-type']?.includes('json') === true;
  return status === 407 || (isGatewayError(status) && !isReport);
}

function unlessAborted<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('The request was cancelled.'));
    signal.addEventListener('abort', stop);
    // One that stays keeps all of the request in memory for as long as there may be others with its signal.
    task.finally(() => signal.removeEventListener('abort', stop)).then(resolve, reject);
  });
}
