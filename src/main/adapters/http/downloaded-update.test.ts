import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkUpdate, forgetPreviousAppImage, replaceAppImage } from './downloaded-update.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'watchkeeper-update-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const hashOf = (text: string | Buffer) => createHash('sha512').update(text).digest('base64');

function setUp(content = 'the next version') {
  const appImage = join(dir, 'Watchkeeper.AppImage');
  writeFileSync(appImage, 'the running version', { mode: 0o755 });
  const file = join(dir, 'download');
  writeFileSync(file, content);
  return { appImage, file, update: { file, announced: ['of another file', hashOf('the next version')] } };
}

it('an AppImage is replaced whole, and the one before it stays until the next has started', () => {
  const { appImage, update } = setUp();
  checkUpdate(update, dir, false);
  replaceAppImage(appImage, update);
  expect(readFileSync(appImage, 'utf8')).toBe('the next version');
  expect(statSync(appImage).mode & 0o777).toBe(0o755);
  expect(readFileSync(`${appImage}.previous`, 'utf8')).toBe('the running version');
  expect(statSync(`${appImage}.previous`).mode & 0o777).toBe(0o755);
  const warned: unknown[] = [];
  const log = { warn: (name: string) => warned.push(name) };
  forgetPreviousAppImage(appImage, log);
  forgetPreviousAppImage(appImage, log);
  expect(warned).toEqual([]);
  expect(readdirSync(dir)).toEqual(['Watchkeeper.AppImage']);
});

it('a package that is gone or another one is refused, and the other one is deleted', () => {
  const { file, update } = setUp('something else');
  expect(() => checkUpdate(update, dir, false)).toThrow('didn’t match its published checksum');
  expect(existsSync(file)).toBe(false);
  expect(() => checkUpdate(update, dir, false)).toThrow('The downloaded package is gone.');
});

it('a package that does not fit on the disk is refused', () => {
  const { file, update } = setUp();
  checkUpdate(update, dir, true);
  // A system of processes has files, and no room.
  if (process.platform !== 'linux') return;
  truncateSync(file, 10_000_000);
  const large = { file, announced: [hashOf(readFileSync(file))] };
  for (const [isUnpacked, needed] of [
    [false, 60],
    [true, 90],
  ] as const)
    expect(() => checkUpdate(large, '/proc', isUnpacked)).toThrow(
      `not enough disk space to install it: ${needed} MB are needed`,
    );
});

it.each(['', 'cut off'])(
  'the running AppImage is left as it is when the package becomes %j meanwhile',
  (content) => {
    const { appImage, file, update } = setUp();
    checkUpdate(update, dir, false);
    if (content === '') rmSync(file);
    else writeFileSync(file, content);
    expect(() => replaceAppImage(appImage, update)).toThrow(/ENOENT|couldn’t be copied/);
    expect(readFileSync(appImage, 'utf8')).toBe('the running version');
    expect(readdirSync(dir).filter((name) => /next|previous/.test(name))).toEqual([]);
  },
);
