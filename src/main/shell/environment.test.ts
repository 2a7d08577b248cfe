import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lookUpTimeZone, ownAppImage, requireCertificates } from './environment.ts';

it('changes the variable that has Node look up the time zone, unless one was given', () => {
  const changes: string[] = [];
  const watched = (given: NodeJS.ProcessEnv) =>
    new Proxy(given, {
      set: (target, name, value: string) => {
        changes.push(`set ${String(name)}`);
        return Reflect.set(target, name, value);
      },
      deleteProperty: (target, name) => {
        changes.push(`delete ${String(name)}`);
        return Reflect.deleteProperty(target, name);
      },
    });
  const given = watched({ TZ: 'Europe/Berlin' });
  lookUpTimeZone(given);
  expect([given['TZ'], changes]).toEqual(['Europe/Berlin', []]);
  const none = watched({});
  lookUpTimeZone(none);
  expect([none['TZ'], changes]).toEqual([undefined, ['set TZ', 'delete TZ']]);
});

it('certificates are checked whatever the environment says, and the user learns of it', () => {
  const careless: NodeJS.ProcessEnv = { NODE_TLS_REJECT_UNAUTHORIZED: '0', HOME: '/home/me' };
  expect(requireCertificates(careless)).toContain('still checks certificates');
  expect(careless).toEqual({ HOME: '/home/me' });
  expect(requireCertificates({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toBeNull();
  expect(requireCertificates({})).toBeNull();
});

it('an AppImage is the running one only where the program lies in its folder', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'watchkeeper-appimage-'));
  try {
    const own = join(folder, 'mounted');
    mkdirSync(own);
    symlinkSync(own, join(folder, 'link'));
    const APPIMAGE = '/home/me/Some.AppImage';
    const program = join(own, 'watchkeeper');
    expect(ownAppImage({ APPIMAGE, APPDIR: own }, program)).toBe(APPIMAGE);
    expect(ownAppImage({ APPIMAGE, APPDIR: join(folder, 'link') }, program)).toBe(APPIMAGE);
    // Inherited from a terminal that is an AppImage.
    expect(ownAppImage({ APPIMAGE, APPDIR: own }, '/opt/Watchkeeper/watchkeeper')).toBeNull();
    expect(ownAppImage({ APPIMAGE, APPDIR: join(folder, 'gone') }, program)).toBeNull();
    expect(ownAppImage({ APPIMAGE }, program)).toBeNull();
    expect(ownAppImage({}, program)).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
