import { startSampleService, type SampleService as StartedService } from '../sample-service/service.ts';
import type { SampleServiceOptions } from '../sample-service/options.ts';

/**
 * A sample service with its control interface, on free ports. It has its own world, log, faults and nodes, so nothing of
 * another test is in it. It runs in the test's process, where its code is already compiled by earlier tests.
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

  /** Ends it; its ports then refuse connections. */
  async stop(): Promise<void> {
    this.#stopping ??= this.#started.close();
    await this.#stopping;
  }

  /** What can be changed while it runs. */
  get control(): StartedService['control'] {
    return this.#started.control;
  }

  /** The past of its nodes up to now. */
  pasts(): ReturnType<StartedService['pasts']> {
    return this.#started.pasts();
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

  /** Its answer to a path, with its key. */
  async answerTo(path: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.ready.dataUrl}${path}`, {
      headers: { 'x-service-api-key': this.ready.apiKey },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    // Every successful answer is an object.
    return (await response.json()) as Record<string, unknown>;
  }

  /** Gives this answer on a route, which may contain `*`, until its faults are removed. */
  answerInstead(route: string, body: object): void {
    this.control.addFault({ route, action: { kind: 'status', status: 200, body } });
  }

  /** Reports only these chains for the address from now on. */
  async limitChains(address: string, chainIds: readonly string[]): Promise<void> {
    const path = `/v1/address/${address}/chains`;
    // Every answer of this endpoint has the field.
    const { indexedChains } = (await this.answerTo(path)) as { indexedChains: { chainId: string }[] };
    const kept = indexedChains.filter(({ chainId }) => chainIds.includes(chainId));
    this.answerInstead(path, { indexedChains: kept, unindexedChains: [] });
  }
}
