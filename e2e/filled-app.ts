import { expect } from 'playwright/test';
import type { Watchkeeper } from './pages/watchkeeper.ts';
import type { SampleService } from './sample-service.ts';

/** A key, an address with its whole history, and a node with a failing check. */
export async function fill(app: Watchkeeper, service: SampleService): Promise<string> {
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  service.control.changeNode(node.name, { periodMs: 500 });
  service.control.changeCheck(node.name, 'diskspace', { error: 'only 2% left' });
  await app.addNode(node.name, node.url, 'Every 5 minutes');
  await expect(async () => {
    await app.pollNow();
    await expect(app.nodeState(node.name)).toContainText('Unhealthy', { timeout: 300 });
  }).toPass();
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect(app.progress).toContainText('complete back to the first transaction');
  return node.name;
}

export async function openTransaction(app: Watchkeeper): Promise<void> {
  await app.timeline.getByRole('row').filter({ hasText: 'Swapped' }).first().click();
  await expect(app.drawer.getByRole('heading', { name: 'Gas and fee' })).toBeVisible();
}
