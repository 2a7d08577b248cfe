// The demo itself, inside the session that demo.mjs prepared: starts the sample service and the app, does in the window
// what a new user would do, and then either stays or takes pictures.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Profile, projectDir, type RunningApp } from '../e2e/running-app.ts';
import { Watchkeeper } from '../e2e/pages/watchkeeper.ts';
import { SampleService } from '../e2e/sample-service.ts';

const takesPictures = process.argv.includes('--pictures');
const picturesDir = join(projectDir, 'out', 'demo');
const pictureSize = { width: 1440, height: 900 };

const service = await SampleService.start({
  nodes: [
    { name: 'harbor-1', scenario: 'healthy' },
    { name: 'one-chain-failing', scenario: 'one-chain-failing' },
    { name: 'bootstrapping', scenario: 'bootstrapping' },
  ],
});
const profileDir = await mkdtemp(join(tmpdir(), 'watchkeeper-demo-'));
try {
  const profile = new Profile(profileDir);
  await profile.useService(service);
  const running = await profile.launch({ drawing: 'usual' });
  if (takesPictures) {
    await tourWithPictures(running, service);
    await running.quit();
    await service.stop();
    await offlinePictures(await profile.launch({ drawing: 'usual' }));
    await profile.closeAll();
  } else {
    await prepare(new Watchkeeper(running.page), service);
    console.log('The demo is open. It ends, and everything in it is deleted, when you close its window.');
    await running.app.waitForEvent('close', { timeout: 0 });
  }
} finally {
  await service.stop();
  await rm(profileDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** What a new user does first: a key, an address, some nodes. One of these is in trouble from its next round on. */
async function prepare(app: Watchkeeper, service: SampleService): Promise<void> {
  const { ready } = service;
  await app.saveKey(ready.apiKey);
  await app.watchAddress(ready.examples.address, 'Treasury');
  for (const { name, url } of ready.nodes) await app.addNode(name, url);
  service.control.changeNode('one-chain-failing', { periodMs: 2_000 });
  service.control.changeCheck('one-chain-failing', 'C', {
    error: 'not connected to enough stake: connected to 60.000000%; required at least 80.000000%',
  });
  await app.go('Overview');
}

/** Saves one picture of the window for each theme. */
async function take({ app, page }: RunningApp, name: string): Promise<void> {
  await app.evaluate(({ BrowserWindow }, size) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height);
  }, pictureSize);
  // The window is created hidden, and a hidden one has no size.
  await app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((shown) => {
        const [window] = BrowserWindow.getAllWindows();
        if (window === undefined || window.isVisible()) shown();
        else window.once('show', () => shown());
      }),
  );
  await page.evaluate(
    () =>
      new Promise<void>((sized) => {
        const look = () => {
          if (window.innerWidth > 0) sized();
        };
        window.addEventListener('resize', look);
        look();
      }),
  );
  await page.getByRole('main').waitFor();
  // Off everything that says more while the mouse rests on it.
  await page.mouse.move(pictureSize.width - 1, pictureSize.height - 1);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const path = join(picturesDir, `${name}-${colorScheme}.png`);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    console.log(relative(projectDir, path));
  }
}

async function tourWithPictures(running: RunningApp, service: SampleService): Promise<void> {
  const { page } = running;
  const app = new Watchkeeper(page);
  await mkdir(picturesDir, { recursive: true });

  await take(running, 'welcome');
  await prepare(app, service);
  await app.go('Activity');
  await app.progress.getByText('complete back to the first transaction').waitFor({ timeout: 120_000 });
  // The message that the address was added goes away by itself.
  await page.getByText('Address added.').waitFor({ state: 'hidden' });
  await app.settled();
  await app.completed();
  await take(running, 'activity');
  await page.getByRole('button', { name: 'Coverage' }).click();
  await page.getByRole('dialog', { name: 'Coverage' }).waitFor();
  await take(running, 'coverage');
  await page.keyboard.press('Escape');
  await app.timeline.getByRole('row').filter({ hasText: 'Exchanged' }).first().click();
  await app.drawer.getByRole('list', { name: 'Transfers' }).waitFor();
  await take(running, 'transaction');
  await page.keyboard.press('Escape');
  await app.go('Nodes');
  await page.getByRole('complementary', { name: 'Your nodes' }).getByText('one-chain-failing').click();
  await app.checks.getByText('Failing').first().waitFor();
  await take(running, 'nodes');
  await page.getByRole('radiogroup').getByText('Incidents', { exact: true }).click();
  await page.getByRole('main').getByText('not connected to enough stake').first().waitFor();
  await take(running, 'incidents');
  await app.go('Explore');
  await app.choose('Cross-chain messages over time');
  for (const [name, value] of Object.entries(service.ready.examples.endpoints[17] ?? {}))
    await app.fillParameter(name, value);
  await app.run();
  await app.result.getByRole('img', { name: /^Chart of/ }).waitFor();
  await take(running, 'explore');
  await app.go('Settings');
  await take(running, 'settings');
  await app.go('Overview');
  await take(running, 'overview');
}

/** The service is gone and the app starts anew: what was known is there, with its age. */
async function offlinePictures(running: RunningApp): Promise<void> {
  const app = new Watchkeeper(running.page);
  await app.go('Activity');
  await running.page.getByRole('button', { name: 'Actions for Treasury' }).click();
  await running.page.getByRole('menuitem', { name: 'Fetch all chains' }).click();
  await app.connection.getByText('offline').waitFor();
  await take(running, 'offline');
}
