import { fireEvent } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render.ts';
import ActivityView from './ActivityView.svelte';

it('a letter that is held down does what it does once', async () => {
  const { navigation } = await renderInApp(ActivityView, {});
  const press = (key: string, repeat: boolean) => fireEvent.keyDown(document.body, { key, repeat });
  for (const repeat of [false, true, true, true]) await press('h', repeat);
  expect(navigation.filter.showHidden).toBe(true);
  for (const repeat of [false, true]) await press('s', repeat);
  expect(navigation.filter.order).toEqual({ by: 'amount', ascending: false });
});
