// The sample data of the app: made-up services and nodes on this computer, and a year of past in a fresh profile. It is
// a program of its own (`main.ts`), which the app starts; the demo and the tests use the same functions.
import { startSampleService, type SampleService } from '../sample-service/service.ts';
import type { NodeOptions } from '../sample-service/options.ts';
import type { SampleReady } from '../src/shared/sample-data.ts';
import { sampleServiceProfile } from '../src/shared/settings.ts';
import { seedPast } from './seed-past.ts';

/** The sample nodes, all of which have a past. */
export const sampleNodes: readonly NodeOptions[] = [
  { name: 'harbor-1', scenario: 'healthy' },
  { name: 'harbor-2', scenario: 'healthy' },
  { name: 'harbor-3', scenario: 'bootstrapping' },
];

/** How the address with every kind of record is called. */
export const sampleLabel = 'Treasury';

/** Starts the services and nodes, and writes the nodes with their past into a fresh profile, which no app uses yet. */
export async function openSampleData(
  directory: string,
): Promise<{ ready: SampleReady; close(): Promise<void> }> {
  // Nobody gives it orders, so nothing listens for them.
  const service = await startSampleService({ nodes: sampleNodes, controlServer: false });
  try {
    seedPast(directory, service.pasts(), service.ready.nodes);
  } catch (error) {
    await service.close();
    throw error;
  }
  beginTrouble(service);
  const { dataUrl, metricsUrl, apiKey, examples } = service.ready;
  const addresses = [{ address: examples.address, label: sampleLabel }];
  const profile = { ...sampleServiceProfile, dataUrl, metricsUrl };
  return { ready: { service: profile, apiKey, addresses }, close: () => service.close() };
}

/** One of the nodes gets into trouble with its next round. */
export function beginTrouble({ control }: Pick<SampleService, 'control'>): void {
  control.changeCheck('harbor-2', 'C', {
    error: 'not connected to enough stake: connected to 60.000000%; required at least 80.000000%',
  });
}
