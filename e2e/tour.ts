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

/** Looks at a view, under its name; the view has come to rest. */
export type Look = (running: RunningApp, name: string) => Promise<void>;

/** Goes through the views of the demo, in a profile that nobody has used; the last one without the service. */
export async function tour(profile: Profile, look: Look): Promise<void> {
  let isStopped = false;
  const startedAtMs = performance.now();
  const elapsedMs = () => (isStopped ? stopsAtMs - beginsAtMs : Math.floor(performance.now() - startedAtMs));
  const service = await startDemoService({ nowMs: () => beginsAtMs + elapsedMs() });
  const launch = async (clock: { startsAtMs: number }) => {
    const running = await profile.launch({ clock, env: { TZ: 'UTC', LANG: 'en_US.UTF-8' } });
    await running.page.clock.setFixedTime(endsAtMs);
    return { running, app: new Watchkeeper(running.page) };
  };
  try {
    await profile.useService(service);
    const { running, app } = await launch({ startsAtMs: beginsAtMs });
    await look(running, 'welcome');
    await watchFirstAddress(app, service);
    await app.go('Activity');
    await app.progress.getByText('complete back to the first transaction').waitFor({ timeout: 120_000 });
    await app.settled();
    await app.completed();
    isStopped = true;
    await running.stopClock(stopsAtMs);
    await lookAtActivity(running, app, look);
    await addFirstNodes(app, service);
    service.control.advanceClock(untilFailureMs);
    await running.passTime(untilFailureMs);
    await lookAtNodes(running, app, look);
    await lookAtTheRest(running, app, service, look);
    await running.quit();
  } finally {
    await service.stop();
  }
  const { running, app } = await launch({ startsAtMs: endsAtMs });
  await app.go('Activity');
  await app.fetchAllChains('Treasury');
  await app.connection.getByText('offline').waitFor();
  await look(running, 'offline');
  await running.quit();
}

async function lookAtActivity(running: RunningApp, app: Watchkeeper, look: Look): Promise<void> {
  const { page } = running;
  // The message that the address was added goes away by itself.
  await page.getByText('Address added.').waitFor({ state: 'hidden' });
  await look(running, 'activity');
  await app.openCoverage();
  await look(running, 'coverage');
  await page.keyboard.press('Escape');
  await app.timeline.getByRole('row').filter({ hasText: 'Exchanged' }).first().click();
  await app.drawer.getByRole('list', { name: 'Transfers' }).waitFor();
  await look(running, 'transaction');
  await page.keyboard.press('Escape');
}

async function lookAtNodes(running: RunningApp, app: Watchkeeper, look: Look): Promise<void> {
  const { page } = running;
  await app.go('Nodes');
  await page.getByRole('complementary', { name: 'Your nodes' }).getByText('one-chain-failing').click();
  await app.checks.getByText('Failing').first().waitFor();
  await look(running, 'nodes');
  await app.showPart('Incidents');
  await page.getByRole('main').getByText('not connected to enough stake').first().waitFor();
  await look(running, 'incidents');
}

async function lookAtTheRest(
  running: RunningApp,
  app: Watchkeeper,
  { ready }: SampleService,
  look: Look,
): Promise<void> {
  await app.go('Explore');
  await app.choose('Cross-chain messages over time');
  for (const [name, value] of Object.entries(ready.examples.endpoints[17] ?? {}))
    await app.fillParameter(name, value);
  await app.run();
  await app.result.getByRole('img', { name: /^Chart of/ }).waitFor();
  await look(running, 'explore');
  await app.go('Settings');
  await look(running, 'settings');
  await app.go('Overview');
  await look(running, 'overview');
}
