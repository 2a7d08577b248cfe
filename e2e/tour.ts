import { expect } from 'playwright/test';
import { Watchkeeper } from './pages/watchkeeper.ts';
import type { Profile, RunningApp } from './running-app.ts';
import { SampleService } from './sample-service.ts';

/** The day on which the tour always takes place: the same app then looks the same whenever it is taken. */
const beginsAtMs = Date.UTC(2026, 2, 12, 12);
/** Where the clocks stop, as soon as the histories are there: how long it took to fetch them must not be seen. */
const stopsAtMs = beginsAtMs + 600_000;
/** What passes between the clocks' stop and the round of checks in which one fails. */
const untilFailureMs = 60_000;
const endsAtMs = stopsAtMs + untilFailureMs;

/** The nodes of the demo, one of which gets into trouble. */
const nodes = [
  { name: 'harbor-1', scenario: 'healthy' },
  { name: 'one-chain-failing', scenario: 'one-chain-failing' },
  { name: 'bootstrapping', scenario: 'bootstrapping' },
];

/** What the demo's app is a client of. The time of the service is the real one if nothing else is said. */
export async function startDemoService(clock?: { nowMs: () => number }): Promise<SampleService> {
  return await SampleService.start(
    clock === undefined ? { nodes } : { nodes, clock, nowSeconds: beginsAtMs / 1_000 },
  );
}

/** What a new user does first: a key and an address. */
export async function watchFirstAddress(app: Watchkeeper, { ready }: SampleService): Promise<void> {
  await app.saveKey(ready.apiKey);
  await app.watchAddress(ready.examples.address, 'Treasury');
}

/** Then nodes. One of these is in trouble from its next round on. */
export async function addFirstNodes(app: Watchkeeper, { ready, control }: SampleService): Promise<void> {
  for (const { name, url } of ready.nodes) await app.addNode(name, url);
  control.changeNode('one-chain-failing', { periodMs: 2_000 });
  control.changeCheck('one-chain-failing', 'C', {
    error: 'not connected to enough stake: connected to 60.000000%; required at least 80.000000%',
  });
}

/** Looks at a view, under its name; `atRest` ends when the view has come to rest in the size that the window has. */
export type Look = (running: RunningApp, name: string, atRest: () => Promise<void>) => Promise<void>;

/** One run of the app on the tour. */
class Visit {
  readonly running: RunningApp;
  readonly app: Watchkeeper;
  readonly #look: Look;

  constructor(running: RunningApp, look: Look) {
    this.running = running;
    this.app = new Watchkeeper(running.page);
    this.#look = look;
  }

  /** `isThere` ends when all that this view shows is there. */
  async look(name: string, isThere: () => Promise<void>): Promise<void> {
    await this.#look(this.running, name, async () => {
      await this.passWindowTime(1_000);
      await expect.poll(async () => (await this.#snapshot()).completion.waitingCount).toBe(0);
      await this.running.page.getByText(/^Completing: /).waitFor({ state: 'hidden' });
      await isThere();
    });
  }

  /** What the window does within this time it does now: say which rows are in sight, draw ages, take a message away. */
  async passWindowTime(ms: number): Promise<void> {
    await this.running.page.clock.runFor(ms);
  }

  /** Waits until the newest report of each node is of this moment. */
  async reportsOf(atMs: number): Promise<void> {
    const atMsOfNodes = async () => (await this.#snapshot()).nodes.map(({ reportAtMs }) => reportAtMs);
    await expect.poll(atMsOfNodes).toEqual(nodes.map(() => atMs));
  }

  async #snapshot() {
    return await this.running.page.evaluate(async () => {
      const snapshot = await window.watchkeeper.invoke('app.snapshot', undefined);
      if (!snapshot.ok) throw new Error(snapshot.error.message);
      return snapshot.value;
    });
  }
}

/** Goes through the views of the demo, in a profile that nobody has used; the last one without the service. */
export async function tour(profile: Profile, look: Look): Promise<void> {
  let isStopped = false;
  // Its nodes begin at the same moment, however long the service takes to start.
  let startedAtMs = Infinity;
  const elapsedMs = () =>
    isStopped ? stopsAtMs - beginsAtMs : Math.max(0, Math.floor(performance.now() - startedAtMs));
  const service = await startDemoService({ nowMs: () => beginsAtMs + elapsedMs() });
  startedAtMs = performance.now();
  const launch = async (clock: { startsAtMs: number }) => {
    const running = await profile.launch({ clock, env: { TZ: 'UTC', LANG: 'en_US.UTF-8' } });
    const { page } = running;
    await page.clock.setFixedTime(endsAtMs);
    // So that it has been this moment ever since the window began.
    await page.reload();
    return new Visit(running, look);
  };
  try {
    await profile.useService(service);
    const visit = await launch({ startsAtMs: beginsAtMs });
    const { running, app } = visit;
    await visit.look('welcome', () => app.connection.getByText('Not asked yet').waitFor());
    await watchFirstAddress(app, service);
    await app.go('Activity');
    await app.progress.getByText('complete back to the first transaction').waitFor({ timeout: 120_000 });
    await app.settled();
    await app.completed();
    isStopped = true;
    await running.stopClock(stopsAtMs);
    await lookAtActivity(visit);
    await addFirstNodes(app, service);
    await visit.reportsOf(stopsAtMs);
    service.control.advanceClock(untilFailureMs);
    await running.passTime(untilFailureMs);
    await visit.reportsOf(endsAtMs);
    await lookAtNodes(visit);
    await lookAtTheRest(visit, service);
    await running.quit();
  } finally {
    await service.stop();
  }
  const visit = await launch({ startsAtMs: endsAtMs });
  const { running, app } = visit;
  await app.go('Activity');
  await app.fetchAllChains('Treasury');
  await visit.look('offline', async () => {
    await app.connection.getByText('offline').waitFor();
    await app.completed();
  });
  await running.quit();
}

async function lookAtActivity(visit: Visit): Promise<void> {
  const { app } = visit;
  const { page } = app;
  // The message that the address was added goes away by itself.
  await visit.passWindowTime(60_000);
  await page.getByText('Address added.').waitFor({ state: 'hidden' });
  await visit.look('activity', () => app.completed());
  const coverage = await app.openCoverage();
  await visit.look('coverage', () => coverage.getByText('Complete', { exact: true }).nth(2).waitFor());
  await page.keyboard.press('Escape');
  await app.timeline.getByRole('row').filter({ hasText: 'Exchanged' }).first().click();
  await visit.look('transaction', () => app.drawer.getByRole('list', { name: 'Transfers' }).waitFor());
  await page.keyboard.press('Escape');
}

async function lookAtNodes(visit: Visit): Promise<void> {
  const { app } = visit;
  const { page } = app;
  await app.go('Nodes');
  const list = page.getByRole('complementary', { name: 'Your nodes' });
  await list.getByText('one-chain-failing').click();
  await visit.look('nodes', async () => {
    await list.getByText('Healthy', { exact: true }).nth(1).waitFor();
    await app.checks.getByText('Failing').first().waitFor();
    await page.getByRole('slider', { name: /^Past results of the node/ }).waitFor();
    // Where the shares of uptime will stand.
    await page.getByText('…', { exact: true }).first().waitFor({ state: 'hidden' });
  });
  await app.showPart('Incidents');
  await visit.look('incidents', () => app.incidents.getByText('not connected to enough stake').waitFor());
}

async function lookAtTheRest(visit: Visit, { ready }: SampleService): Promise<void> {
  const { app } = visit;
  const { page } = app;
  await app.go('Explore');
  await app.choose('Cross-chain messages over time');
  for (const [name, value] of Object.entries(ready.examples.endpoints[17] ?? {}))
    await app.fillParameter(name, value);
  await app.run();
  await visit.look('explore', () => app.result.getByRole('img', { name: /^Chart of/ }).waitFor());
  await app.go('Settings');
  await visit.look('settings', () =>
    page.getByRole('table', { name: 'Room that the history takes' }).waitFor(),
  );
  await app.go('Overview');
  await visit.look('overview', async () => {
    await page.getByRole('grid', { name: 'Last activity' }).getByRole('row').nth(8).waitFor();
    const strips = page.getByRole('slider', { name: /^Past results of / });
    for (const { name } of nodes)
      await strips.and(page.locator(`[aria-label*="${name}"]:not([aria-valuetext="No data"])`)).waitFor();
  });
}
