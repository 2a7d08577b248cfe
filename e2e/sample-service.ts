import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const projectDir = join(import.meta.dirname, '..');

/** The line that the sample service prints when it is ready. */
export interface SampleServiceReady {
  dataUrl: string;
  metricsUrl: string;
  controlUrl: string;
  apiKey: string;
  nodes: { name: string; url: string }[];
  examples: {
    chainId: string;
    address: string;
    emptyAddress: string;
    txHash: string;
    contract: string;
    blockId: string;
    contracts: { erc20: string; erc721: string; erc1155: string };
    /** An account that has deployed contracts. */
    deployer: string;
    /** Both halves of a cross-chain message that has arrived. */
    message: {
      sourceChainId: string;
      sourceTxHash: string;
      destinationChainId: string;
      destinationTxHash: string;
    };
    /** For each endpoint's number parameters with which it returns something. */
    endpoints: Record<string, Record<string, string>>;
  };
}

/** A request as the service has logged it. */
interface LoggedRequest {
  id: number;
  server: string;
  url: string;
  /** Every header that could carry a secret, with a digest of its value. */
  keyHeaders: Record<string, string>;
  receivedAtMs: number;
  status: number | null;
  fault: string | null;
}

/** A sample service in a process of its own, with its control interface. */
export class SampleService {
  readonly ready: SampleServiceReady;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, ready: SampleServiceReady) {
    this.#process = process;
    this.ready = ready;
  }

  /** Starts the service on free ports; `args` are added to its command line. */
  static async start(args: readonly string[] = []): Promise<SampleService> {
    const child = spawn(
      process.execPath,
      [join(projectDir, 'sample-service', 'main.ts'), '--port', '0', '--seed', '1', ...args],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const lines = createInterface({ input: child.stdout });
    const [line] = (await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`The sample service ended with code ${String(code)} before it was ready.`);
      }),
    ])) as [string];
    return new SampleService(child, JSON.parse(line) as SampleServiceReady);
  }

  /** Ends it; from then on its ports refuse connections. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
  }

  /** Calls the control interface; throws when it refuses. */
  async control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.ready.controlUrl}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  }

  /** The requests that one of its servers has received, oldest first. */
  async requestsTo(server: 'data' | 'elsewhere'): Promise<LoggedRequest[]> {
    const requests = (await this.control('GET', '/requests')) as LoggedRequest[];
    return requests.filter((request) => request.server === server);
  }

  /** The address of a wallet of the sample world. */
  async account(name: string): Promise<string> {
    const { accounts } = (await this.control('GET', '/')) as { accounts: Record<string, string> };
    const address = accounts[name];
    if (address === undefined) throw new Error(`The sample service has no account "${name}".`);
    return address;
  }

  /** What it answers to anybody, by the path. */
  async answerTo(path: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.ready.dataUrl}${path}`, {
      headers: { 'x-service-api-key': this.ready.apiKey },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    // Every answer with a status of success is an object.
    return (await response.json()) as Record<string, unknown>;
  }

  /** From now on it answers so on this route, which may hold `*`; until its faults are taken away. */
  async answerInstead(route: string, body: object): Promise<void> {
    await this.control('POST', '/faults', { route, action: { kind: 'status', status: 200, body } });
  }

  /** From now on it knows of these chains alone that the address is active on. */
  async limitChains(address: string, chainIds: readonly string[]): Promise<void> {
    const path = `/v1/address/${address}/chains`;
    // The field is part of every answer to this question.
    const { indexedChains } = (await this.answerTo(path)) as { indexedChains: { chainId: string }[] };
    const kept = indexedChains.filter(({ chainId }) => chainIds.includes(chainId));
    await this.answerInstead(path, { indexedChains: kept, unindexedChains: [] });
  }
}
