import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import ActivitySection from './ActivitySection.svelte';

describe('ActivitySection', () => {
  it('chooses how often new activity is looked for', async () => {
    const { bridge, user } = await renderInApp(ActivitySection, {});
    const chosen = () => screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.value;
    expect(chosen()).toBe('5');
    await user.click(screen.getByText('Never'));
    await user.click(screen.getByText('1 h'));
    expect(bridge.argsOf('settings.update')).toEqual([
      { activityCheckMinutes: 0 },
      { activityCheckMinutes: 60 },
    ]);
  });
});
