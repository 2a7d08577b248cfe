import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../../shared/errors.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { emptyWorld } from '../../testing/sample-world.ts';
import NetworkSection from './NetworkSection.svelte';

const proxy = 'http://proxy.example:3128';

function worldWith(setting: string, inUse: readonly string[] = []) {
  const world = emptyWorld(testNowMs);
  world.snapshot.settings = { ...world.snapshot.settings, proxy: setting };
  const hosts = inUse.map((origin) => ({ origin, count: 3, lastAtMs: testNowMs }));
  const logins = Object.fromEntries(inUse.map((origin) => [origin, 'none'] as const));
  world.snapshot.outbound = { ...world.snapshot.outbound, uses: [{ kind: 'proxy', hosts }], logins };
  return world;
}

describe('NetworkSection', () => {
  it('keeps no proxy, the system’s, and an address once that is one', async () => {
    const { bridge, user } = await renderInApp(NetworkSection, {}, { world: worldWith('system') });
    await user.click(screen.getByRole('radio', { name: 'None' }));
    await user.click(screen.getByRole('radio', { name: 'Manual' }));
    expect(bridge.argsOf('settings.update')).toEqual([{ proxy: 'none' }]);
    await user.type(screen.getByLabelText('Proxy address'), 'me:pass@proxy.example:3128');
    await user.click(screen.getByRole('button', { name: 'Save proxy' }));
    expect(screen.getByText(/Enter the proxy’s host and port/)).toBeTruthy();
    await user.clear(screen.getByLabelText('Proxy address'));
    await user.type(screen.getByLabelText('Proxy address'), ' proxy.example:3128 ');
    await user.click(screen.getByRole('button', { name: 'Save proxy' }));
    expect(bridge.argsOf('settings.update').at(-1)).toEqual({ proxy });
    expect(screen.getByLabelText<HTMLInputElement>('Proxy address').value).toBe(proxy);
    await user.click(screen.getByRole('radio', { name: 'System' }));
    expect(bridge.argsOf('settings.update').at(-1)).toEqual({ proxy: 'system' });
    expect(screen.queryByLabelText('Proxy address')).toBeNull();
  });

  it('sends a login to the keychain, and holds it nowhere afterwards', async () => {
    const { bridge, user } = await renderInApp(NetworkSection, {}, { world: worldWith('system', [proxy]) });
    const form = within(screen.getByRole('form', { name: `Login for ${proxy}` }));
    await user.click(form.getByRole('button', { name: 'Save login' }));
    expect(screen.getByText(/Enter the user name/)).toBeTruthy();
    await user.type(form.getByLabelText('User name'), ' me ');
    await user.type(form.getByLabelText('Password'), ' pass word ');
    await user.click(form.getByRole('button', { name: 'Save login' }));
    expect(bridge.argsOf('proxy.logIn')).toEqual([{ proxy, user: 'me', password: ' pass word ' }]);
    expect(form.getByLabelText<HTMLInputElement>('Password').value).toBe('');
    expect(document.documentElement.outerHTML).not.toContain('pass word');
    expect(form.getByText('In the keychain')).toBeTruthy();
  });

  it('asks for no login of a proxy that is no longer in use, which may have one', async () => {
    const world = worldWith('none', [proxy]);
    world.snapshot.outbound = { ...world.snapshot.outbound, logins: {} };
    await renderInApp(NetworkSection, {}, { world });
    expect(screen.queryByRole('form')).toBeNull();
  });

  it('removes a login only after a question', async () => {
    const world = worldWith('system', [proxy]);
    world.snapshot.outbound = { ...world.snapshot.outbound, logins: { [proxy]: 'kept' } };
    const { bridge, user } = await renderInApp(NetworkSection, {}, { world });
    const ask = () => user.click(screen.getByRole('button', { name: 'Remove login' }));
    await ask();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(bridge.argsOf('proxy.forgetLogin')).toEqual([]);
    await ask();
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove login' }));
    expect(bridge.argsOf('proxy.forgetLogin')).toEqual([{ proxy }]);
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    expect(within(screen.getByRole('form')).getByText('None')).toBeTruthy();
  });

  it.each([
    ['locked', 'Keychain locked'],
    ['unread', 'Keychain not read yet'],
  ] as const)('does not deny a login that is %s', async (state, words) => {
    const world = worldWith(proxy, [proxy]);
    world.snapshot.outbound = { ...world.snapshot.outbound, logins: { [proxy]: state } };
    await renderInApp(NetworkSection, {}, { world });
    const form = within(screen.getByRole('form', { name: `Login for ${proxy}` }));
    expect(form.getByText(words)).toBeTruthy();
    expect(form.queryByText('None')).toBeNull();
  });

  it('leaves what is typed while an address or a login is being stored', async () => {
    const address = Promise.withResolvers<Result<Settings>>();
    const login = Promise.withResolvers<Result<null>>();
    const { app, bridge, user } = await renderInApp(
      NetworkSection,
      {},
      {
        world: worldWith(proxy, [proxy]),
        prepare: (fake) => {
          fake.answer('settings.update', () => address.promise);
          fake.answer('proxy.logIn', () => login.promise);
        },
      },
    );
    const parts = [
      ['Proxy address', 'Save proxy', () => address.resolve(ok(app.settings))],
      ['User name', 'Save login', () => login.resolve(ok(null))],
    ] as const;
    for (const [label, action, answer] of parts) {
      const field = screen.getByLabelText<HTMLInputElement>(label);
      const button = screen.getByRole('button', { name: action });
      await user.clear(field);
      await user.type(field, 'one.example:1');
      await user.click(button);
      await user.type(field, '2');
      answer();
      await expect.poll(() => button.getAttribute('aria-busy')).toBe('false');
      expect(field.value).toBe('one.example:12');
    }
    expect(bridge.argsOf('proxy.logIn')).toMatchObject([{ user: 'one.example:1' }]);
  });

  it('says that a keychain is missing', async () => {
    const { user } = await renderInApp(
      NetworkSection,
      {},
      {
        world: worldWith(proxy, [proxy]),
        prepare: (fake) =>
          fake.answer('proxy.logIn', () => err({ code: 'keychain', message: 'No keychain.' })),
      },
    );
    await user.type(screen.getByLabelText('User name'), 'me');
    await user.click(screen.getByRole('button', { name: 'Save login' }));
    expect(screen.getByText('No keychain.')).toBeTruthy();
  });
});
