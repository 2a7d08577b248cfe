// `npm run test:package`, inside its session: the package is installed, started as its menu entry starts it, does the
// main job, and is removed; only the profile is left.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { attach, clickToEnd } from '../attach.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { ReleaseServer } from '../release-server.ts';
import { Profile } from '../running-app.ts';
import { SampleService } from '../sample-service.ts';
import { expect, inApp } from './in-app.ts';

const [packageFile, updatesFrom] = process.argv.slice(2);
if (packageFile === undefined || updatesFrom === undefined)
  throw new Error('The path of the package, or the place of updates, is missing.');
/** Of the app: what installs, lists and removes it. An rpm is not Debian's, and its dependencies have other names there. */
const [install, list, remove] = packageFile.endsWith('.rpm')
  ? ([
      ['--install', '--nodeps', '--force-debian'],
      ['--query', '--list'],
      ['--erase', '--force-debian'],
    ] as const)
  : ([['--install'], ['--listfiles'], ['--purge']] as const);
const packager = (args: readonly string[], about: string): string =>
  execFileSync(packageFile.endsWith('.rpm') ? 'rpm' : 'dpkg', [...args, about], { encoding: 'utf8' });
const menuEntry = '/usr/share/applications/watchkeeper.desktop';

const dir = mkdtempSync(join(tmpdir(), 'watchkeeper-package-'));
const profile = new Profile(join(dir, 'profile'));
const service = await SampleService.start();
const releases = await ReleaseServer.start(Number(new URL(updatesFrom).port));
try {
  await profile.useService(service);
  let files: string[] = [];
  try {
    packager(install, packageFile);
    files = packager(list, 'watchkeeper').trim().split('\n');
    const { examples, apiKey, nodes } = service.ready;
    const [node] = nodes;
    if (node === undefined) throw new Error('The sample service has no node.');
    let shown = 0;
    await inApp(start, profile.dir, async (app) => {
      // This test runs as root.
      await expect(app.page.getByText('Watchkeeper is running without its sandbox')).toBeVisible();
      await app.saveKey(apiKey);
      await app.watchAddress(examples.address, 'Treasury');
      await expect(app.progress).toContainText('complete back to the first transaction');
      // The list is read anew a moment after the last page is stored.
      await app.completed();
      await app.settled();
      shown = (await app.matching()).shown;
      expect(shown).toBeGreaterThan(100);
      await app.timeline.getByRole('row').filter({ hasText: 'Swapped' }).first().click();
      await expect(app.drawer.getByRole('list', { name: 'Transfers' })).toBeVisible();
      await app.page.keyboard.press('Escape');
      service.control.changeNode(node.name, { periodMs: 1_000 });
      service.control.changeCheck(node.name, 'diskspace', { error: 'the disk is full' });
      await app.addNode(node.name, node.url, 'Every 15 seconds');
      await expect(app.checks.getByRole('row').filter({ hasText: 'diskspace' })).toContainText(
        'the disk is full',
      );
      await openLink('watchkeeper://overview');
      await expect(app.page).toHaveTitle(/^Overview/);
      await app.go('Settings');
      expect(releases.paths).toEqual([]);
      const updates = app.page.getByRole('region', { name: 'Updates' });
      await updates.getByText('Notify', { exact: true }).click();
      await expect(updates).toContainText(`Version ${releases.version} is available.`);
      expect(releases.paths).toEqual(['/latest-linux.yml']);
    });
    await service.stop();
    await inApp(start, profile.dir, async (app) => {
      await app.go('Activity');
      expect((await app.matching()).shown).toBe(shown);
      await app.go('Nodes');
      await expect(app.node(node.name).getByRole('table', { name: 'Failure history' })).toContainText(
        'the disk is full',
      );
      await app.go('Settings');
      await app.page.getByRole('button', { name: 'Open sample data' }).click();
      const { page: samplePage, browser } = await attach(join(profile.dir, 'sample-data'));
      const sample = new Watchkeeper(samplePage);
      await sample.go('Activity');
      await expect(sample.timeline.getByRole('row').nth(5)).toBeVisible();
      await sample.go('Nodes');
      await expect(sample.node('harbor-1')).toContainText('Healthy');
      await clickToEnd(samplePage.getByRole('button', { name: 'Close sample data' }));
      await browser.close();
      await expect.poll(() => existsSync(join(profile.dir, 'sample-data'))).toBe(false);
    });
  } finally {
    packager(remove, 'watchkeeper');
  }
  const left = files.filter((file) => /watchkeeper/i.test(file) && existsSync(file));
  expect(left).toEqual([]);
  expect(existsSync(join(dir, 'profile', 'settings.json'))).toBe(true);
  console.log(
    `${basename(packageFile)}: installed, started from its menu entry, did the main job, told of an update, started again offline, opened its sample data, and was removed whole.`,
  );
} finally {
  await service.stop();
  await releases.stop();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** The menu entry's command, with the profile, and without Chromium's sandbox, which refuses root. */
function start(args: readonly string[]): ChildProcess {
  const command = /^Exec=(\S+) %U$/m.exec(readFileSync(menuEntry, 'utf8'))?.[1];
  if (command === undefined) throw new Error('The menu entry starts nothing that takes a link.');
  return spawn(command, ['--no-sandbox', `--user-data-dir=${profile.dir}`, ...args], { stdio: 'inherit' });
}

/** Opens a link as the system does for another program while the app runs. */
async function openLink(link: string): Promise<void> {
  expect(readFileSync(menuEntry, 'utf8')).toMatch(/^MimeType=x-scheme-handler\/watchkeeper;$/m);
  expect(await once(start([link]), 'exit')).toEqual([0, null]);
}
