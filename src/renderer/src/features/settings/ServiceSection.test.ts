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
    expect(screen.getByText('This is needed.')).toBeTruthy();
    expect(bridge.argsOf('settings.update')).toHaveLength(0);
  });
});
