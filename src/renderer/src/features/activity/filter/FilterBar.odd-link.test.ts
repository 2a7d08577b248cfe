import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { parseAppLink } from '../../../../../shared/app-link.ts';
import { renderInApp } from '../../../testing/render.ts';
import FilterBar from './FilterBar.svelte';

it.each([
  ['soon', 'later', 'Time from soon to later'],
  ['99999999999999999', '99999999999999999', 'Time exactly ????-??-?? ??:??'],
])('a link with the times %j and %j leaves the view as it is', async (min, max, words) => {
  const filter = { pills: [{ field: 'time', not: false, min, max }], text: '', showHidden: false };
  const link = parseAppLink(`watchkeeper://activity?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  if (link?.view !== 'filtered') throw new Error('the link is refused');
  const { navigation } = await renderInApp(FilterBar, {
    onleave: () => undefined,
  });
  navigation.goToActivity(link.filter);
  expect(await screen.findByRole('button', { name: words })).toBeTruthy();
});
