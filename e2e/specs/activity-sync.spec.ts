import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { passTimeUntil } from '../pass-time.ts';
import type { Profile, RunningApp } from '../running-app.ts';
import type { SampleService } from '../sample-service.ts';

const listNames = [
  'Transactions',
  'ERC-20 transfers',
  'ERC-1155 transfers',
  'Internal transactions',
  'Native transactions',
] as const;

const historyRoute = '/v1/chains/*/addresses/*/transactions';
const everyListRoute = '/v1/chains/*/addresses/*/transactions**';

/** The bar of a list, which says in words what it shows. */
const bar = (coverage: Locator, list: string, words: RegExp) =>
  coverage.getByRole('img', { name: new RegExp(`^${list}, [^:]+: ${words.source}$`) });

/** Of one chain: every list is verified as complete, and nothing failed or is under way. */
async function expectWhole(coverage: Locator): Promise<void> {
  for (const list of listNames) {
    // A list ends at its newest element, which may be older than that of others.
    await expect(bar(coverage, list, /No gaps\.( Verified up to block [\d,]+\.)?/)).toBeVisible();
  }
  const complete = coverage.getByText('Complete', { exact: true });
  await expect(complete).toHaveCount(listNames.length);
}

/** Requests for each list, by the last part of the path. */
async function requestsByList(service: SampleService): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { url } of service.requestsTo('data')) {
    const list = /\/addresses\/[^/]+\/([^?]+)/.exec(url)?.[1];
    if (list !== undefined) counts.set(list, (counts.get(list) ?? 0) + 1);
  }
  return counts;
}

async function requestsOfOtherLists(service: SampleService): Promise<Map<string, number>> {
  const counts = await requestsByList(service);
  counts.delete('transactions');
  return counts;
}

test('coverage: a plan before anything is fetched, all five lists, a gap in words and its filling', async ({
  running,
  service,
}) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  // Nothing is answered at first: the user stops it, and sees what it would cost.
  service.control.addFault({ route: everyListRoute, action: { kind: 'hang' } });
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(
    page.getByRole('status').filter({ hasText: 'Fetching the newest transactions…' }),
  ).toBeVisible();
  const coverage = await app.openCoverage();
  await coverage.getByRole('button', { name: 'Stop', exact: true }).click();
  for (const list of listNames) {
    await expect(bar(coverage, list, /No blocks verified as complete yet\./)).toBeVisible();
  }
  service.control.clearFaults();
  service.control.clearRequests();
  await coverage.getByRole('button', { name: 'Fetch all', exact: true }).click();
  const plan = page.getByRole('dialog', { name: /^Fetch all: Savings on C-Chain/ });
  await expect(plan).toContainText('At least 5 calls for 5 lists.');
  await expect(plan).toContainText('The number of calls isn’t known until the first page arrives.');
  await expect(plan).toContainText(/The duration isn’t known until then|About|Done within/);
  expect(await requestsByList(service)).toEqual(new Map());

  // One element of the list comes so broken that it cannot be read: its block is not proven, and is a hole.
  service.control.addFault({
    route: historyRoute,
    count: 1,
    action: { kind: 'replace', path: 'transactions.12', value: 'broken' },
  });
  // It is asked for again within a second, which would fill the gap: that is refused for good.
  service.control.addFault({ route: historyRoute, action: { kind: 'status', status: 400 } });
  await plan.getByRole('button', { name: 'Fetch all' }).click();
  await expect(plan).toBeHidden();
  for (const list of listNames.slice(1)) await expect(bar(coverage, list, /No gaps\..*/)).toBeVisible();
  await expect(bar(coverage, 'Transactions', /\d gaps?: blocks? [\d,]+.*\./)).toBeVisible();
  await expect.poll(async () => (await requestsByList(service)).get('transactions')).toBe(2);
  const others = await requestsOfOtherLists(service);
  service.control.clearFaults();
  await coverage.getByRole('button', { name: 'Fill gaps', exact: true }).click();
  const filling = page.getByRole('dialog', { name: /^Fill gaps: Savings on C-Chain/ });
  await expect(filling).toContainText(/calls? for 1 list/);
  await filling.getByRole('button', { name: 'Fill gaps' }).click();
  await expectWhole(coverage);
  expect(await requestsOfOtherLists(service)).toEqual(others);

  // Block ranges verified as complete.
  await coverage.getByText('Block ranges verified as complete').click();
  const proofs = coverage.getByRole('list', { name: 'Verified ranges for Transactions', exact: true });
  await expect(proofs.getByRole('listitem').first()).toContainText(/blocks [\d,]+ to [\d,]+.*fetch run ID/s);
  // Who doubts blocks has them fetched again.
  service.control.clearRequests();
  await proofs
    .getByRole('button', { name: /^Fetch blocks? .* again for Transactions$/ })
    .first()
    .click();
  await expect.poll(async () => [...(await requestsByList(service)).keys()]).toEqual(['transactions']);
  await expectWhole(coverage);
  await page.keyboard.press('Escape');
  await expect.poll(async () => sum(await app.matching())).toBe(30);
});

test('a second look at an unchanged address costs at most one request a list', async ({
  running,
  service,
}) => {
  const app = new Watchkeeper(running.page);
  await app.watchAddress(service.account('thirty'), 'Savings');
  await app.fetchAllChains('Savings');
  await expectWhole(await app.openCoverage());
  await running.page.keyboard.press('Escape');
  await app.completed();
  service.control.clearRequests();

  await app.fetchAllChains('Savings');
  await expect.poll(async () => (await requestsByList(service)).size).toBe(listNames.length);
  const coverage = await app.openCoverage();
  await expect(coverage.getByRole('button', { name: 'Fetch all', exact: true })).toBeVisible();
  expect([...(await requestsByList(service)).values()]).toEqual(listNames.map(() => 1));
});

test('the audit finds what one list keeps back, and one click fetches it', async ({ running, service }) => {
  const { page } = running;
  const app = new Watchkeeper(page);
  const address = service.account('thirty');
  const path = `/v1/chains/${service.ready.examples.chainId}/addresses/${address}/transactions`;
  // The fields are part of every answer to these questions.
  const { transactions } = (await service.answerTo(`${path}?pageSize=100`)) as {
    transactions: { nativeTransaction: { txHash: string } }[];
  };
  const erc20 = (await service.answerTo(`${path}:listErc20?pageSize=100`)) as {
    transactions: { txHash: string }[];
  };
  const kept = erc20.transactions[3]?.txHash;
  if (kept === undefined) throw new Error('There is no token transfer.');
  service.answerInstead(path, {
    transactions: transactions.filter(({ nativeTransaction }) => nativeTransaction.txHash !== kept),
  });

  await app.watchAddress(address, 'Savings');
  await app.fetchAllChains('Savings');
  const coverage = await app.openCoverage();
  await expectWhole(coverage);
  await coverage.getByText('Audit: compare the lists').click();
  await coverage.getByRole('button', { name: 'Run audit' }).click();
  await expect(coverage).toContainText(/29 transactions compared .*\. 1 missing\./);
  const gaps = coverage.getByRole('list', { name: 'Missing' });
  await expect(gaps).toContainText(/In .*ERC-20 transfers.* but missing from Transactions\./);

  await gaps.getByRole('button', { name: `Fetch ${kept}` }).click();
  await expect(gaps).toContainText('Fetched');
  await coverage.getByRole('button', { name: 'Run again' }).click();
  await expect(coverage).toContainText(/30 transactions compared .*\. No transactions are missing\./);
  await page.keyboard.press('Escape');
  await app.search.fill(kept);
  await expect.poll(async () => sum(await app.matching())).toBe(1);
});

test.describe('of more than four hundred rows', () => {
  test.use({ serviceOptions: { scale: 1 } });

  test('killed in the middle, tokens expired, asked to wait: what comes out is what the service has', async ({
    profile,
    service,
  }) => {
    const { address } = service.ready.examples;
    const chainIds = ['802117'];
    await service.limitChains(address, chainIds);
    // Two pages of the history come, then nothing more.
    service.control.addFault({ route: historyRoute, skip: 2, action: { kind: 'hang' } });
    await profile.useService(service);
    const first = await profile.launch();
    let app = new Watchkeeper(first.page);
    await app.watchAddress(address, 'Treasury');
    await expect.poll(async () => sum(await app.matching())).toBeGreaterThan(50);
    let coverage = await app.openCoverage();
    await expect(bar(coverage, 'Transactions', /No gaps\. Older blocks aren’t verified yet\./)).toBeVisible();
    await first.kill();

    // The service's day goes by: its page tokens are void, and there are new blocks.
    service.control.clearFaults();
    await service.limitChains(address, chainIds);
    service.control.advanceClock(25 * 3_600_000);
    for (const skip of [2, 6]) {
      const storm = { kind: 'storm', retryAfterSeconds: 1 } as const;
      service.control.addFault({ route: everyListRoute, skip, count: 1, action: storm });
    }
    service.control.addFault({
      route: everyListRoute,
      skip: 4,
      count: 1,
      action: { kind: 'drop' },
    });
    service.control.clearRequests();
    const second = await profile.launch({ clock: 'held' });
    app = new Watchkeeper(second.page);
    await app.go('Activity');
    // The history goes on by itself; the other lists were not begun yet.
    const history = app.progress;
    await passTimeUntil(
      (moment) => expect(history).toContainText('complete back to the first transaction', moment),
      { app: second, stepMs: 1_000 },
    );
    await app.fetchAllChains('Treasury');
    coverage = await app.openCoverage();
    const complete = coverage.getByText('Complete', { exact: true });
    // A run that was refused again and again is repeated after 30 s.
    await passTimeUntil((moment) => expect(complete).toHaveCount(listNames.length, moment), {
      app: second,
      stepMs: 1_000,
    });
    await expectWhole(coverage);
    const troubles = service.requestsTo('data').filter(({ fault }) => fault === 'storm' || fault === 'drop');
    expect(troubles).toHaveLength(3);
    await second.page.keyboard.press('Escape');
    // The world goes on: what is newer than all that the app could see is not compared.
    const stored = await storedHashes(second, app, profile);
    const whole = await servedHashes(service, `/v1/chains/${chainIds[0]}/addresses/${address}/transactions`);
    expect(stored.length).toBeGreaterThan(400);
    expect(stored.toSorted()).toEqual(whole.slice(whole.indexOf(stored[0] ?? '')).toSorted());
  });
});

/** The transactions that are stored, newest first. */
async function storedHashes(running: RunningApp, app: Watchkeeper, { dir }: Profile): Promise<string[]> {
  const file = join(dir, 'everything.jsonl');
  await running.saveTo(file);
  await app.exportActivity('JSON Lines', true);
  await expect(running.page.getByText(/Saved .* transactions? to/)).toBeVisible();
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  // Written by the app; what is not as it should be shows in the comparison.
  return lines.map((line) => (JSON.parse(line) as { tx_hash: string }).tx_hash);
}

/** The transactions of a list of the service, newest first. */
async function servedHashes(service: SampleService, path: string): Promise<string[]> {
  const hashes: string[] = [];
  for (let token = ''; ;) {
    // The fields are part of every answer to this question.
    const { transactions, nextPageToken } = (await service.answerTo(
      `${path}?pageSize=100&pageToken=${encodeURIComponent(token)}`,
    )) as { transactions: { nativeTransaction: { txHash: string } }[]; nextPageToken?: string };
    hashes.push(...transactions.map(({ nativeTransaction }) => nativeTransaction.txHash));
    if (nextPageToken === undefined || nextPageToken === '') return hashes;
    token = nextPageToken;
  }
}

test.describe('in a world that does not move', () => {
  test.use({ serviceOptions: { scale: 0.02, nowSeconds: 1_750_000_000 } });

  test('replaced blocks are noticed and marked, and what was there before is kept', async ({
    running,
    service,
  }) => {
    const { page } = running;
    const app = new Watchkeeper(page);
    const { address } = service.ready.examples;
    const chainId = '802117';
    await service.limitChains(address, [chainId]);
    await app.watchAddress(address, 'Treasury');
    await expect(app.progress).toContainText('complete back to the first transaction');
    await app.completed();
    await app.settled();
    const before = sum(await app.matching());

    const { chains } = service.control.describe();
    const { transactions } = (await service.answerTo(
      `/v1/chains/${chainId}/addresses/${address}/transactions?pageSize=4`,
    )) as { transactions: { nativeTransaction: { blockNumber: string } }[] };
    const head = chains.find((chain) => chain.chainId === chainId)?.headBlock ?? 0;
    const first = Number(transactions.at(-1)?.nativeTransaction.blockNumber);
    service.control.reorganise(chainId, head - first + 1);
    await app.fetchAllChains('Treasury');

    // Some are gone, others are in new blocks.
    await expect(app.row(/Gone/).first()).toBeVisible();
    const marked = app.row(/Reorganised/).first();
    await expect(marked).toBeVisible();
    await expect.poll(async () => sum(await app.matching())).toBe(before);
    await marked.click();
    await expect(app.drawer.getByRole('heading', { name: 'Older versions' })).toBeVisible();
  });
});

const sum = ({ shown, hidden }: { shown: number; hidden: number }) => shown + hidden;

test('fetching that the user has stopped stays stopped, and goes on where it was; the next start asks for nothing again', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const first = await profile.launch();
  let app = new Watchkeeper(first.page);
  const pages = '/v1/chains/*/addresses/*/transactions';
  // Three pages pass, the rest comes so late that the user has time to stop it.
  service.control.addFault({
    route: pages,
    skip: 3,
    delayMs: 3_000,
    action: { kind: 'delay' },
  });
  await app.watchAddress(service.ready.examples.address, 'Treasury');
  await expect.poll(async () => (await app.matching()).shown).toBeGreaterThan(50);
  await app.stopFetching();
  await expect(app.progress).not.toContainText('fetching');
  const stopped = (await app.matching()).shown;
  await first.quit();

  service.control.clearFaults();
  service.control.clearRequests();
  const second = await profile.launch();
  app = new Watchkeeper(second.page);
  await app.go('Activity');
  await expect.poll(async () => (await app.matching()).shown).toBe(stopped);
  await expect(app.progress).not.toContainText('complete back to the first transaction');
  await app.fetchAllChains('Treasury');
  await expect(app.progress).toContainText('complete back to the first transaction');
  const requests = service.requestsTo('data');
  const urls = requests.filter(({ url }) => url.includes('/addresses/')).map(({ url }) => url);
  expect(new Set(urls).size).toBe(urls.length);
  // The other lists take longer than the history.
  await second.page.getByRole('button', { name: / running$/ }).waitFor({ state: 'hidden' });
  await app.completed();
  await second.quit();

  service.control.clearRequests();
  // Within a minute of the last look, and with a list of chains that is fresh for fifteen, there is nothing to ask.
  const third = await profile.launch();
  app = new Watchkeeper(third.page);
  await app.go('Activity');
  await expect(app.progress).toContainText('complete back to the first transaction');
  await expect(app.timeline.getByRole('row').nth(3)).toBeVisible();
  expect(service.requestsTo('data').map(({ url }) => url)).toEqual([]);
});

test('what the user waits for is asked for again within seconds when the service fails for a moment, and says when', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const running = await profile.launch({ clock: 'held' });
  const app = new Watchkeeper(running.page);
  service.control.addFault({ server: 'data', action: { kind: 'status', status: 500 }, count: 3 });
  await app.watchAddress(service.account('thirty'), 'Savings');
  await expect(app.watched).toContainText('Retrying in 1 s');
  for (const [requests, thenMs] of [
    [1, 1_000],
    [2, 1_000],
    [3, 2_000],
  ] as const) {
    await expect.poll(() => service.requestsTo('data').length).toBe(requests);
    await running.passTime(thenMs);
  }
  await expect(app.progress).toContainText('complete back to the first transaction');
});
