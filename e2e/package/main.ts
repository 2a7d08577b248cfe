// What `npm run test:package` does inside its session: the package is installed, started as its menu entry starts it, does the
// main job, and is removed; of it nothing is left but the profile.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, expect as expectSoon } from 'playwright/test';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { Profile } from '../running-app.ts';
import { SampleService } from '../sample-service.ts';

const [packageFile] = process.argv.slice(2);
if (packageFile === undefined) throw new Error('The path of the package is missing.');
const menuEntry = '/usr/share/applications/watchkeeper.desktop';
const startsWithinMs = 60_000;
/** The app is as it is for a user: its node is asked every ten seconds. */
const expect = expectSoon.configure({ timeout: 60_000 });

const dir = mkdtempSync(join(tmpdir(), 'watchkeeper-package-'));
const profile = new Profile(join(dir, 'profile'));
const service = await SampleService.start();
try {
  await profile.useService(service);
  let files: string[] = [];
  try {
    execFileSync('dpkg', ['--install', packageFile], { stdio: 'inherit' });
    files = execFileSync('dpkg', ['--listfiles', 'watchkeeper'], { encoding: 'utf8' }).trim().split('\n');
    const { examples, apiKey, nodes } = service.ready;
    const [node] = nodes;
    if (node === undefined) throw new Error('The sample service has no node.');
    let shown = 0;
    await inApp(async (app) => {
      await app.saveKey(apiKey);
      await app.watchAddress(examples.address, 'Treasury');
      await expect(app.progress).toContainText('complete back to the first transaction');
      shown = (await app.matching()).shown;
      expect(shown).toBeGreaterThan(100);
      await app.timeline.getByRole('row').filter({ hasText: 'Exchanged' }).first().click();
      await expect(app.drawer.getByRole('list', { name: 'Transfers' })).toBeVisible();
      await app.page.keyboard.press('Escape');
      service.control.changeNode(node.name, { periodMs: 1_000 });
      service.control.changeCheck(node.name, 'diskspace', { error: 'the disk is full' });
      await app.addNode(node.name, node.url, 'every 10 seconds');
      await expect(app.checks.getByRole('row').filter({ hasText: 'diskspace' })).toContainText(
        'the disk is full',
      );
      await openLink('watchkeeper://overview');
      await expect(app.page).toHaveTitle(/^Overview/);
    });
    await service.stop();
    await inApp(async (app) => {
      await app.go('Activity');
      expect((await app.matching()).shown).toBe(shown);
      await app.go('Nodes');
      await expect(app.node(node.name).getByRole('table', { name: 'Failure history' })).toContainText(
        'the disk is full',
      );
    });
  } finally {
    execFileSync('dpkg', ['--purge', 'watchkeeper'], { stdio: 'inherit' });
  }
  const left = files.filter((file) => /watchkeeper/i.test(file) && existsSync(file));
  expect(left).toEqual([]);
  expect(existsSync(join(dir, 'profile', 'settings.json'))).toBe(true);
  console.log(
    'Installed, started from its menu entry, did the main job, started again offline, and was removed whole.',
  );
} finally {
  await service.stop();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** What the menu entry starts, in the profile. The sandbox of Chromium refuses root. */
function start(args: readonly string[]): ChildProcess {
  const command = /^Exec=(\S+) %U$/m.exec(readFileSync(menuEntry, 'utf8'))?.[1];
  if (command === undefined) throw new Error('The menu entry starts nothing that takes a link.');
  return spawn(command, ['--no-sandbox', `--user-data-dir=${profile.dir}`, ...args], { stdio: 'inherit' });
}

/** Opens a link as the system does when another program asks for it, while the app runs. */
async function openLink(link: string): Promise<void> {
  expect(readFileSync(menuEntry, 'utf8')).toMatch(/^MimeType=x-scheme-handler\/watchkeeper;$/m);
  expect(await once(start([link]), 'exit')).toEqual([0, null]);
}

/** Starts what the menu entry starts, does something in its window, and ends it as a user does. */
async function inApp(work: (app: Watchkeeper) => Promise<void>): Promise<void> {
  const portFile = join(profile.dir, 'DevToolsActivePort');
  rmSync(portFile, { force: true });
  // The page is reached by the port that Chromium opens; the main process cannot be.
  const child = start(['--disable-gpu', '--remote-debugging-port=0']);
  const ended = once(child, 'exit');
  try {
    const startedAtMs = performance.now();
    while (!existsSync(portFile)) {
      if (performance.now() - startedAtMs > startsWithinMs) throw new Error('The app did not start.');
      await wait(50);
    }
    const port = readFileSync(portFile, 'utf8').split('\n')[0] ?? '';
    await expect
      .poll(async () => await (await fetch(`http://127.0.0.1:${port}/json/list`)).text(), {
        timeout: startsWithinMs,
      })
      .toContain('app://');
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    const context = browser.contexts()[0];
    if (context === undefined) throw new Error('The app has no window.');
    const page = context.pages()[0] ?? (await context.waitForEvent('page'));
    await work(new Watchkeeper(page));
    await page.close();
    await ended;
    await browser.close();
  } finally {
    child.kill('SIGKILL');
  }
}
