import { errors } from 'playwright';
import { expect } from 'playwright/test';
import { beginTrouble, sampleLabel, sampleNodes as nodes } from '../sample-data/sample-data.ts';
import { seedPast } from '../sample-data/seed-past.ts';
import { passTimeUntil } from './pass-time.ts';
import { Watchkeeper } from './pages/watchkeeper.ts';
import type { Profile, RunningApp } from './running-app.ts';
import { SampleService } from './sample-service.ts';

/** The tour always takes place at this time, so that its pictures do not depend on the date. */
const beginsAtMs = Date.UTC(2026, 2, 12, 12);
/** The time at which the clocks stop once the histories are fetched, so that the pictures do not depend on how long that took. */
const stopsAtMs = beginsAtMs + 600_000;
/** The time between the stop of the clocks and the round in which a check fails. */
const untilFailureMs = 60_000;
const endsAtMs = stopsAtMs + untilFailureMs;
/** An alert comes with the third run that fails, or the one after where a computer is slow. */
const untilToldMs = 600_000;

/** Writes the nodes and their past into the profile while no app uses it. */
function bringNodes(profile: Profile, service: SampleService): void {
  seedPast(profile.dir, service.pasts(), service.ready.nodes);
}

/** One stop of the tour. */
export interface Sight {
  name: string;
  /** Shown in one width only, because its surroundings are part of another stop. */
  isDetail: boolean;
  /** Resolves when the view is at rest in the window's size. */
  atRest: () => Promise<void>;
}

export type Look = (running: RunningApp, sight: Sight) => Promise<void>;

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

  /** `isThere` resolves when the view has all its content. */
  async look(name: string, isThere: () => Promise<unknown>, isDetail = false): Promise<void> {
    const atRest = async () => {
      await this.passWindowTime(1_000);
      await expect.poll(async () => (await this.#snapshot()).completion.waitingCount).toBe(0);
      await this.running.page.getByText(/^Fetching details: /).waitFor({ state: 'hidden' });
      await isThere();
    };
    await this.#look(this.running, { name, isDetail, atRest });
  }

  /** A detail of a view that was shown before. */
  async lookAtDetail(name: string, isThere: () => Promise<unknown>): Promise<void> {
    await this.look(name, isThere, true);
  }

  /** Runs the window's timers of this time now: reporting visible rows, updating ages, removing messages. */
  async passWindowTime(ms: number): Promise<void> {
    await this.running.page.clock.runFor(ms);
  }

  /** Waits until the newest report of each node has this time, and all that is asked with it is answered. */
  async reportsOf(atMs: number): Promise<void> {
    const atMsOfNodes = async () =>
      (await this.#snapshot()).nodes.map(({ reportAtMs, polling }) => (polling ? null : reportAtMs));
    await expect.poll(atMsOfNodes).toEqual(nodes.map(() => atMs));
  }

  /**
   * Waits until the window says what the calls after the stop of the clocks have left of the limits, which it is told half
   * a second after a call.
   */
  async remainingCallsShown(): Promise<void> {
    const pill = this.running.page.getByRole('group', { name: 'Calls left' });
    const isShown = async () => {
      const isKnown = (await this.#snapshot()).budget.data.remainingThisMinute !== null;
      return isKnown && (await pill.isVisible());
    };
    await expect.poll(isShown).toBe(true);
  }

  async #snapshot() {
    return await this.running.page.evaluate(async () => {
      const snapshot = await window.watchkeeper.invoke('app.snapshot', undefined);
      if (!snapshot.ok) throw new Error(snapshot.error.message);
      return snapshot.value;
    });
  }
}

/**
 * Goes through the views of the demo in a fresh profile; the last one without the service. `notifies`: there is what shows
 * messages of alerts, and they are sent.
 */
export async function tour(profile: Profile, look: Look, { notifies = false } = {}): Promise<void> {
  let isStopped = false;
  // So that its nodes begin at the same time, however long the service takes to start.
  let startedAtMs = Infinity;
  const elapsedMs = () =>
    isStopped ? stopsAtMs - beginsAtMs : Math.max(0, Math.floor(performance.now() - startedAtMs));
  const service = await SampleService.start({
    nodes,
    clock: { nowMs: () => beginsAtMs + elapsedMs() },
    nowSeconds: beginsAtMs / 1_000,
  });
  startedAtMs = performance.now();
  const launch = async (clock: { startsAtMs: number; isStopped?: boolean }) => {
    const running = await profile.launch({ clock, env: { TZ: 'UTC', LANG: 'en_US.UTF-8' } });
    const { page } = running;
    await page.clock.setFixedTime(endsAtMs);
    // Reloaded, so that the page has this time from its beginning.
    await page.reload();
    return new Visit(running, look);
  };
  try {
    await profile.useService(service);
    let visit = await launch({ startsAtMs: beginsAtMs });
    const { running, app } = visit;
    await visit.look('welcome', () => app.connection.getByText('Not connected yet').waitFor());
    await app.saveKey(service.ready.apiKey);
    await app.watchAddress(service.ready.examples.address, sampleLabel);
    await app.go('Activity');
    await app.progress.getByText('complete back to the first transaction').waitFor({ timeout: 120_000 });
    await app.settled();
    await app.completed();
    isStopped = true;
    await running.stopClock(stopsAtMs);
    await visit.remainingCallsShown();
    await lookAtActivity(visit);
    await running.quit();
    bringNodes(profile, service);
    visit = await launch({ startsAtMs: stopsAtMs, isStopped: true });
    await visit.reportsOf(stopsAtMs);
    beginTrouble(service);
    service.control.advanceClock(untilFailureMs);
    await visit.running.passTime(untilFailureMs);
    await visit.reportsOf(endsAtMs);
    await lookAtNodes(visit);
    await lookAtTheRest(visit, service, notifies);
    await lookAtAlerts(visit, service);
    await visit.running.quit();
  } finally {
    await service.stop();
  }
  const visit = await launch({ startsAtMs: endsAtMs });
  const { running, app } = visit;
  await app.go('Activity');
  await app.fetchAllChains(sampleLabel);
  // It may try a few times before it says that the service cannot be reached, or know that at once.
  const fetching = app.page.getByRole('button', { name: / running$/ });
  await fetching.waitFor({ timeout: 3_000 }).catch((cause: unknown) => {
    if (!(cause instanceof errors.TimeoutError)) throw cause;
  });
  await fetching.waitFor({ state: 'hidden' });
  await visit.look('offline', async () => {
    await app.connection.getByText('offline').waitFor();
    await app.completed();
  });
  await running.quit();
}

async function lookAtActivity(visit: Visit): Promise<void> {
  const { app } = visit;
  const { page } = app;
  // The message that the address was added disappears after a while.
  await visit.passWindowTime(60_000);
  await page.getByText('Address added.').waitFor({ state: 'hidden' });
  await visit.look('activity', () => app.completed());
  const coverage = await app.openCoverage();
  await visit.look('coverage', () => coverage.getByText('Complete', { exact: true }).nth(2).waitFor());
  await page.keyboard.press('Escape');
  await app.timeline.getByRole('row').filter({ hasText: 'Swapped' }).first().click();
  await visit.look('transaction', () => app.drawer.getByRole('list', { name: 'Transfers' }).waitFor());
  const otherHalf = app.drawer.getByRole('region', { name: 'Cross-chain message' });
  await visit.lookAtDetail('cross-chain', () => otherHalf.scrollIntoViewIfNeeded());
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /hidden: show$/ }).click();
  // "Sent to many" is known only for complete rows, and only visible rows are completed.
  await app.row('CLAIM-NOW').waitFor();
  await visit.passWindowTime(1_000);
  await app.timeline.getByText('Sent to many').nth(2).waitFor();
  await app.filterBy('Hidden because', [/^Sent to many/, /^(Zero value|Look-alike)/]);
  await visit.lookAtDetail('hidden', () => app.completed());
}

async function lookAtNodes(visit: Visit): Promise<void> {
  const { app } = visit;
  const { page } = app;
  await app.go('Nodes');
  const list = page.getByRole('complementary', { name: 'Your nodes' });
  const pastIsThere = async () => {
    await page.getByRole('slider', { name: /^Past check results for the node/ }).waitFor();
    // The placeholder of the uptime figures.
    await page.getByText('…', { exact: true }).first().waitFor({ state: 'hidden' });
  };
  await list.getByText('harbor-2').click();
  await visit.look('nodes', async () => {
    await list.getByText('Healthy', { exact: true }).nth(1).waitFor();
    await app.checks.getByText('Failing').first().waitFor();
    await pastIsThere();
  });
  await app.showPart('Incidents');
  await visit.look('incidents', () => app.incidents.getByText('Open', { exact: true }).waitFor());
  await lookAtBadDay(visit);
  await app.showPart('Health');
  await list.getByText('harbor-1').click();
  await page.getByRole('radiogroup', { name: 'Time range' }).getByText('1 y').click();
  await visit.lookAtDetail('node', async () => {
    await page.getByRole('list', { name: 'Forecasts' }).waitFor();
    await pastIsThere();
  });
}

/** The number of the week's report in which every chain fails with the network. */
const worstOfWeek = 8;

/** The loss of the network: its incident, and the replay of its reports. */
async function lookAtBadDay(visit: Visit): Promise<void> {
  const { app } = visit;
  const { page } = app;
  await app.incidents
    .getByRole('button', { name: /Network/ })
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await visit.lookAtDetail('incident', () => drawer.getByRole('textbox', { name: 'Note' }).waitFor());
  await page.keyboard.press('Escape');
  await app.showPart('Replay');
  const slider = page.getByRole('slider', { name: 'Replay position' });
  await slider.waitFor();
  // That day is the first of the week.
  await slider.press('Home');
  const isAt = (change: number, state = '') =>
    expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`${state}, change ${change} of`));
  for (let change = 1; change < worstOfWeek; change += 1) {
    await isAt(change);
    await slider.press('ArrowRight');
  }
  await isAt(worstOfWeek, 'Unhealthy');
  await visit.lookAtDetail('replay', () => page.getByRole('region', { name: 'What changed' }).waitFor());
}

/** The alert of a check that goes on failing. */
async function lookAtAlerts(visit: Visit, service: SampleService): Promise<void> {
  const { page } = visit.app;
  const isTold = page.getByRole('button', { name: 'Alerts, 1 open' });
  await passTimeUntil((moment) => isTold.waitFor(moment), { app: visit.running, service, stepMs: 30_000 });
  await isTold.click();
  await page.clock.setFixedTime(endsAtMs + untilToldMs);
  // Durations are drawn anew twice a minute.
  await visit.passWindowTime(60_000);
  await visit.look('alerts', () => page.getByRole('table', { name: 'Messages' }).waitFor());
}

async function lookAtTheRest(visit: Visit, { ready }: SampleService, notifies: boolean): Promise<void> {
  const { app } = visit;
  const { page } = app;
  await app.go('Explore');
  await app.choose('Cross-chain messages over time');
  for (const [name, value] of Object.entries(ready.examples.endpoints[17] ?? {}))
    await app.fillParameter(name, value);
  await app.run();
  await visit.look('explore', () => app.result.getByRole('img', { name: /^Chart of/ }).waitFor());
  await app.go('Settings');
  await visit.look('settings', () => page.getByRole('table', { name: 'Storage used by history' }).waitFor());
  await page.getByRole('main').getByRole('button', { name: 'Alerts', exact: true }).click();
  const thresholds = page.getByRole('form', { name: 'Thresholds' });
  await visit.lookAtDetail('alert-settings', () => thresholds.scrollIntoViewIfNeeded());
  // What the system answers depends on the computer.
  if (!notifies) await page.getByRole('checkbox', { name: 'System notifications' }).uncheck();
  await app.go('Overview');
  await visit.look('overview', async () => {
    await page.getByRole('grid', { name: 'Recent activity' }).getByRole('row').nth(8).waitFor();
    const strips = page.getByRole('slider', { name: /^Past check results for / });
    for (const { name } of nodes)
      await strips.and(page.locator(`[aria-label*="${name}"]:not([aria-valuetext="No data"])`)).waitFor();
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('harbor');
  await visit.lookAtDetail('palette', () => page.getByRole('option').first().waitFor());
  await page.keyboard.press('Escape');
}
