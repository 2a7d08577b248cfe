import { expect, it } from 'vitest';
import { defaultSettings } from '../../../shared/settings.ts';
import { createFakeKeychain, createFakeTime } from '../health/testing/fake-ports.ts';
import { SettingsService } from '../settings/settings-service.ts';
import { Gate } from './gate.ts';
import { Proxies } from './proxies.ts';

function setUp(
  proxy = 'system',
  rules = 'PROXY proxy.example:3128; SOCKS5 s:1; HTTPS p2:443; DIRECT',
  keychain = createFakeKeychain(),
) {
  const log = { info: () => undefined, warn: () => undefined, error: () => 'ref' };
  const store = {
    read: () => ({ settings: { ...defaultSettings, proxy }, notice: null }),
    write: () => undefined,
  };
  const settings = new SettingsService(store, log);
  const time = createFakeTime();
  const { clock } = time;
  const asked: string[] = [];
  const systemRules = async (origin: string) => {
    asked.push(origin);
    return rules;
  };
  const proxies = new Proxies({ settings, keychain, clock, systemRules });
  const gate = new Gate({ settings, clock });
  gate.knowProxies(proxies);
  const urls = async (url: string) => (await proxies.proxiesFor(new URL(url))).map((one) => one?.url ?? null);
  return { settings, time, proxies, gate, keychain, asked, urls };
}

const data = 'https://data.example/v1/addresses/0xabc';
const proxy = 'http://proxy.example:3128';

it('go by the system’s rules, which are told the origin alone, and leave out what cannot be used', async () => {
  const { urls, asked } = setUp();
  expect(await urls(data)).toEqual([proxy, 'https://p2', null]);
  expect(asked).toEqual(['https://data.example']);
  expect(await setUp('system', 'SOCKS s:1').urls(data)).toEqual([]);
});

it('go by the settings: an address, or none', async () => {
  const { settings, urls, asked } = setUp('https://own.example:8080');
  expect(await urls(data)).toEqual(['https://own.example:8080']);
  settings.update({ proxy: 'none' });
  expect(await urls(data)).toEqual([null]);
  expect(asked).toEqual([]);
});

it('put one that could not be reached behind the others for a minute, as that of the office at home', async () => {
  const { time, proxies, urls } = setUp();
  const [first] = await proxies.proxiesFor(new URL(data));
  if (first) proxies.missed(first);
  expect(await urls(data)).toEqual(['https://p2', null, proxy]);
  await time.advance(59_999);
  expect(await urls(data)).toEqual(['https://p2', null, proxy]);
  await time.advance(1);
  expect(await urls(data)).toEqual([proxy, 'https://p2', null]);
});

it('tell when requests go another way: by another setting or with a login, not without one', async () => {
  const { settings, proxies, urls } = setUp();
  const told: string[] = [];
  let what = 'a question';
  proxies.onOtherWay(() => told.push(what));
  await urls(data);
  what = 'another theme';
  settings.update({ theme: 'dark' });
  what = 'a login';
  await proxies.logIn({ proxy, user: 'me', password: 'secret' });
  what = 'no login';
  await proxies.forgetLogin(proxy);
  what = 'no proxy';
  settings.update({ proxy: 'none' });
  expect(told).toEqual(['a login', 'no proxy']);
});

it.each([
  'http://127.0.0.1:9650',
  'http://localhost:9650',
  'http://node1.localhost:9650',
  'http://[::1]:9650',
  'http://10.0.0.7:9650',
  'http://172.16.0.1:9650',
  'http://172.31.255.1:9650',
  'http://192.168.1.77:9650',
  'http://169.254.1.1:9650',
  'http://100.64.0.1:9650',
  'http://100.127.0.1:9650',
  'http://[fd00::7]:9650',
  'http://[fe80::7]:9650',
  'http://[::ffff:192.168.1.1]:9650',
  'http://node1:9650',
  'http://node1.local:9650',
])('leave %s out, which is in the own network', async (url) => {
  const { urls, asked } = setUp();
  expect(await urls(url)).toEqual([null]);
  expect(await setUp(proxy).urls(url)).toEqual([null]);
  expect(asked).toEqual([]);
});

it.each([
  'http://11.0.0.1',
  'http://172.32.0.1',
  'http://172.15.0.1',
  'http://192.169.0.1',
  'http://100.128.0.1',
  'http://100.63.0.1',
  'http://[2001:db8::7]',
  'http://[::ffff:8.8.8.8]',
  'http://10.example',
  'http://local.example',
])('serve %s, which is not', async (url) => {
  expect(await setUp(proxy).urls(url)).toEqual([proxy]);
});

it('pass the gate while they are in use, and no other host does as one', async () => {
  const { settings, urls, gate } = setUp();
  const refusal = (url: string) => gate.refusal(new URL(url), 'proxy');
  expect(refusal(proxy)).toContain('no setting, node or test uses this address');
  await urls(data);
  expect(refusal(proxy)).toBeNull();
  expect(gate.refusal(new URL(proxy), 'request')).not.toBeNull();
  expect(gate.status().uses.find(({ kind }) => kind === 'proxy')?.hosts).toMatchObject([
    { origin: proxy, count: 1 },
    { origin: 'https://p2', count: 0 },
  ]);
  settings.update({ proxy: 'none' });
  expect(refusal(proxy)).not.toBeNull();
});

it('have their login in the keychain, each its own, and it is told to nobody else', async () => {
  const { settings, proxies, gate, keychain, urls } = setUp();
  await urls(data);
  await proxies.logIn({ proxy, user: 'me', password: 'pä55word-of-mine' });
  const [first, second] = await proxies.proxiesFor(new URL(data));
  expect(first?.authorization).toBe(`Basic ${Buffer.from('me:pä55word-of-mine').toString('base64')}`);
  expect(second?.authorization).toBeNull();
  expect([...keychain.entries]).toEqual([[`proxy ${proxy}`, 'me:pä55word-of-mine']]);
  expect(gate.status().logins).toEqual({ [proxy]: 'kept', 'https://p2': 'none' });
  expect(JSON.stringify(gate.status())).not.toContain('55word');
  expect(proxies.hide(`${first?.authorization} and pä55word-of-mine`)).not.toMatch(/55word|bWU6/);
  await proxies.forgetLogin(proxy);
  expect(gate.status().logins[proxy]).toBe('none');
  expect((await proxies.proxiesFor(new URL(data)))[0]?.authorization).toBeNull();
  // Only of those that are in use.
  settings.update({ proxy: 'http://other.example' });
  expect(gate.status().logins).toEqual({ 'http://other.example': 'unread' });
});

it('take no login for what is no proxy in use, or that could be read as something else', async () => {
  const { proxies, urls, keychain } = setUp();
  await urls(data);
  const password = 'password';
  for (const login of [
    { proxy: 'http://evil.example', user: 'me', password },
    { proxy, user: 'me:you', password },
    { proxy, user: 'me', password: 'two\r\nlines' },
  ])
    await expect(proxies.logIn(login)).rejects.toThrow();
  expect([...keychain.entries]).toEqual([]);
});

it('are used without a login while the keychain is locked, and with it once it is not', async () => {
  const { proxies, keychain, urls } = setUp();
  await urls(data);
  await proxies.logIn({ proxy, user: 'me', password: 'password' });
  const later = setUp(undefined, undefined, keychain);
  keychain.fail('locked');
  later.settings.update({ proxy });
  const login = () => later.gate.status().logins[proxy];
  expect(login()).toBe('unread');
  const first = async () => (await later.proxies.proxiesFor(new URL(data)))[0];
  expect(await first()).toEqual({ url: proxy, authorization: null, isLocked: true });
  expect(login()).toBe('locked');
  keychain.fail('absent');
  expect(await first()).toMatchObject({ authorization: null, isLocked: false });
  keychain.fail(null);
  expect(await first()).toMatchObject({ authorization: expect.stringMatching(/^Basic /), isLocked: false });
  expect(login()).toBe('kept');
  expect(keychain.readsByUser()).toBe(0);
});
