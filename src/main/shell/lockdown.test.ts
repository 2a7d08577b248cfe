import type { App, Session } from 'electron';
import { expect, it, vi } from 'vitest';
import { lockNetwork } from './lockdown.ts';

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
