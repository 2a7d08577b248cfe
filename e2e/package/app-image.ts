// `npm run test:package`, inside its session: the AppImage is started without FUSE, does the main job, is replaced by an update
// of which the one before stays, and is started again.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReleaseServer } from '../release-server.ts';
import { Profile } from '../running-app.ts';
import { SampleService } from '../sample-service.ts';
import { expect, inApp } from './in-app.ts';

const [packageFile, updatesFrom] = process.argv.slice(2);
if (packageFile === undefined || updatesFrom === undefined)
  throw new Error('The path of the AppImage, or the place of updates, is missing.');

const dir = mkdtempSync(join(tmpdir(), 'watchkeeper-appimage-'));
const profile = new Profile(join(dir, 'profile'));
const appImage = join(dir, 'Watchkeeper.AppImage');
const service = await SampleService.start();
const releases = await ReleaseServer.start(Number(new URL(updatesFrom).port));
try {
  copyFileSync(packageFile, appImage);
  chmodSync(appImage, 0o755);
  const offset = execFileSync(appImage, ['--appimage-offset'], { encoding: 'utf8' }).trim();
  const inside = join(dir, 'inside');
  const wanted = ['watchkeeper.desktop', 'usr/share/metainfo'];
  execFileSync('unsquashfs', [
    '-quiet',
    '-no-progress',
    '-offset',
    offset,
    '-dest',
    inside,
    appImage,
    ...wanted,
  ]);
  execFileSync('desktop-file-validate', [join(inside, 'watchkeeper.desktop')], { stdio: 'inherit' });
  expect(readFileSync(join(inside, 'watchkeeper.desktop'), 'utf8')).toMatch(/^Exec=AppRun %U$/m);
  expect(readdirSync(join(inside, 'usr', 'share', 'metainfo'))).toHaveLength(1);

  await profile.useService(service);
  const [node] = service.ready.nodes;
  if (node === undefined) throw new Error('The sample service has no node.');
  releases.package = releases.announced = Buffer.from('the next version');
  await inApp(start, profile.dir, async (app) => {
    await expect(app.page.getByText('Watchkeeper is running without its sandbox')).toBeVisible();
    service.control.changeNode(node.name, { periodMs: 1_000 });
    service.control.changeCheck(node.name, 'diskspace', { error: 'the disk is full' });
    await app.addNode(node.name, node.url, 'Every 15 seconds');
    const row = app.checks.getByRole('row').filter({ hasText: 'diskspace' });
    await expect(row).toContainText('the disk is full');
    await app.go('Settings');
    await app.page.getByRole('region', { name: 'Updates' }).getByText('Automatic', { exact: true }).click();
    const messages = app.page.getByRole('region', { name: 'Messages' });
    await expect(messages).toContainText('will be installed when you quit the app');
  });
  expect(readFileSync(appImage, 'utf8')).toBe('the next version');

  // The next version does not start: the one before it has been kept.
  renameSync(`${appImage}.previous`, appImage);
  expect(statSync(appImage).size).toBe(statSync(packageFile).size);
  await inApp(start, profile.dir, async (app) => {
    await app.go('Nodes');
    const history = app.node(node.name).getByRole('table', { name: 'Failure history' });
    await expect(history).toContainText('the disk is full');
  });
  console.log(
    'AppImage: its entry keeps the sandbox; started, did the main job, was replaced, and the one before started again.',
  );
} finally {
  await service.stop();
  await releases.stop();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Without FUSE, as in a container, and without Chromium's sandbox, which refuses root. */
function start(args: readonly string[]) {
  const own = ['--appimage-extract-and-run', '--no-sandbox', `--user-data-dir=${profile.dir}`];
  return spawn(appImage, [...own, ...args], { stdio: 'inherit' });
}
