import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const loopback = '127.0.0.1';

/** How long a started node may take until its interface answers. */
const longestStartMs = 120_000;

/** The data folder and port of one node, used by each of its processes in turn. */
export interface NodePlace {
  binary: string;
  /** Also has the node's own key and certificate. */
  dataDir: string;
  httpPort: number;
  stakingPort: number;
}

/** A port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, loopback);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A port has no number.');
  return address.port;
}

/** One process of a real node, which is alone in its network and healthy without peers. */
export class RealNode {
  readonly #process: ChildProcess;
  readonly #metricsUrl: string;

  private constructor(process: ChildProcess, metricsUrl: string) {
    this.#process = process;
    this.#metricsUrl = metricsUrl;
  }

  /** Starts a process without waiting until it answers; `flags` are added to its command line. */
  static start(
    { binary, dataDir, httpPort, stakingPort }: NodePlace,
    flags: readonly string[] = [],
  ): RealNode {
    const output = openSync(join(dataDir, 'output.log'), 'a');
    const child = spawn(
      binary,
      [
        '--network-id=local',
        '--sybil-protection-enabled=false',
        '--fd-limit=16000',
        `--data-dir=${dataDir}`,
        `--http-host=${loopback}`,
        `--http-port=${httpPort}`,
        `--staking-host=${loopback}`,
        `--staking-port=${stakingPort}`,
        `--public-ip=${loopback}`,
        '--bootstrap-ips=',
        '--bootstrap-ids=',
        ...flags,
      ],
      { stdio: ['ignore', output, output] },
    );
    closeSync(output);
    // The node ends with this process, however that ends.
    const end = (): unknown => child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    return new RealNode(child, `http://${loopback}:${httpPort}/ext/metrics`);
  }

  /** Waits until its interface gives any answer; asks for metrics, which does not count as a request for health. */
  async answers(): Promise<void> {
    const untilMs = performance.now() + longestStartMs;
    while (performance.now() < untilMs) {
      if (this.#hasEnded()) throw new Error('The node ended by itself; its output.log says why.');
      const answer = await fetch(this.#metricsUrl).catch(() => null);
      await answer?.body?.cancel();
      if (answer !== null) return;
      await wait(20);
    }
    throw new Error(`The node did not answer within ${longestStartMs / 1_000} s.`);
  }

  /** How many requests for health this process has counted. */
  async healthRequests(): Promise<number> {
    const answer = await fetch(this.#metricsUrl);
    const line = /^avalanche_api_calls\{base="health"\} (\S+)$/m.exec(await answer.text());
    return Number(line?.[1] ?? 0);
  }

  /** Suspends the process: its connections stay open, and nothing answers. */
  hang(): void {
    this.#process.kill('SIGSTOP');
  }

  goOn(): void {
    this.#process.kill('SIGCONT');
  }

  /** Asks it to shut down. */
  stop(): void {
    this.#process.kill('SIGTERM');
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Resolves when the process has ended. */
  async ended(): Promise<void> {
    if (!this.#hasEnded()) await once(this.#process, 'exit');
  }

  #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }
}
