import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { SharedApp } from '../shared-app.ts';

test('an app that tests share is handed over as new, and not while something of a test is left in it', async ({
  profile,
  service,
}) => {
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  const shared = await SharedApp.start(profile);
  const { page } = await shared.handOver(service);
  const app = new Watchkeeper(page);
  await app.watchAddress(service.account('one'), 'Once');
  await app.addNode(node.name, node.url);
  await expect(app.nodeState(node.name)).toContainText('Healthy');
  await expect(shared.handOver(null, 2_000)).rejects.toThrow('something of the test before is left');

  await shared.takeBack();
  await shared.handOver(null);
  await app.go('Nodes');
  await expect(page.getByRole('article', { name: node.name })).toBeHidden();
  await app.go('Activity');
  await expect(page.getByText('No addresses yet')).toBeVisible();
});
