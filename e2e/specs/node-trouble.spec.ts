import type { NodeChange } from '../../sample-service/control.ts';
import type { FaultAction } from '../../sample-service/faults.ts';
import { expectAllDifferent } from '../expect-all-different.ts';
import type { Locator } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { passTimeUntil } from '../pass-time.ts';

test.use({
  serviceOptions: {
    scale: 0.02,
    nodes: [
      { name: 'harbor-1', scenario: 'healthy' },
      { name: 'pier-2', scenario: 'healthy' },
    ],
  },
});

test('whatever is wrong with a node is said in words, keeps the last report, and touches no other node', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const first = await profile.launch({ clock: 'held' });
  const { page } = first;
  let app = new Watchkeeper(page);
  // So seldom that between the steps of the test nobody asks but the test.
  for (const { name, url } of service.ready.nodes) await app.addNode(name, url, 'Every 5 minutes');
  const nodes = page.getByRole('complementary', { name: 'Your nodes' });
  const entry = (name: string) => nodes.getByRole('button', { name: new RegExp(name) });
  await entry('harbor-1').click();
  const panel = app.node('harbor-1');
  const state = app.nodeState('harbor-1');
  await expect(state).toContainText('Healthy');
  const checkCount = await app.checks.getByRole('row').count();
  expect(checkCount).toBeGreaterThan(5);

  /** After a while, since polls that are wanted sooner would wait for the node's budget. */
  const pollNow = async () => {
    service.control.advanceClock(121_000);
    await first.passTime(121_000);
    await app.pollNow();
  };
  const fault = (action: FaultAction) => service.control.addFault({ server: 'node:harbor-1', action });
  const change = (fields: NodeChange) => service.control.changeNode('harbor-1', fields);
  // One of each way in which there is no report; what each answer means is a table of cases of the classifying function.
  const troubles: { name: string; begin: () => unknown; words: (string | RegExp)[] }[] = [
    {
      name: 'it does not answer to the host name',
      begin: () => change({ rejectHosts: true }),
      words: ['Unknown', 'doesn’t accept the host name', 'use its IP address', '--http-allowed-hosts'],
    },
    {
      name: 'its health interface is off',
      begin: () => change({ healthInterface: false }),
      words: ['Unknown', 'There’s no health API at this address (404)'],
    },
    {
      name: 'HTML',
      begin: () => fault({ kind: 'garbage', variant: 'html' }),
      words: ['Unknown', 'The response is a web page, not a health report.'],
    },
    {
      name: 'a proxy in its place',
      begin: () => fault({ kind: 'status', status: 503, body: '<h1>Service unavailable</h1>' }),
      words: ['Unreachable', 'The node isn’t responding (the gateway returned 503).'],
    },
    {
      name: 'a reset connection',
      begin: () => fault({ kind: 'drop' }),
      words: ['Unreachable', 'The connection to the node was lost.'],
    },
  ];
  const ofHand = (table: Locator) => table.getByRole('row').filter({ hasText: 'closed by hand' });
  const seen: string[] = [];
  for (const { name, begin, words } of troubles) {
    await test.step(name, async () => {
      begin();
      await pollNow();
      for (const text of words) await expect(panel).toContainText(text);
      await expect(state).toContainText(/Report from\s*(just now|.*ago)/);
      expect(await app.checks.getByRole('row').count()).toBe(checkCount);
      await expect(entry('pier-2')).toContainText('Healthy');
      seen.push(
        await state
          .locator('p')
          .allInnerTexts()
          .then((lines) => lines.join(' ')),
      );
      service.control.reset();
      await pollNow();
      await expect(state).toContainText('Healthy');
    });
  }
  expectAllDifferent(seen);

  await test.step('its process hangs: noticed within 20 s, although it is polled every 5 minutes', async () => {
    const sinceMs = await first.app.evaluate(() => Date.now());
    const ownSinceMs = Date.now();
    fault({ kind: 'hang' });
    await passTimeUntil((moment) => expect(state).toContainText('Unreachable', moment), {
      app: first,
      stepMs: 2_500,
    });
    // By the app's own word: how long the window and this test take to see it is not the question, nor is the time of this
    // test between two steps, in which the app's clock goes on and its waits do not end.
    const ownMs = Date.now() - ownSinceMs;
    const snapshot = await page.evaluate(() => window.watchkeeper.invoke('app.snapshot', undefined));
    const asked = snapshot.ok ? snapshot.value.nodes.find(({ node }) => node.name === 'harbor-1') : undefined;
    expect((asked?.lastPollAtMs ?? Infinity) - sinceMs - ownMs).toBeLessThan(20_000);
    await expect(panel).toContainText('The node didn’t respond in time.');
    await expect(entry('pier-2')).toContainText('Healthy');
    service.control.reset();
    await pollNow();
    await expect(state).toContainText('Healthy');
  });

  await test.step('the Overview claims no more than is known', async () => {
    change({ healthInterface: false });
    await pollNow();
    await expect(state).toContainText('Unknown');
    await app.go('Overview');
    await expect(page.getByRole('article', { name: 'harbor-1' })).toContainText('passed in the last report');
    await expect(page.getByRole('article', { name: 'pier-2' })).toContainText(/All \d+ checks pass\./);
    service.control.reset();
    await app.go('Nodes');
    await pollNow();
  });

  await test.step('it answers 503 with a report: its own word', async () => {
    change({ periodMs: 200 });
    service.control.changeCheck('harbor-1', 'database', { error: 'closed by hand' });
    await expect(async () => {
      await pollNow();
      await expect(state).toContainText('Unhealthy', { timeout: 300 });
    }).toPass({ intervals: [50] });
    await expect(state).toContainText(/1 of \d+ checks fails: Database/);
    await expect(entry('pier-2')).toContainText('Healthy');
    const episode = ofHand(panel.getByRole('table', { name: 'Failure history' }));
    await expect(episode).toContainText('Failing for');
    service.control.changeCheck('harbor-1', 'database', null);
    await expect(async () => {
      await pollNow();
      await expect(state).toContainText('Healthy', { timeout: 300 });
    }).toPass({ intervals: [50] });
    await expect(episode).toContainText(/until \d{4}-\d\d-\d\d/);
  });

  await test.step('a failing check is no longer among its reports', async () => {
    const episode = panel
      .getByRole('table', { name: 'Failure history' })
      .getByRole('row')
      .filter({ hasText: 'fails and goes' });
    service.control.changeCheck('harbor-1', 'router', { error: 'fails and goes' });
    await expect(async () => {
      await pollNow();
      await expect(episode).toContainText('Failing for', { timeout: 300 });
    }).toPass();
    service.control.changeCheck('harbor-1', 'router', { error: null, absent: true });
    await pollNow();
    await expect(state).toContainText('Healthy');
    await expect(episode).toContainText('no longer reported by the node');
    await expect(app.checks.getByRole('row').filter({ hasText: 'router' })).toHaveCount(0);
    await app.go('Overview');
    await expect(page.getByText('No open incidents')).toBeVisible();
    await app.go('Nodes');
    service.control.changeCheck('harbor-1', 'router', null);
    await pollNow();
  });

  await test.step('another node answers at its address', async () => {
    change({ nodeId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg' });
    await pollNow();
    await expect(state).toContainText('Several nodes respond at this address');
    await expect(panel).toContainText('The node ID changes between responses');
    await expect(panel).toContainText('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg');
  });

  const ended = await ofHand(panel.getByRole('table', { name: 'Failure history' })).innerText();
  expect(ended.match(/\d{4}-\d\d-\d\d \d\d:\d\d/g)?.length).toBeGreaterThanOrEqual(2);
  await first.quit();
  await service.stop();
  const second = await profile.launch();
  app = new Watchkeeper(second.page);
  await app.go('Nodes');
  await expect(app.nodeState('harbor-1')).toContainText('Unreachable');
  await expect(app.nodeState('harbor-1')).toContainText('The node refused the connection.');
  const history = app.node('harbor-1').getByRole('table', { name: 'Failure history' });
  // The times of the first start are later, because time has passed in it.
  const silence = history.getByRole('row').filter({ hasText: 'Unreachable from this computer' });
  await expect(silence.filter({ hasText: 'Failing for' })).toBeVisible();
  await expect(ofHand(history)).toBeVisible();
  expect(await ofHand(history).innerText()).toBe(ended);
});
