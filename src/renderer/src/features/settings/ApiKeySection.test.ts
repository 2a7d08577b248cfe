import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../../shared/errors.ts';
import type { SecretStatus } from '../../../../shared/ipc/answers.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { emptyWorld } from '../../testing/sample-world.ts';
import ApiKeySection from './ApiKeySection.svelte';

const key = 'k-7f3a-very-secret';

function worldWith(secret: SecretStatus) {
  const world = emptyWorld(testNowMs);
  world.snapshot.secret = secret;
  return world;
}
const none: SecretStatus = { present: false, storage: 'none', keychain: 'available' };
const input = () => screen.getByLabelText<HTMLInputElement>(/key$/i, { selector: 'input' });

describe('ApiKeySection', () => {
  it('sends the key to the keychain, and holds it nowhere afterwards', async () => {
    const { bridge, user } = await renderInApp(ApiKeySection, {}, { world: worldWith(none) });
    expect(input().type).toBe('password');
    await user.type(input(), ` ${key} `);
    await user.click(screen.getByRole('button', { name: 'Save key' }));

    expect(bridge.argsOf('secret.set')).toEqual([{ key, storage: 'keychain' }]);
    expect(input().value).toBe('');
    expect(document.documentElement.outerHTML).not.toContain(key);
    expect(screen.getByRole('status', { name: 'API key status' }).textContent).toContain('Stored');
    expect(screen.getByRole('button', { name: 'Replace key' })).toBeTruthy();
  });

  it('never fills the field, whatever is stored', async () => {
    await renderInApp(
      ApiKeySection,
      {},
      {
        world: worldWith({ present: true, storage: 'keychain', keychain: 'available' }),
      },
    );
    expect(input().value).toBe('');
    expect(input().placeholder).toBe('');
  });

  it('says when the service that gets the key is not encrypted', async () => {
    const { app } = await renderInApp(ApiKeySection, {}, { world: worldWith(none) });
    expect(screen.queryByText(/unencrypted/)).toBeNull();
    await app.updateSettings({ service: { ...app.settings.service, dataUrl: 'http://chain.example' } });
    expect(await screen.findByText(/but unencrypted/)).toBeTruthy();
  });

  it('lets a locked keychain be tried again', async () => {
    const { bridge, user } = await renderInApp(
      ApiKeySection,
      {},
      { world: worldWith({ present: false, storage: 'none', keychain: 'locked' }) },
    );
    const message = 'This computer’s keychain is locked.';
    bridge.answer('secret.test', () => err({ code: 'keychain', message }));
    await user.click(screen.getByRole('button', { name: 'Try the keychain again' }));
    expect(bridge.argsOf('secret.test')).toHaveLength(1);
    expect(screen.getByText('Can’t use the system’s keychain')).toBeTruthy();
    expect(screen.getByText(message)).toBeTruthy();
  });

  it('sends nobody to the settings from the settings when the key is refused', async () => {
    const { bridge, navigation, user } = await renderInApp(
      ApiKeySection,
      {},
      { world: worldWith({ present: true, storage: 'keychain', keychain: 'available' }) },
    );
    navigation.go('settings');
    bridge.answer('secret.test', () => err({ code: 'unauthorized', message: '401' }));
    await user.click(screen.getByRole('button', { name: 'Test key' }));
    const { textContent } = await screen.findByRole('alert');
    expect(textContent).toContain('Replace it.');
    expect(textContent).not.toContain('Settings');
  });

  it('offers this session only, and only where there is no keychain', async () => {
    const { bridge, user } = await renderInApp(
      ApiKeySection,
      {},
      {
        world: worldWith({ present: false, storage: 'none', keychain: 'absent' }),
      },
    );
    expect(screen.getByRole('status', { name: 'API key status' }).textContent).toContain('No keychain');
    await user.click(screen.getByRole('checkbox', { name: /For this session only/ }));
    await user.type(input(), key);
    await user.click(screen.getByRole('button', { name: 'Save key' }));
    expect(bridge.argsOf('secret.set')).toEqual([{ key, storage: 'session' }]);
    expect(screen.getByRole('status', { name: 'API key status' }).textContent).toContain(
      'Kept for this session',
    );
  });

  it('has no such choice where the keychain works', async () => {
    await renderInApp(ApiKeySection, {}, { world: worldWith(none) });
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it.each([
    [none, 'None'],
    [{ present: false, storage: 'none', keychain: 'locked' }, 'Keychain locked'],
    [{ present: true, storage: 'session', keychain: 'absent' }, 'Kept for this session'],
    [{ present: true, storage: 'keychain', keychain: 'available' }, 'Stored'],
    [{ present: true, storage: 'keychain', keychain: 'available', looksLikeData: true }, 'Unsuitable key'],
  ] satisfies [SecretStatus, string][])('says of %o: %s', async (secret, words) => {
    await renderInApp(ApiKeySection, {}, { world: worldWith(secret) });
    expect(screen.getByRole('status', { name: 'API key status' }).textContent).toContain(words);
  });

  it('tests the key and says how it went', async () => {
    const world = worldWith({ present: true, storage: 'keychain', keychain: 'available' });
    const { bridge, user } = await renderInApp(ApiKeySection, {}, { world });
    await user.click(screen.getByRole('button', { name: 'Test key' }));
    expect(screen.getByText('Accepted in 184 ms')).toBeTruthy();

    bridge.answer('secret.test', () => err({ code: 'unauthorized', message: 'Api key is invalid' }));
    await user.click(screen.getByRole('button', { name: 'Test key' }));
    expect(screen.getByRole('alert').textContent).toContain('The API key wasn’t accepted');
    expect(screen.queryByText(/Accepted/)).toBeNull();
  });

  it.each([
    ['accepted', ok({ answeredInMs: 184 })],
    ['refused', err({ code: 'unauthorized', message: 'Api key is invalid' } as const)],
  ])('does not say of a new key that the one before was %s', async (_what, result) => {
    const held = Promise.withResolvers<typeof result>();
    const world = worldWith({ present: true, storage: 'keychain', keychain: 'available' });
    const { bridge, user } = await renderInApp(ApiKeySection, {}, { world });
    bridge.answer('secret.test', () => held.promise);
    await user.click(screen.getByRole('button', { name: 'Test key' }));
    await user.type(input(), key);
    await user.click(screen.getByRole('button', { name: 'Replace key' }));
    held.resolve(result);
    await user.click(input());
    expect(screen.getByText('Saved')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('leaves a key that is typed while another is being stored', async () => {
    const held = Promise.withResolvers<Result<SecretStatus>>();
    const status: SecretStatus = { present: true, storage: 'keychain', keychain: 'available' };
    const { bridge, user } = await renderInApp(ApiKeySection, {}, { world: worldWith(status) });
    bridge.answer('secret.set', () => held.promise);
    await user.type(input(), 'wrong');
    const save = screen.getByRole('button', { name: 'Replace key' });
    await user.click(save);
    expect(screen.getByRole('button', { name: 'Test key' })).toHaveProperty('disabled', true);
    await user.type(input(), '-no-right');
    held.resolve(ok(status));
    await expect.poll(() => save.getAttribute('aria-busy')).toBe('false');
    expect(input().value).toBe('wrong-no-right');
    expect(screen.queryByText('Saved')).toBeNull();
    expect(save).toHaveProperty('disabled', false);
  });

  it('removes the key after asking', async () => {
    const world = worldWith({ present: true, storage: 'keychain', keychain: 'available' });
    const { bridge, user } = await renderInApp(ApiKeySection, {}, { world });
    await user.click(screen.getByRole('button', { name: 'Remove key' }));
    expect(bridge.argsOf('secret.remove')).toHaveLength(0);
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove key' }));
    expect(bridge.argsOf('secret.remove')).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Remove key' })).toBeNull();
  });
});
