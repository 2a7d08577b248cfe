import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { everything, type FilterPill } from '../../../../shared/activity/filter.ts';
import { renderInApp } from '../../testing/render.ts';
import { sampleAddresses } from '../../testing/sample-world.ts';
import WatchlistPane from './WatchlistPane.svelte';

const { treasury, hot } = sampleAddresses;

it.each<[string, FilterPill[], boolean]>([
  ['all without a filter', [], true],
  ['all with another filter', [{ field: 'status', not: false, values: ['failed'] }], true],
  ['not all with two of them', [{ field: 'address', not: false, values: [treasury, hot] }], false],
  ['not all without one', [{ field: 'address', not: true, values: [treasury] }], false],
  ['not all of two chains', [{ field: 'chain', not: false, values: ['1', '43114'] }], false],
])('marks %s', async (_which, pills, isAll) => {
  const { navigation } = await renderInApp(WatchlistPane, {});
  navigation.filter = { ...everything, pills };
  const all = screen.getByRole('button', { name: /^All addresses/ });
  await expect.poll(() => all.getAttribute('aria-current') === 'true').toBe(isAll);
});
