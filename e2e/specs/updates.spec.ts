import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible } from '../accessible.ts';
import { expect, test as base } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { ReleaseServer } from '../release-server.ts';
import type { Profile, RunningApp } from '../running-app.ts';

const test = base.extend<{ releases: ReleaseServer }>({
  // Playwright reads the dependencies of a fixture from this pattern, so it has to be one.
  releases: async ({}, use) => {
    const releases = await ReleaseServer.start();
    await use(releases);
    await releases.stop();
  },
});

/** Starts the app as a build that knows where to ask, and opens its settings; `appImage` is the file that it runs from. */
async function launch(profile: Profile, releases: ReleaseServer, appImage?: string) {
  const resources = join(profile.dir, 'resources');
  await mkdir(resources, { recursive: true });
  await ReleaseServer.name(releases.origin, resources);
  const running = await profile.launch({
    args: ['-r', join(import.meta.dirname, '..', 'other-resources.cjs')],
    env: {
      OTHER_RESOURCES: resources,
      APPIMAGE: appImage,
      // Any program lies in it.
      APPDIR: '/',
      XDG_CACHE_HOME: join(profile.dir, 'cache'),
    },
  });
  await new Watchkeeper(running.page).go('Settings');
  return running;
}

/** AppImages that are no programs: the running one and the next. */
async function appImages({ dir }: Profile) {
  const path = join(dir, 'Watchkeeper.AppImage');
  await writeFile(path, 'the running version');
  return { path, previous: `${path}.previous`, next: Buffer.from('the next version') };
}

const section = ({ page }: RunningApp) => page.getByRole('region', { name: 'Updates' });
const offer = ({ page }: RunningApp) => page.getByRole('region', { name: 'Messages' });
const choose = async (running: RunningApp, choice: string) =>
  await section(running).getByText(choice, { exact: true }).click();

test('nothing is asked before it is chosen; then a newer version is told at each start', async ({
  profile,
  service,
  releases,
}) => {
  await profile.useService(service);
  const first = await launch(profile, releases);
  await expect(section(first).getByRole('radio', { name: 'Off' })).toBeChecked();
  await expect(section(first)).toContainText(`From ${new URL(releases.origin).host}.`);
  const row = first.page
    .getByRole('table', { name: 'What leaves this computer' })
    .getByRole('row', { name: releases.origin });
  await expect(row.getByRole('cell').first()).toHaveText('0');
  expect(releases.requests).toEqual([]);

  await choose(first, 'Notify');
  await expect(offer(first)).toContainText('Version 9.9.9 is available.');
  await expect(section(first)).toContainText('This copy runs from a folder');
  await expect(row.getByRole('cell').first()).toHaveText('1');
  expect(releases.paths).toEqual(['/latest-linux.yml']);
  expect(Object.keys(releases.requests[0]?.headers ?? {})).not.toContain('x-user-staging-id');
  await expectAccessible(first.page, 'Updates', section(first));
  await offer(first).getByRole('button', { name: 'Close' }).click();
  await expect(offer(first)).toHaveText('');
  await first.quit();

  const second = await launch(profile, releases);
  await expect(offer(second)).toContainText('Version 9.9.9 is available.');
  await choose(second, 'Off');
  await expect(offer(second)).toHaveText('');
  await second.quit();
  const third = await launch(profile, releases);
  await expect(section(third).getByRole('radio', { name: 'Off' })).toBeChecked();
  await third.quit();
  expect(releases.paths).toEqual(['/latest-linux.yml', '/latest-linux.yml']);
});

test('automatic: a newer version is downloaded, and takes the place of this one when the app is closed', async ({
  profile,
  service,
  releases,
}) => {
  await profile.useService(service);
  const { path, previous, next } = await appImages(profile);
  Object.assign(releases, { package: next, announced: next });
  const running = await launch(profile, releases, path);
  await choose(running, 'Automatic');
  await expect(offer(running)).toContainText('will be installed when you quit the app');
  expect(await readFile(path, 'utf8')).toBe('the running version');
  await running.quit();
  expect(await readFile(path)).toEqual(next);
  expect(await readFile(previous, 'utf8')).toBe('the running version');

  // The version before is there until this one has started.
  const again = await launch(profile, releases, path);
  await expect.poll(() => existsSync(previous)).toBe(false);
  expect(await readFile(path)).toEqual(next);
  await again.quit();
});

test('a download that has gone, and one without room, leave the app as it is', async ({
  profile,
  service,
  releases,
}) => {
  await profile.useService(service);
  const { path, previous, next } = await appImages(profile);
  Object.assign(releases, { package: next, announced: next });
  const running = await launch(profile, releases, path);
  await choose(running, 'Automatic');
  await expect(offer(running)).toContainText('will be installed when you quit the app');
  await rm(join(profile.dir, 'cache', 'watchkeeper-updater'), { recursive: true });
  await running.quit();
  expect(await readFile(path, 'utf8')).toBe('the running version');
  expect(existsSync(previous)).toBe(false);

  // A folder of the system that has no room.
  const full = await launch(profile, releases, '/proc/Watchkeeper.AppImage');
  await expect(offer(full)).toContainText('There is not enough disk space to install it');
  await full.quit();
});

test('a download that is not what was announced, or that comes from elsewhere, is not taken', async ({
  profile,
  service,
  releases,
}) => {
  await profile.useService(service);
  const { path, next } = await appImages(profile);
  Object.assign(releases, { package: Buffer.from('something else'), announced: next });
  const elsewhere = await ReleaseServer.start();
  const running = await launch(profile, releases, path);
  const download = offer(running).getByRole('button', { name: 'Download and install' });
  const askAgain = section(running).getByRole('button', { name: 'Check now' });
  await choose(running, 'Notify');
  await download.click();
  await expect(offer(running)).toContainText('The download didn’t match its published checksum');

  Object.assign(releases, { package: next, movedTo: `${elsewhere.origin}/Watchkeeper-9.9.9.AppImage` });
  await askAgain.click();
  await download.click();
  await expect(offer(running)).toContainText('The app didn’t send this request');
  await expect(
    running.page.getByRole('table', { name: 'What leaves this computer' }).getByRole('row', {
      name: elsewhere.origin,
    }),
  ).toContainText('refused');
  expect(elsewhere.requests).toEqual([]);
  await running.quit();
  expect(await readFile(path, 'utf8')).toBe('the running version');
  await elsewhere.stop();
});
