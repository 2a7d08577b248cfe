import { describe, expect, it } from 'vitest';
import { newerVersion, parseUpdatePlace, updateObstacle } from './update-place.ts';

describe('the place in app-update.yml', () => {
  it('is an address, and then nothing but its host may be asked', () => {
    const config =
      'provider: generic\nurl: https://updates.example/stable/\nupdaterCacheDirName: watchkeeper-updater\n';
    expect(parseUpdatePlace(config)).toEqual({
      feed: { provider: 'generic', url: 'https://updates.example/stable' },
      host: 'updates.example',
      origins: ['https://updates.example'],
    });
  });

  it('is a project of GitHub, whose files of a release come from two more hosts', () => {
    expect(parseUpdatePlace("owner: '42'\r\nrepo: watchkeeper\r\nprovider: github\r\n")).toEqual({
      feed: { provider: 'github', owner: '42', repo: 'watchkeeper' },
      host: 'github.com',
      origins: [
        'https://github.com',
        'https://release-assets.githubusercontent.com',
        'https://objects.githubusercontent.com',
      ],
    });
  });

  it.each([
    [''],
    ['provider: generic'],
    ['provider: s3\nurl: https://updates.example'],
    ['provider: generic\nurl: http://updates.example'],
    ['provider: generic\nurl: https://me:secret@updates.example'],
    ['provider: generic\nurl: file:///etc'],
    ['provider: github\nowner: me'],
    ['provider: github\nowner: me/../you\nrepo: it'],
  ])('is none in %j', (config) => {
    expect(parseUpdatePlace(config)).toBeNull();
  });

  it('may be this computer, without encryption', () => {
    expect(parseUpdatePlace('provider: generic\nurl: http://127.0.0.1:8080')?.host).toBe('127.0.0.1:8080');
  });
});

it.each([
  ['win32', null, null, false, null],
  ['linux', '/home/me/Watchkeeper.AppImage', null, false, null],
  ['linux', null, 'deb', false, 'packages'],
  ['linux', null, null, false, 'folder'],
  ['darwin', null, null, false, 'unsigned'],
  ['darwin', null, null, true, null],
] as const)(
  'on %s, as AppImage %s, in a package %s, signed %s: %s',
  (platform, appImage, packageType, isSigned, obstacle) => {
    expect(updateObstacle(platform, { appImage, packageType, isSigned })).toBe(obstacle);
  },
);

describe('the version that is offered', () => {
  it.each([
    ['0.2.1', '0.2.0'],
    ['0.10.0', '0.9.9'],
    ['1.0.0', '0.99.99'],
    ['1.0.0', '1.0.0-beta.2'],
  ])('%s is newer than %s', (offered, running) => {
    expect(newerVersion(offered, running)).toBe(offered);
  });

  it.each([
    ['0.2.0', '0.2.0'],
    ['0.1.9', '0.2.0'],
    ['0.2.0', '0.10.0'],
    ['0.9.9', '1.0.0'],
    ['0.9.9', '1.0.0-beta.1'],
    ['2.0.0-beta.1', '1.0.0'],
    [null, '1.0.0'],
  ])('%s is not taken for newer than %s', (offered, running) => {
    expect(newerVersion(offered, running)).toBeNull();
  });

  it.each([[undefined], [2], ['two'], ['1.2'], ['1.2.3.4'], ['1.2.3 <b>'], [{ version: '9.9.9' }]])(
    '%j is no version',
    (offered) => {
      expect(() => newerVersion(offered, '0.2.0')).toThrow('The response doesn’t name a version.');
    },
  );
});
