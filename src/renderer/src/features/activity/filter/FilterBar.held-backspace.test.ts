import { fireEvent, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { everything } from '../../../../../shared/activity/filter.ts';
import { renderInApp } from '../../../testing/render.ts';
import FilterBar from './FilterBar.svelte';

it('Backspace that is held down to delete the search takes no pill away', async () => {
  const props = { onleave: () => undefined };
  const { navigation } = await renderInApp(FilterBar, props);
  navigation.filter = { ...everything, pills: [{ field: 'method', not: false, values: ['swap'] }] };
  const search = screen.getByRole('searchbox');
  await fireEvent.keyDown(search, { key: 'Backspace', repeat: true });
  expect(navigation.filter.pills).toHaveLength(1);
  await fireEvent.keyDown(search, { key: 'Backspace' });
  expect(navigation.filter.pills).toEqual([]);
});
