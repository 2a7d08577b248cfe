import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { expect, it } from 'vitest';
import type { Proxy } from '../../core/ports.ts';
import { createUpdater, type UpdaterOptions } from './updater.ts';

type BeforeRequest = (details: { url: string }, callback: (answer: { cancel: boolean }) => void) => void;
type BeforeHeaders = (
  details: { requestHeaders: Record<string, string> },
  callback: (answer: { requestHeaders: Record<string, string> }) => void,
) => void;

const next = 'the next version';
const offered = (version: string) => ({
  isUpdateAvailable: true,
  updateInfo: { version, files: [{ sha512: createHash('sha512').update(next).digest('base64') }] },
});

/** What is used of electron-updater, with a session that keeps its listeners. */
class FakeUpdater extends EventEmitter {
  readonly done: string[] = [];
  readonly listeners_: { request?: BeforeRequest; headers?: BeforeHeaders } = {};
  answer: () => Promise<unknown> = async () => offered('9.9.9');
  /** What a download leaves; null: it does not end. */
  file: string | null = null;
  failQuestion: (error: Error) => void = () => undefined;
  readonly netSession = {
    rules: [] as string[],
    setProxy: async (config: { mode: string; proxyRules: string }) => {
      this.netSession.rules.push(`${config.mode} ${config.proxyRules}`);
    },
    closeAllConnections: async () => this.failQuestion(new Error('net::ERR_ABORTED')),
    webRequest: {
      onBeforeRequest: (listener: BeforeRequest) => (this.listeners_.request = listener),
      onBeforeSendHeaders: (listener: BeforeHeaders) => (this.listeners_.headers = listener),
    },
  };
  checkForUpdates() {
    this.done.push('check');
    return this.answer();
  }
  setFeedURL(feed: unknown) {
    this.done.push(`feed ${JSON.stringify(feed)}`);
  }
  async downloadUpdate(token: { cancelled: boolean; onCancel: (handler: () => void) => void }) {
    this.emit('download-progress', { percent: 42 });
    if (this.file !== null) return [this.file];
    await new Promise((_resolve, reject) => token.onCancel(() => reject(new Error('cancelled'))));
    return [];
  }
  quitAndInstall(...args: unknown[]) {
    this.done.push(`install ${args.join(' ')}`);
  }
}

function setUp(app: Partial<UpdaterOptions['app']> = {}, proxies: (Proxy | null)[] = [null]) {
  const fake = new FakeUpdater();
  const asked: string[] = [];
  const updater = createUpdater({
    gate: {
      refusal: (url, way) => {
        asked.push(`${way} ${url.origin}`);
        return url.host === 'updates.example' || url.host.startsWith('proxy.') ? null : 'no';
      },
    },
    proxies: { proxiesFor: async () => proxies, missed: () => undefined },
    origin: 'https://updates.example',
    feed: { provider: 'generic', url: 'https://updates.example' },
    configPath: '/resources/app-update.yml',
    app: { platform: 'linux', appImage: null, program: process.execPath, ...app },
    // The fake has what the adapter uses.
    load: async () => fake as unknown as AppUpdater,
  });
  return { fake, updater, asked };
}

const { signal: unstopped } = new AbortController();

it('leaves electron-updater no decision of its own', async () => {
  const { fake, updater } = setUp();
  updater.install();
  expect(await updater.ask(unstopped)).toBe('9.9.9');
  expect(fake).toMatchObject({
    autoDownload: false,
    autoInstallOnAppQuit: false,
    allowDowngrade: false,
    allowPrerelease: false,
    updateConfigPath: '/resources/app-update.yml',
  });
  expect(fake.done).toEqual(['feed {"provider":"generic","url":"https://updates.example"}', 'check']);
  fake.answer = async () => ({ isUpdateAvailable: false, updateInfo: { version: '9.9.9' } });
  expect(await updater.ask(unstopped)).toBeNull();
  fake.answer = async () => null;
  expect(await updater.ask(unstopped)).toBeNull();
  updater.install();
  expect(fake.done.at(-1)).toBe('check');
});

it('installs only what was downloaded, is still there and is what was announced', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'watchkeeper-updater-'));
  try {
    const { fake, updater } = setUp({ platform: 'win32' });
    await updater.ask(unstopped);
    fake.file = join(dir, 'setup.exe');
    writeFileSync(fake.file, 'something else');
    await expect(updater.download(() => undefined, unstopped)).rejects.toThrow('published checksum');
    writeFileSync(fake.file, next);
    await updater.download(() => undefined, unstopped);
    rmSync(fake.file);
    expect(() => updater.install()).toThrow('The downloaded package is gone.');
    expect(fake.done).not.toContain('install true false');
    writeFileSync(fake.file, next);
    updater.install();
    expect(fake.done.at(-1)).toBe('install true false');
  } finally {
    rmSync(dir, { recursive: true });
  }
});

it('puts an AppImage in place by itself, and leaves macOS to itself', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'watchkeeper-updater-'));
  try {
    const appImage = join(dir, 'Watchkeeper.AppImage');
    writeFileSync(appImage, 'the running version');
    const linux = setUp({ appImage });
    await linux.updater.ask(unstopped);
    linux.fake.file = join(dir, 'next');
    writeFileSync(linux.fake.file, next);
    await linux.updater.download(() => undefined, unstopped);
    linux.updater.install();
    expect(readFileSync(appImage, 'utf8')).toBe(next);
    expect(existsSync(`${appImage}.previous`)).toBe(true);
    expect(linux.fake.done.filter((what) => what.startsWith('install'))).toEqual([]);

    const mac = setUp({ platform: 'darwin' });
    await mac.updater.ask(unstopped);
    expect(mac.fake).toMatchObject({ autoInstallOnAppQuit: true });
    mac.fake.file = join(dir, 'taken over by the system');
    await mac.updater.download(() => undefined, unstopped);
    mac.updater.install();
    expect(mac.fake.done.filter((what) => what.startsWith('install'))).toEqual([]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

it('asks the gate before each request, and takes the number of this copy out of it', async () => {
  const { fake, updater, asked } = setUp();
  await updater.ask(unstopped);
  const isCancelled = (url: string) => {
    let cancelled: boolean | null = null;
    fake.listeners_.request?.({ url }, ({ cancel }) => (cancelled = cancel));
    return cancelled;
  };
  asked.length = 0;
  expect(isCancelled('https://updates.example/latest-linux.yml')).toBe(false);
  expect(isCancelled('https://evil.example/x.AppImage')).toBe(true);
  expect(asked).toEqual(['update https://updates.example', 'update https://evil.example']);
  let sent: Record<string, string> | null = null;
  const requestHeaders = { Accept: '*/*', 'X-User-Staging-Id': 'a-number' };
  fake.listeners_.headers?.({ requestHeaders }, (answer) => (sent = answer.requestHeaders));
  expect(sent).toEqual({ Accept: '*/*' });
});

it('ends a question that is stopped, and asks again only after that', async () => {
  const { fake, updater } = setUp();
  fake.answer = () => new Promise((_resolve, reject) => (fake.failQuestion = reject));
  const work = new AbortController();
  const stopped = updater.ask(work.signal);
  await expect.poll(() => fake.done.at(-1)).toBe('check');
  work.abort();
  await expect(stopped).rejects.toThrow('ERR_ABORTED');
  fake.answer = async () => offered('9.9.10');
  expect(await updater.ask(unstopped)).toBe('9.9.10');
});

it('tells the progress of a download, and ends one that is stopped', async () => {
  const { fake, updater } = setUp();
  const work = new AbortController();
  const told: unknown[] = [];
  const download = updater.download((percent) => {
    told.push(percent);
    work.abort();
  }, work.signal);
  await expect(download).rejects.toThrow('cancelled');
  expect(told).toEqual([42]);
  expect(fake.listenerCount('download-progress')).toBe(0);
});

it('goes by the proxies that the rules name, and gives each its login once', async () => {
  const { fake, updater, asked } = setUp({}, [
    { url: 'http://proxy.example:3128', authorization: `Basic ${btoa('me:pa:ss')}` },
    null,
  ]);
  await updater.ask(unstopped);
  expect(fake.netSession.rules).toEqual(['fixed_servers http://proxy.example:3128,direct://']);
  expect(asked).toEqual(['proxy http://proxy.example:3128']);
  const given: unknown[] = [];
  const logIn = (host: string, isProxy: boolean) =>
    fake.emit('login', { isProxy, host, port: 3128 }, (...login: unknown[]) => given.push(login));
  logIn('evil.example', true);
  logIn('proxy.example', false);
  logIn('proxy.example', true);
  logIn('proxy.example', true);
  expect(given).toEqual([[], [], ['me', 'pa:ss'], []]);
});

it.each([
  ['http://proxy.example', 80],
  ['https://proxy.example', 443],
])('gives the login of %s, whose port is the usual one, too', async (url, port) => {
  const { fake, updater } = setUp({}, [{ url, authorization: `Basic ${btoa('me:pass')}` }]);
  await updater.ask(unstopped);
  const given: unknown[] = [];
  const asked = { isProxy: true, host: 'proxy.example', port };
  fake.emit('login', asked, (...login: unknown[]) => given.push(login));
  expect(given).toEqual([['me', 'pass']]);
});

it.each([
  ['names none that can be used', [], { code: 'proxy', message: expect.stringContaining('updates.example') }],
  ['names one that the gate refuses', ['http://other.example:8080'], { code: 'not-allowed', message: 'no' }],
])('asks nobody directly where the rules want a proxy, and it %s', async (_what, urls, error) => {
  const { fake, updater } = setUp(
    {},
    urls.map((url) => ({ url, authorization: null })),
  );
  await expect(updater.ask(unstopped)).rejects.toMatchObject({ error });
  expect(fake.done).not.toContain('check');
  expect(fake.netSession.rules).toEqual([]);
});
