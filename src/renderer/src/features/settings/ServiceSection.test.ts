import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { avalancheService } from '../../../../shared/settings.ts';
import { renderInApp } from '../../testing/render.ts';
import ServiceSection from './ServiceSection.svelte';

describe('ServiceSection', () => {
  it('stores a preset', async () => {
    const { bridge, app, user } = await renderInApp(ServiceSection, {});
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save service' }).disabled).toBe(true);
    await user.click(screen.getByRole('radio', { name: /Avalanche public service/ }));
    await user.click(screen.getByRole('button', { name: 'Save service' }));
    expect(bridge.argsOf('settings.update')).toEqual([{ service: avalancheService }]);
    expect(app.settings.service.preset).toBe('avalanche');
  });

  it('does not store a custom service with fields that are wrong', async () => {
    const { bridge, user } = await renderInApp(ServiceSection, {});
    await user.click(screen.getByRole('radio', { name: /Custom/ }));
    await user.type(screen.getByLabelText('Chain data URL'), 'chain.example');
    await user.click(screen.getByRole('button', { name: 'Save service' }));
    expect(screen.getByLabelText('Chain data URL').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Required.')).toBeTruthy();
    expect(bridge.argsOf('settings.update')).toHaveLength(0);
  });

  it('stores a custom service', async () => {
    const { bridge, app, user } = await renderInApp(ServiceSection, {});
    await user.click(screen.getByRole('radio', { name: /Custom/ }));
    await user.type(screen.getByLabelText('Chain data URL'), 'https://chain.example');
    await user.type(screen.getByLabelText('Chain metrics URL'), 'https://metrics.example');
    await user.click(screen.getByRole('button', { name: 'Save service' }));
    const service = {
      preset: 'custom',
      dataUrl: 'https://chain.example',
      metricsUrl: 'https://metrics.example',
      keyHeader: 'x-service-api-key',
    };
    expect(bridge.argsOf('settings.update')).toEqual([{ service }]);
    expect(app.settings.service).toEqual(service);
  });

  it('asks before the window, which starts again with another service, loses what is typed elsewhere', async () => {
    const { bridge, navigation, user } = await renderInApp(ServiceSection, {});
    navigation.drafts.set('proxy', 'http://proxy.example');
    await user.click(screen.getByRole('radio', { name: /Avalanche public service/ }));
    await user.click(screen.getByRole('button', { name: 'Save service' }));
    expect(screen.getByRole('dialog', { name: 'Save the service and lose other changes?' })).toBeTruthy();
    expect(bridge.argsOf('settings.update')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Save anyway' }));
    expect(bridge.argsOf('settings.update')).toEqual([{ service: avalancheService }]);
    // Nothing is lost where only the metrics come from elsewhere.
    await user.click(screen.getByRole('radio', { name: /Custom/ }));
    await user.type(screen.getByLabelText('Chain data URL'), avalancheService.dataUrl);
    await user.type(screen.getByLabelText('Chain metrics URL'), 'https://metrics.example');
    await user.click(screen.getByRole('button', { name: 'Save service' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(bridge.argsOf('settings.update')).toHaveLength(2);
  });

  describe('with a custom service that is not encrypted', () => {
    const save = () => screen.getByRole('button', { name: 'Save service' });
    const dialog = () => screen.queryByRole('dialog', { name: 'Send the API key unencrypted?' });
    async function fillIn(dataUrl: string, metricsUrl: string) {
      const rendered = await renderInApp(ServiceSection, {});
      await rendered.user.click(screen.getByRole('radio', { name: /Custom/ }));
      await rendered.user.type(screen.getByLabelText('Chain data URL'), dataUrl);
      await rendered.user.type(screen.getByLabelText('Chain metrics URL'), metricsUrl);
      return rendered;
    }

    it('warns as it is typed, and stores nothing before the user has agreed', async () => {
      const { bridge, user } = await fillIn('http://chain.example', 'https://metrics.example');
      expect(screen.getByText('Not encrypted')).toBeTruthy();
      await user.click(save());
      expect(dialog()?.textContent).toContain('http://chain.example');
      expect(dialog()?.textContent).not.toContain('metrics.example');
      await user.click(screen.getByRole('button', { name: 'Cancel' }));
      expect(dialog()).toBeNull();
      expect(bridge.argsOf('settings.update')).toEqual([]);

      await user.click(save());
      await user.click(screen.getByRole('button', { name: 'Save and send unencrypted' }));
      expect(dialog()).toBeNull();
      expect(bridge.argsOf('settings.update')).toMatchObject([
        { service: { dataUrl: 'http://chain.example', metricsUrl: 'https://metrics.example' } },
      ]);
    });

    it('does not ask again for what was agreed to, but for another address', async () => {
      const { bridge, user } = await fillIn('http://chain.example', 'https://metrics.example');
      await user.click(save());
      await user.click(screen.getByRole('button', { name: 'Save and send unencrypted' }));
      expect(screen.getByText('Not encrypted')).toBeTruthy();
      await user.type(screen.getByLabelText('Chain data URL'), '/v2');
      await user.click(save());
      expect(dialog()).toBeNull();
      expect(bridge.argsOf('settings.update')).toHaveLength(2);
      await user.clear(screen.getByLabelText('Chain metrics URL'));
      await user.type(screen.getByLabelText('Chain metrics URL'), 'http://metrics.example');
      await user.click(save());
      expect(dialog()?.textContent).toContain('http://metrics.example');
    });

    it('asks nothing for a service on this computer', async () => {
      const { bridge, user } = await fillIn('http://127.0.0.1:7650', 'http://localhost:7651');
      expect(screen.queryByText('Not encrypted')).toBeNull();
      await user.click(save());
      expect(bridge.argsOf('settings.update')).toHaveLength(1);
    });
  });
});
