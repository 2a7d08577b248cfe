import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expectAccessible } from '../accessible.ts';
import { attach, clickToEnd } from '../attach.ts';
import { expect, test } from '../fixtures.ts';
import { hostsIn, readNetworkLog } from '../network-log.ts';
import { Watchkeeper, views } from '../pages/watchkeeper.ts';
import type { Profile, RunningApp } from '../running-app.ts';

const silentProgram = join(import.meta.dirname, '..', 'silent-program.cjs');
const sampleFolder = (profile: Profile) => join(profile.dir, 'sample-data');

test('a button of the first page opens made-up nodes with a past and a timeline, of which nothing stays', async ({
  profile,
}) => {
  // Handed on to the instance that the button starts, so that its window can be found.
  const { page } = await profile.launch({ args: ['--remote-debugging-port=0'] });
  await page.getByRole('button', { name: 'Open sample data' }).click();
  await expect(page.getByText('Sample data opens in a separate window.')).toBeVisible();

  const { page: samplePage, browser } = await attach(sampleFolder(profile));
  try {
    await lookAround(samplePage, sampleFolder(profile));
    await clickToEnd(samplePage.getByRole('button', { name: 'Close sample data' }));
    await expect.poll(() => existsSync(sampleFolder(profile))).toBe(false);
  } finally {
    if (!samplePage.isClosed()) await samplePage.close();
    await browser.close();
  }
  await expect(page.getByRole('heading', { name: 'Welcome to Watchkeeper' })).toBeVisible();
});

async function lookAround(page: Page, dataFolder: string): Promise<void> {
  const sample = new Watchkeeper(page);
  await expect(page).toHaveTitle('Overview – Sample data – Watchkeeper');
  await expect(page.getByRole('region', { name: 'Sample data' })).toContainText(
    'Nothing is fetched from outside this computer.',
  );
  await sample.go('Activity');
  await expect(sample.timeline.getByRole('row').nth(5)).toBeVisible();
  await expect(sample.watched).toContainText('Treasury');
  await sample.go('Nodes');
  await expect(page.getByRole('complementary', { name: 'Your nodes' })).toContainText(
    /harbor-1.*harbor-2.*harbor-3/,
  );
  await sample.showPart('Incidents');
  await expect(sample.incidents).toContainText('Network');
  await expectAccessible(page, 'sample data');
  const told = await page.evaluate(async () => {
    const snapshot = await window.watchkeeper.invoke('app.snapshot', undefined);
    if (!snapshot.ok) throw new Error(snapshot.error.message);
    const { secret, dataFolder: folder, settings } = snapshot.value;
    const { notifications } = settings.alerts;
    return { folder, storage: secret.storage, keychain: secret.keychain, notifications };
  });
  expect(told).toEqual({ folder: dataFolder, storage: 'session', keychain: 'absent', notifications: false });
}

/** Ends the program that makes the sample data, as a crash would. */
async function crashProgram({ app }: RunningApp): Promise<void> {
  // Asked again when V8 has collected the promise that Playwright waits for, which happens while an app starts.
  await expect(async () => {
    const pid = await app.evaluate(({ app: electron }) => {
      const program = electron.getAppMetrics().find(({ name }) => name === 'Watchkeeper sample data');
      return program?.pid ?? 0;
    });
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, 'SIGKILL');
  }).toPass();
}

test('a folder of the user that has the name of the sample data is neither used nor cleared', async ({
  profile,
}) => {
  await mkdir(sampleFolder(profile));
  await writeFile(join(sampleFolder(profile), 'precious.txt'), 'of the user');
  const running = await profile.launch({ args: ['-r', silentProgram, '--sample-data'] });
  await crashProgram(running);
  await expect(running.page.getByRole('alert')).toContainText('The app couldn’t prepare the sample data');
  await running.quit();
  expect(await readdir(sampleFolder(profile))).toEqual(['precious.txt']);
  expect((await readdir(profile.dir)).filter((name) => name.startsWith('sample-data'))).toEqual([
    'sample-data',
  ]);
});

test('sample data that is being made, or cannot be made, says so, and leaves no folder', async ({
  profile,
}) => {
  const first = await profile.launch({ args: ['-r', silentProgram, '--sample-data'] });
  await expect(first.page.getByRole('region', { name: 'Sample data' })).toContainText('Generating a year');
  await crashProgram(first);
  await expect(first.page.getByRole('alert')).toContainText('The app couldn’t prepare the sample data');
  await first.page.getByRole('button', { name: 'Try again' }).click();
  await expect(first.page.getByRole('region', { name: 'Sample data' })).toContainText('Generating a year');
  await crashProgram(first);
  await expect(first.page.getByRole('alert')).toContainText('The app couldn’t prepare the sample data');
  await first.page.getByRole('button', { name: 'Try again' }).click();
  await expect(first.page.getByRole('region', { name: 'Sample data' })).toContainText('Generating a year');
  await first.quit();
  expect(existsSync(sampleFolder(profile))).toBe(false);
});

test('sample data names no host of its own accord, and says when it is no longer served', async ({
  profile,
}) => {
  const logFile = join(profile.dir, 'network.json');
  const running = await profile.launch({
    args: ['--sample-data', `--log-net-log=${logFile}`],
    env: { LANG: 'fr_FR.UTF-8' },
  });
  const { page, app } = running;
  await expect(page.getByText('harbor-1').first()).toBeVisible();
  for (const view of views) await new Watchkeeper(page).go(view);
  // What a session of its own asks is in the log, and there is nothing else.
  await app.evaluate(async ({ session }) => {
    await session.fromPartition('planted').fetch('http://127.0.0.1:1/planted').catch(String);
  });
  await crashProgram(running);
  await expect(page.getByText('The sample data program has stopped')).toBeVisible();
  await running.quit();
  expect(hostsIn(await readNetworkLog(logFile))).toEqual(['127.0.0.1', '127.0.0.1:1']);
});
