import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FaultAction } from '../../sample-service/faults.ts';
import { expectAllDifferent } from '../expect-all-different.ts';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';

const historyRoute = '/v1/chains/*/addresses/*/transactions';
const detailRoute = '/v1/chains/*/transactions/*';

/** What the chain data service can do wrong; `words` are all on the screen when it has. */
const serviceTroubles: { name: string; action: FaultAction; words: readonly string[] }[] = [
  {
    name: 'a status 404',
    action: { kind: 'status', status: 404 },
    words: ['The service has no record of this', 'Fault: 404'],
  },
  {
    name: 'a status 403',
    action: { kind: 'status', status: 403 },
    words: ['The service refused the request', 'Fault: 403'],
  },
  {
    name: 'a status 500',
    action: { kind: 'status', status: 500 },
    words: ['The service returned an error (status 500)', 'Fault: 500'],
  },
  {
    name: 'the page of a gateway',
    action: { kind: 'status', status: 502, body: '<h1>Bad gateway</h1>' },
    words: ['The service returned an error (status 502)'],
  },
  {
    name: 'HTML instead of JSON',
    action: { kind: 'garbage', variant: 'html' },
    words: ['The service sent a response that the app can’t read', 'a web page instead of data'],
  },
  {
    name: 'nothing',
    action: { kind: 'garbage', variant: 'empty' },
    words: ['The service sent a response that the app can’t read', 'sent an empty response'],
  },
  {
    name: 'cut-off JSON',
    action: { kind: 'cut' },
    words: ['The service sent a response that the app can’t read', 'was cut off'],
  },
  {
    name: 'wrong types',
    action: { kind: 'wrong-types' },
    words: ['The service sent a response that the app can’t read', 'response doesn’t match the format of “'],
  },
];

test('whatever the service does wrong has its own words, and what was known stays', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  await app.saveKey(service.ready.apiKey);
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.progress).toContainText('complete back to the first transaction');
  const firstRow = app.timeline.getByRole('row').nth(1);
  // The rows on the screen are completed by themselves; what is compared below must not change with that.
  await app.completed();
  await app.settled();
  const rowCount = await app.timeline.getAttribute('aria-rowcount');
  expect(Number(rowCount)).toBeGreaterThan(20);
  const known = await firstRow.innerText();

  // In the timeline: the notice stands above the rows, which say how old they are. One of each way in which a request fails.
  const inTimeline = serviceTroubles.filter(({ name }) => /404|500|HTML/.test(name));
  expect(inTimeline).toHaveLength(3);
  const seen: string[] = [];
  for (const { name, action, words } of inTimeline) {
    await test.step(`${name}, for the history`, async () => {
      service.control.addFault({ route: historyRoute, action });
      await app.fetchAllChains('Savings');
      const notice = app.notice(words[0] ?? '');
      for (const text of words) await expect(notice).toContainText(text);
      await expect(app.timeline).toHaveAttribute('aria-rowcount', String(rowCount));
      expect(await firstRow.innerText()).toBe(known);
      await expect(app.progress).toContainText(/checked .*(ago|now)/);
      seen.push(await notice.innerText());
      service.control.clearFaults();
      await app.fetchAllChains('Savings');
      await expect(notice).toBeHidden();
      await expect(app.progress).toContainText('complete back to the first transaction');
    });
  }
  expectAllDifferent(seen);

  // In the drawer: the transaction stays, with the time at which it was fetched.
  await firstRow.click();
  const source = app.drawer.getByText('The service, just now');
  const again = app.drawer.getByRole('button', { name: 'Fetch again' });
  await again.click();
  await expect(source).toBeVisible();
  for (const { name, action, words } of serviceTroubles) {
    await test.step(`${name}, for one transaction`, async () => {
      service.control.addFault({ route: detailRoute, action });
      await again.click();
      for (const text of words) await expect(app.drawer).toContainText(text);
      await expect(app.drawer).toContainText('This is the complete transaction, fetched');
      await expect(app.drawer).toContainText('an earlier response from the service');
      await expect(app.drawer.getByRole('heading', { name: 'Gas and fee' })).toBeVisible();
      service.control.clearFaults();
      await app.drawer.getByRole('button', { name: 'Try again' }).click();
      await expect(source).toBeVisible();
    });
  }

  // A broken connection is no error of anybody: it is said beside the age of what is shown.
  service.control.addFault({ route: '/v1/**', action: { kind: 'drop' } });
  await again.click();
  await expect(app.drawer).toContainText('No connection to the service');
  await expect(app.drawer).toContainText('was lost');
  await expect(app.connection).toContainText(/As of .* \(offline\)/);
  service.control.clearFaults();
  await app.drawer.getByRole('button', { name: 'Try again' }).click();
  await expect(app.connection).toContainText('Live');
  await page.keyboard.press('Escape');

  // A key that the service does not take.
  await app.saveKey('not-the-key-of-anybody');
  await page.getByRole('button', { name: 'Test key' }).click();
  const refusal = page.getByRole('alert').filter({ hasText: 'The API key wasn’t accepted' });
  await expect(refusal).toContainText('Replace it.');
  await app.go('Activity');
  await app.fetchAllChains('Savings');
  await expect(refusal).toBeVisible();
  await expect(app.timeline).toHaveAttribute('aria-rowcount', String(rowCount));
  await refusal.getByRole('button', { name: 'Open Settings' }).click();
  await app.saveKey(service.ready.apiKey);
  await app.go('Activity');
  // What the wrong key had stopped goes on.
  await expect(refusal).toBeHidden();
  await expect(app.progress).toContainText('complete back to the first transaction');

  // The service is gone. A request that is under way meanwhile breaks off; those that follow find nothing.
  await service.stop();
  await expect(async () => {
    await app.fetchAllChains('Savings');
    await expect(app.connection).toHaveAccessibleDescription(/Nothing responded at 127\.0\.0\.1/, {
      timeout: 2_000,
    });
  }).toPass();
  await expect(app.connection).toContainText(/As of .* \(offline\)/);
  await expect(app.timeline).toHaveAttribute('aria-rowcount', String(rowCount));
});

test('after a 429 nothing is sent before its time is over', async ({ running, service }) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await app.completed();
  await app.timeline.getByRole('row').nth(1).click();
  await expect(app.drawer.getByRole('heading', { name: 'Gas and fee' })).toBeVisible();

  service.control.clearRequests();
  const waitSeconds = 5;
  service.control.addFault({
    count: 1,
    route: detailRoute,
    action: { kind: 'storm', retryAfterSeconds: waitSeconds },
  });
  const again = app.drawer.getByRole('button', { name: 'Fetch again' });
  await again.click();
  await expect(app.drawer).toContainText('The service’s rate limit has been reached');
  // The user's impatience does not get past it.
  await again.click();
  await expect(app.drawer).toContainText(/won’t accept requests for another \d+ s, so nothing was sent/);
  await expect(app.drawer).toContainText('This is the complete transaction, fetched');
  const countdown = app.drawer.getByText(/You can try again in \d/);
  const before = await countdown.innerText();
  await expect(countdown).not.toHaveText(before);
  const tryNow = app.drawer.getByRole('button', { name: 'Try again now' });
  await expect(tryNow).toBeVisible();
  expect(service.requestsTo('data').map(({ status }) => status)).toEqual([429]);

  await tryNow.click();
  await expect(app.drawer.getByText('The service, just now')).toBeVisible();
  const [refused, next] = service.requestsTo('data');
  expect(next?.status).toBe(200);
  expect((next?.receivedAtMs ?? 0) - (refused?.receivedAtMs ?? 0)).toBeGreaterThanOrEqual(
    waitSeconds * 1_000,
  );
  await page.keyboard.press('Escape');

  // A long ban: the timeline says so, and not even asking again sends anything.
  service.control.addFault({
    count: 1,
    route: historyRoute,
    action: { kind: 'storm', retryAfterSeconds: 600 },
  });
  service.control.clearRequests();
  await app.fetchAllChains('Savings');
  const notice = app.notice('The service’s rate limit has been reached');
  await expect(notice).toContainText(/You can try again in (9|10):\d\d/);
  const sent = service.requestsTo('data');
  const histories = sent.filter(({ url }) => /\/addresses\/[^/]+\/transactions(\?|$)/.test(url));
  expect(histories.map(({ status }) => status)).toEqual([429]);
  await app.fetchAllChains('Savings');
  await expect(notice).toContainText('nothing was sent');
  expect(service.requestsTo('data')).toEqual(sent);
  await expect(app.timeline.getByRole('row').nth(1)).toBeVisible();
});

test('a service that never answers holds up nothing else, and is cancelled at once', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  // Time does not go by: no limit of a request ends one in place of the user.
  const { page } = await profile.launch({ clock: 'held' });
  const app = new Watchkeeper(page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.progress).toContainText('complete back to the first transaction');
  const hung = async () => {
    const requests = service.requestsTo('data');
    return requests.filter(({ fault }) => fault === 'hang').length;
  };

  service.control.addFault({ route: historyRoute, action: { kind: 'hang' } });
  await app.fetchAllChains('Savings');
  await expect.poll(hung).toBe(1);
  await expect(app.progress).toContainText('fetching');

  // Meanwhile: another request to the same service, a node, the settings.
  await app.timeline.getByRole('row').nth(1).click();
  await app.drawer.getByRole('button', { name: 'Fetch again' }).click();
  await expect(app.drawer.getByText('The service, just now')).toBeVisible();
  await page.keyboard.press('Escape');
  await app.addNode(node.name, node.url);
  await expect(app.nodeState(node.name)).toContainText('Healthy');
  await app.go('Settings');
  await page.getByRole('main').getByText('UTC', { exact: true }).click();
  await app.go('Activity');

  await app.stopFetching();
  await expect(app.progress).not.toContainText('fetching');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await expect(app.notice('Stopped')).toBeHidden();

  // A transaction that does not come: closing the drawer gives it up, on the wire too.
  service.control.clearFaults();
  service.control.clearRequests();
  await app.timeline.getByRole('row').nth(2).click();
  await expect(app.drawer.getByRole('button', { name: 'Fetch again' })).toBeEnabled();
  service.control.addFault({ count: 1, route: detailRoute, action: { kind: 'hang' } });
  await app.drawer.getByRole('button', { name: 'Fetch again' }).click();
  await expect.poll(hung).toBe(1);
  await page.keyboard.press('Escape');
  await expect(app.drawer).toBeHidden();
  await app.timeline.getByRole('row').nth(2).click();
  await app.drawer.getByRole('button', { name: 'Fetch again' }).click();
  await expect(app.drawer.getByText('The service, just now')).toBeVisible();
});

test('a service whose name is not found: said as it is, and the address stays watched', async ({
  profile,
  service,
}) => {
  const url = 'http://no-such-host.invalid';
  await writeFile(
    join(profile.dir, 'settings.json'),
    JSON.stringify({
      service: { preset: 'custom', dataUrl: url, metricsUrl: url, keyHeader: 'x-service-api-key' },
    }),
  );
  const address = service.account('thirty');
  const first = await profile.launch();
  let app = new Watchkeeper(first.page);
  await app.watchAddress(address, 'Savings');
  const main = first.page.getByRole('main');
  await expect(main).toContainText('No connection to the service, and nothing is stored yet');
  await expect(main).toContainText('No connection to the service');
  await expect(app.connection).toContainText('Offline');
  await expect(app.connection).toHaveAccessibleDescription(/The name of no-such-host\.invalid was not found/);
  await first.quit();

  const second = await profile.launch();
  app = new Watchkeeper(second.page);
  await app.go('Activity');
  await expect(second.page.getByRole('complementary', { name: 'Watched addresses' })).toContainText(
    'Savings',
  );
});

test('settings of another version keep their service, and a value that cannot be used costs itself alone', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const path = join(profile.dir, 'settings.json');
  // The file is the one that was just written.
  const written = JSON.parse(await readFile(path, 'utf8')) as { service: object };
  const ofAnother = { ...written.service, crosschainSpelling: 'specification' };
  await writeFile(path, JSON.stringify({ ...written, service: ofAnother, theme: 'purple', timeZone: 'utc' }));
  const { page } = await profile.launch();
  const app = new Watchkeeper(page);
  await expect(page.getByText(/that can’t be used were replaced or left out: theme \(/)).toBeVisible();
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.progress).toContainText('complete back to the first transaction');
  const stored = JSON.parse(await readFile(path, 'utf8')) as unknown;
  expect(stored).toMatchObject({ service: ofAnother, theme: 'system', timeZone: 'utc' });
});

test('an empty list says which of its reasons it is', async ({ running, service }) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const { address, emptyAddress } = service.ready.examples;
  const main = page.getByRole('main');
  const watched = page.getByRole('complementary', { name: 'Watched addresses' });
  const expectReason = async (...words: (string | RegExp)[]) => {
    for (const text of words) await expect(main.getByText(text).first()).toBeVisible();
    await expect(app.timeline).toBeHidden();
  };
  const setFault = (route: string, action: FaultAction) => {
    service.control.clearFaults();
    service.control.addFault({ route, action });
  };

  await app.go('Activity');
  await expectReason('No addresses yet');

  // Nothing is known of the chains: being looked up, failed, and none.
  setFault('/v1/address/*/chains', { kind: 'hang' });
  await app.watchAddress(emptyAddress, 'Spare');
  await expectReason('Finding chains for this address…');
  await app.stopWatching('Spare');
  await expectReason('No addresses yet');
  setFault('/v1/address/*/chains', { kind: 'status', status: 500 });
  await app.watchAddress(emptyAddress, 'Spare');
  await expectReason('The chains of this address aren’t known yet', /returned an error \(status 500\)/);
  service.control.clearFaults();
  await main.getByRole('button', { name: 'Find chains' }).click();
  await expectReason('No transactions', /doesn’t list any chain where this address was active/);

  // The chains are known, their histories not: being fetched, stopped, failed.
  setFault(historyRoute, { kind: 'hang' });
  await app.watchAddress(address, 'Treasury');
  await expectReason('Fetching the newest transactions…');
  await app.stopFetching();
  await expectReason('History not fetched yet', /We can’t tell yet whether there are transactions/);
  setFault(historyRoute, { kind: 'status', status: 500 });
  await main.getByRole('button', { name: 'Fetch history' }).click();
  await expectReason('Couldn’t fetch the history', /returned an error \(status 500\)/);
  service.control.clearFaults();
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(app.timeline.getByRole('row').nth(1)).toBeVisible();

  // There are rows, but not here.
  await watched.getByRole('button', { name: /not indexed/ }).click();
  await expectReason('This chain isn’t indexed', /own explorer may\s+show/);
  await watched.getByRole('button', { name: /^Treasury/ }).click();
  await expect(app.timeline.getByRole('row').nth(1)).toBeVisible();
  const search = page.getByRole('searchbox', { name: /^Search labels/ });
  await search.fill('nothing is called this');
  await expectReason('No transactions match', /stored transactions\s+don’t match/);
  await search.fill('');
  await expect(app.timeline.getByRole('row').nth(1)).toBeVisible();
  // Rows that are hidden as spam are all that the search finds: they are counted, and shown when asked for.
  const { hidden } = await app.matching();
  expect(hidden).toBeGreaterThan(0);
  await search.fill('claim-now');
  await expectReason('All rows are hidden', /Nothing\s+was\s+deleted/);
  await main.getByRole('button', { name: 'Show hidden rows' }).click();
  await expect(app.timeline.getByRole('row').nth(1)).toBeVisible();
  await app.clearFilters();
  await page.keyboard.press('h');
  await watched.getByRole('button', { name: /^Spare/ }).click();
  await expectReason('No transactions');

  // There is no connection, and nothing of it was stored before.
  setFault('/v1/**', { kind: 'drop' });
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expectReason(
    'No connection to the service, and nothing is stored yet',
    /We can’t tell yet whether there are transactions/,
  );
  await app.stopWatching('Savings');

  // The service wants to be left alone for now.
  setFault(historyRoute, { kind: 'storm', retryAfterSeconds: 600 });
  await app.watchAddress(service.account('one'), 'Once');
  await expectReason(
    'The service’s rate limit has been reached',
    /We can’t tell yet whether there are transactions/,
    /You can try again in/,
  );
});
