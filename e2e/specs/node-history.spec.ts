import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expectAccessible } from '../accessible.ts';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { passTimeUntil } from '../pass-time.ts';
import { projectDir, type Profile, type RunningApp } from '../running-app.ts';
import type { SampleService } from '../sample-service.ts';

const scenarioDir = join(projectDir, 'sample-service', 'scenarios');

/** One phase of a scenario of the sample service, and what is to be seen of it. */
interface Stage {
  scenario: string;
  phase: number;
  state: string;
  /** Checks whose failure lasts in this phase, in the failure history. */
  failing: readonly string[];
  /** The app is quit and started again before it: nothing of the history may be lost by that. */
  afterRestart?: true;
}

/** Every scenario that shows in one report; what takes time (`hung-check`) has a test of its own. */
const stages: readonly Stage[] = [
  { scenario: 'healthy', phase: 0, state: 'Healthy', failing: [] },
  { scenario: 'bootstrapping', phase: 0, state: 'Starting', failing: ['Bootstrapping · bootstrapped'] },
  { scenario: 'bootstrapping', phase: 1, state: 'Starting', failing: ['Bootstrapping · bootstrapped'] },
  { scenario: 'bootstrapping', phase: 2, state: 'Healthy', failing: [] },
  { scenario: 'one-chain-failing', phase: 1, state: 'Unhealthy', failing: ['C-Chain · C'] },
  { scenario: 'one-chain-failing', phase: 2, state: 'Healthy', failing: [] },
  { scenario: 'network-loss', phase: 1, state: 'Unhealthy', failing: ['Network'], afterRestart: true },
  {
    scenario: 'network-loss',
    phase: 2,
    state: 'Unhealthy',
    failing: ['Network', 'Router', 'C-Chain · C', 'P-Chain · P', 'X-Chain · X'],
  },
  { scenario: 'network-loss', phase: 4, state: 'Healthy', failing: [] },
  { scenario: 'flapping', phase: 1, state: 'Unhealthy', failing: ['X-Chain · X'] },
  { scenario: 'flapping', phase: 0, state: 'Healthy', failing: [] },
  { scenario: 'disk-filling', phase: 1, state: 'Unhealthy', failing: ['Disk space · diskspace'] },
  { scenario: 'disk-filling', phase: 2, state: 'Unreachable', failing: ['Disk space · diskspace'] },
  // A failure that lasts goes on after the restart.
  { scenario: 'restarting', phase: 0, state: 'Healthy', failing: [], afterRestart: true },
  { scenario: 'restarting', phase: 1, state: 'Unreachable', failing: [] },
  { scenario: 'restarting', phase: 2, state: 'Starting', failing: ['Bootstrapping · bootstrapped'] },
  { scenario: 'old-version', phase: 1, state: 'Unhealthy', failing: ['Router'] },
  { scenario: 'old-version', phase: 0, state: 'Healthy', failing: [] },
];

/** Puts the sample node into one phase for good. */
async function play(
  service: SampleService,
  profile: Profile,
  scenario: string,
  phase: number,
): Promise<void> {
  // The tool that wrote these files checks their shape when the service reads them.
  const whole = JSON.parse(await readFile(join(scenarioDir, `${scenario}.json`), 'utf8')) as {
    shape?: string;
    phases: { forSeconds?: number; checks?: Record<string, { durationSeconds?: number }> }[];
  };
  const { forSeconds, ...chosen } = whole.phases[phase] ?? {};
  // Nothing is to be seen of some seconds that a check takes, but each round of checks waits for them.
  for (const check of Object.values(chosen.checks ?? {}))
    if ((check.durationSeconds ?? 0) < 60) delete check.durationSeconds;
  expect(forSeconds === undefined || typeof forSeconds === 'number', `${scenario} has phase ${phase}`).toBe(
    true,
  );
  const file = join(profile.dir, `${scenario}-${phase}.json`);
  const shape = whole.shape === undefined ? {} : { shape: whole.shape };
  await writeFile(file, JSON.stringify({ title: scenario, ...shape, phases: [chosen] }));
  service.control.changeNode('harbor-1', { scenario: file });
}

/** All checks of the node have run since then, or nobody answers: one poll by the app is enough to see it. */
async function hasRunSince(nodeUrl: string, sinceMs: number): Promise<boolean> {
  const answer = await fetch(`${nodeUrl}/ext/health`).catch(() => null);
  if (answer === null) return true;
  // The answer of the sample node.
  const { checks } = (await answer.json()) as { checks: Record<string, { timestamp: string }> };
  return Object.values(checks).every(({ timestamp }) => Date.parse(timestamp) > sinceMs);
}

/** What is said of a failure without an end: of a node that is heard, and of one that is not. */
const lasting = /Failing for (?:less than )?\d+ \w+/;

const failures = (page: Page) => page.getByRole('table', { name: 'Failure history' });

/** The checks that the failure history says to fail still, but its silence, and those of subnets: their ids are of one world. */
async function failingNow(page: Page): Promise<string[]> {
  const rows = failures(page).getByRole('row').filter({ hasText: lasting });
  const names = await rows.getByRole('rowheader').allInnerTexts();
  return names.filter((name) => name.length < 30 && !name.startsWith('Unreachable')).sort();
}

/** The failure history; of what lasts only the beginning, for it goes on with every poll. */
async function pastOf(page: Page): Promise<string[]> {
  await expect(failures(page).getByRole('row').nth(1)).toBeVisible();
  const rows = await failures(page).getByRole('row').allInnerTexts();
  return rows.map((row) => row.split(lasting)[0] ?? row);
}

/** Answers the next dialogs for files with this path. */
async function useFile({ app }: RunningApp, path: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, path);
}

test('a node goes through every scenario, with restarts of the app in between, and its history is right each time', async ({
  profile,
  service,
}) => {
  const covered = new Set([...stages.map(({ scenario }) => `${scenario}.json`), 'hung-check.json']);
  expect((await readdir(scenarioDir)).filter((file) => !covered.has(file))).toEqual([]);

  await profile.useService(service);
  let running = await profile.launch();
  let app = new Watchkeeper(running.page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  service.control.changeNode('harbor-1', { periodMs: 50 });
  // So seldom that nobody asks but the test.
  await app.addNode(node.name, node.url, 'Every 5 minutes');

  for (const { scenario, phase, state, failing, afterRestart } of stages) {
    await test.step(`${scenario}, phase ${phase + 1}`, async () => {
      if (afterRestart === true) {
        const before = await pastOf(running.page);
        await running.quit();
        running = await profile.launch();
        app = new Watchkeeper(running.page);
        await app.go('Nodes');
        await expect.poll(() => pastOf(running.page)).toEqual(before);
      }
      await play(service, profile, scenario, phase);
      // Taken afterwards: what ran while the file was written is of the scenario before.
      const sinceMs = Date.now();
      await expect.poll(() => hasRunSince(node.url, sinceMs)).toBe(true);
      // Once, because the node's budget has room for few polls that are wanted.
      await app.pollNow();
      await expect(app.nodeState('harbor-1')).toContainText(state);
      await expect.poll(() => failingNow(running.page)).toEqual([...failing].sort());
      // What a poll says is shown at once, its failures when they are stored.
      if (state === 'Unreachable')
        await expect(
          failures(running.page)
            .getByRole('row', { name: /^Unreachable/ })
            .filter({ hasText: lasting }),
        ).toBeVisible();
    });
  }

  const { page } = running;
  await test.step('uptime is printed with what is not known', async () => {
    // What was before the node was watched is not unknown.
    await expect(page.getByText(/^Watched since .*; uptime is measured from then\.$/)).toBeVisible();
    await expect(page.getByText(/^[\d.]+% up$/).first()).toBeVisible();
    await expect(page.getByText(/^(< )?[\d.]+% unknown$/).first()).toBeVisible();
  });

  await test.step('a cell of a strip opens the replay at its time', async () => {
    await page.getByRole('slider', { name: /^Past check results for the node/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('slider', { name: 'Replay position' })).toHaveAttribute(
      'aria-valuetext',
      /, change \d+ of/,
    );
    await app.showPart('Health');
  });

  await test.step('the replay goes through all reports by keyboard, each as it was', async () => {
    await app.showPart('Replay');
    const slider = page.getByRole('slider', { name: 'Replay position' });
    await slider.focus();
    await expect(slider).toHaveAttribute('aria-valuetext', /Healthy, change (\d+) of \1$/);
    const states = new Set<string>();
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuetext', /Healthy, change 1 of/);
    const count = Number(/of (\d+)$/.exec((await slider.getAttribute('aria-valuetext')) ?? '')?.[1]);
    expect(count).toBeGreaterThanOrEqual(stages.length - 4);
    for (let index = 1; index <= count; index += 1) {
      const words = (await slider.getAttribute('aria-valuetext')) ?? '';
      states.add(/, (\w+), change/.exec(words)?.[1] ?? words);
      if (index === count) break;
      await page.keyboard.press('ArrowRight');
      await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`change ${index + 1} of ${count}$`));
    }
    expect([...states]).toEqual(expect.arrayContaining(['Healthy', 'Starting', 'Unhealthy']));
    await expectAccessible(page, 'Replay');
  });

  const recording = join(profile.dir, 'harbor.jsonl.gz');
  await test.step('what was seen is saved as a recording', async () => {
    await useFile(running, recording);
    await page.getByRole('button', { name: 'Save recording' }).click();
    await expect(page.getByText(/^Saved \d+ reports? to .*harbor\.jsonl\.gz$/)).toBeVisible();
  });

  let incidents = '';
  await test.step('failures are incidents; a note on one stays', async () => {
    await app.showPart('Incidents');
    // Newest of all is that it did not answer while it restarted, which is an incident of its own.
    const row = app.incidents.getByRole('row').filter({ hasText: 'Disk space' }).first();
    await expect(row).toBeVisible();
    incidents = await row.innerText();
    await row.getByRole('button').first().click();
    const drawer = page.getByRole('dialog');
    await expect(drawer).toContainText('not connected to enough stake');
    await drawer.getByRole('textbox', { name: 'Note' }).fill('The cable was loose.');
    await drawer.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByText('Note saved')).toBeVisible();
    await expectAccessible(page, 'an incident', drawer);

    const postMortem = join(profile.dir, 'post-mortem.html');
    await useFile(running, postMortem);
    await drawer.getByRole('button', { name: 'Save post-mortem' }).click();
    await expect(page.getByText(/^Saved the post-mortem to /)).toBeVisible();
    const html = await readFile(postMortem, 'utf8');
    expect(html).toMatch(/^<!doctype html>/i);
    expect(html).toContain('diskspace');
    expect(html).not.toContain('harbor-1');
    expect(html).not.toContain(new URL(node.url).host);
    await page.keyboard.press('Escape');
    await expect(app.incidents).toContainText('Note: The cable was loose.');
    await expectAccessible(page, 'Incidents');
  });

  await test.step('the recording is opened beside the node, and has the same incidents', async () => {
    await useFile(running, recording);
    await page.getByRole('button', { name: 'Open a recording' }).click();
    const panel = page.getByRole('article', { name: 'Recording of harbor-1' });
    await expect(panel.getByRole('slider', { name: 'Replay position' })).toHaveAttribute(
      'aria-valuetext',
      /Healthy, change (\d+) of \1$/,
    );
    await app.showPart('Incidents');
    const row = app.incidents.getByRole('row').filter({ hasText: 'Disk space' }).first();
    await expect(row).toBeVisible();
    // A recording has no marks and notes; the rest is the same.
    expect((await row.innerText()).trim().split(/\s*\t\s*/)).toEqual(incidents.trim().split(/\s*\t\s*/));
    await app.showPart('Health');
    await expect(failures(page).getByRole('row').nth(1)).toBeVisible();
    await expectAccessible(page, 'a recording');
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect(panel).toBeHidden();
  });

  await test.step('all of it is there after another restart', async () => {
    await running.quit();
    running = await profile.launch();
    app = new Watchkeeper(running.page);
    await app.go('Nodes');
    await running.page.getByRole('button', { name: /^All incidents/ }).click();
    await expect(app.incidents).toContainText('Note: The cable was loose.');
    await expect(app.incidents).toContainText('harbor-1');
  });
});

test('a node that answers that it is healthy but does not run its checks is in a state of its own', async ({
  profile,
  service,
}) => {
  await profile.useService(service);
  const running = await profile.launch({ clock: 'held' });
  const app = new Watchkeeper(running.page);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  const periodMs = 15_000;
  service.control.changeNode('harbor-1', { periodMs });
  await app.addNode(node.name, node.url, 'Every 15 seconds');
  const state = app.nodeState('harbor-1');
  await expect(state).toContainText('Healthy');
  // The app asks by itself, as time goes by.
  const untilSaid = (words: string | RegExp) =>
    passTimeUntil((moment) => expect(state).toContainText(words, moment), {
      app: running,
      service,
      stepMs: periodMs,
    });
  // The app learns the period from several runs.
  await untilSaid(/Check interval\s*at least every 15 s/);
  await play(service, profile, 'hung-check', 1);
  await untilSaid('Not running its checks');
  await expect(app.checks).toContainText('Not running');
  // The check that hangs would do so for minutes; the operator restarts the node.
  await play(service, profile, 'healthy', 0);
  service.control.changeNode('harbor-1', { restart: true });
  await untilSaid('Healthy');
});
