import type { App, Session } from 'electron';
import { expect, it, vi } from 'vitest';
import { appOrigin } from './app-file.ts';
import { lockNetwork, lockPages, lockSession } from './lockdown.ts';

vi.mock('electron', () => ({}));

it('keeps Chromium from asking hosts of its own choice, or telling one who asks', async () => {
  const listeners = new Map<string, (...args: never[]) => void>();
  const app = {
    commandLine: { appendSwitch: vi.fn<App['commandLine']['appendSwitch']>() },
    configureHostResolver: vi.fn<App['configureHostResolver']>(),
    on: (name: string, listener: (...args: never[]) => void) => void listeners.set(name, listener),
    whenReady: () => Promise.resolve(),
    // Of the app only these are used.
  } as unknown as App;
  const call = (name: string, ...args: unknown[]) => listeners.get(name)?.(...(args as never[]));

  await lockNetwork(app);

  expect(app.commandLine.appendSwitch).toHaveBeenCalledWith('no-proxy-server');
  expect(app.configureHostResolver).toHaveBeenCalledWith({
    enableBuiltInResolver: false,
    secureDnsMode: 'off',
  });

  const setSpellCheckerLanguages = vi.fn<Session['setSpellCheckerLanguages']>();
  call('session-created', { setSpellCheckerLanguages });
  expect(setSpellCheckerLanguages).toHaveBeenCalledWith([]);

  const preventDefault = vi.fn<() => void>();
  const answer = vi.fn<(certificate?: unknown) => void>();
  call(
    'select-client-certificate',
    { preventDefault },
    {},
    'https://a.example',
    [{ subjectName: 'me' }],
    answer,
  );
  expect(preventDefault).toHaveBeenCalledOnce();
  expect(answer.mock.calls).toEqual([[]]);
});

const log = { info: () => undefined, warn: () => undefined, error: () => 'ref' };

it('gives no permission, takes no download, and asks no host', () => {
  const set = new Map<string, (...args: never[]) => unknown>();
  const keep = (name: string) => (handler: (...args: never[]) => unknown) => void set.set(name, handler);
  const session = {
    setPermissionRequestHandler: keep('request'),
    setPermissionCheckHandler: keep('check'),
    setDevicePermissionHandler: keep('device'),
    on: (name: string, handler: (...args: never[]) => unknown) => keep(name)(handler),
    webRequest: { onBeforeRequest: keep('send') },
    // Of the session only these are used.
  } as unknown as Session;
  const call = (name: string, ...args: unknown[]) => set.get(name)?.(...(args as never[]));

  lockSession(session, log);

  const answer = vi.fn<(given: unknown) => void>();
  call('request', null, 'geolocation', answer);
  for (const url of ['https://a.example/', 'file:///etc/passwd', `${appOrigin}/index.html`])
    call('send', { url }, answer);
  expect(answer.mock.calls.flat()).toEqual([false, { cancel: true }, { cancel: true }, { cancel: false }]);
  expect([call('check'), call('device')]).toEqual([false, false]);
  const preventDefault = vi.fn<() => void>();
  call('will-download', { preventDefault });
  expect(preventDefault).toHaveBeenCalledOnce();
});

it.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])(
  'leads no page away: %s',
  (name) => {
    const set = new Map<string, (event: unknown) => void>();
    const contents = {
      on: (event: string, handler: (event: unknown) => void) => void set.set(event, handler),
      setWindowOpenHandler: () => undefined,
    };
    const app = { on: (_event: string, created: (...args: unknown[]) => void) => created({}, contents) };
    // Of the app only this is used.
    lockPages(app as unknown as App, log);
    const preventDefault = vi.fn<() => void>();
    set.get(name)?.({ url: 'https://a.example/', isMainFrame: false, preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  },
);
