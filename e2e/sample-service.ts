import { startSampleService, type SampleService as StartedService } from '../sample-service/service.ts';
import type { SampleServiceOptions } from '../sample-service/options.ts';

/**
 * A sample service with its control interface, on free ports: its own world, log, faults and nodes, so that nothing of
 * another test is in it. It runs in the process of the test, where its code is compiled and warm from the tests before.
 */
export class SampleService {
  readonly #started: StartedService;
  #stopping: Promise<void> | null = null;

  private constructor(started: StartedService) {
    this.#started = started;
  }

  static async start(options: SampleServiceOptions = {}): Promise<SampleService> {
    return new SampleService(await startSampleService({ seed: 1, ...options }));
  }

  get ready(): StartedService['ready'] {
    return this.#started.ready;
  }

  /** Ends it; from then on its ports refuse connections. */
  async stop(): Promise<void> {
    this.#stopping ??= this.#started.close();
    await this.#stopping;
  }

  /** What can be changed while it runs. */
  get control(): StartedService['control'] {
    return this.#started.control;
  }

  /** The requests that one of its servers has received, oldest first. */
  requestsTo(server: 'data' | 'elsewhere') {
    return this.control.requests().filter((request) => request.server === server);
  }

  /** The address of a wallet of the sample world. */
  account(name: string): string {
    const address = this.control.describe().accounts[name];
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
  answerInstead(route: string, body: object): void {
    this.control.addFault({ route, action: { kind: 'status', status: 200, body } });
  }

  /** From now on it knows of these chains alone that the address is active on. */
  async limitChains(address: string, chainIds: readonly string[]): Promise<void> {
    const path = `/v1/address/${address}/chains`;
    // The field is part of every answer to this question.
    const { indexedChains } = (await this.answerTo(path)) as { indexedChains: { chainId: string }[] };
    const kept = indexedChains.filter(({ chainId }) => chainIds.includes(chainId));
    this.answerInstead(path, { indexedChains: kept, unindexedChains: [] });
  }
}
