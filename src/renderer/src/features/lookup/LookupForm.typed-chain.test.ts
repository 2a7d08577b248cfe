import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { fullWorld, sampleAddresses } from '../../testing/sample-world.ts';
import LookupForm from './LookupForm.svelte';

it('a chain’s name that is typed becomes its id', async () => {
  const world = fullWorld(testNowMs);
  const [, second] = world.snapshot.watchlist[0]?.chains ?? [];
  if (second === undefined) throw new Error('the sample has two chains');
  for (const { chains } of world.snapshot.watchlist)
    for (const chain of chains) if (chain.chainId === second.chainId) chain.name = 'Dexalot';
  const text = sampleAddresses.treasury;
  const { navigation, user } = await renderInApp(LookupForm, { text, chainId: null }, { world });
  const field = screen.getByLabelText('Chain');
  await user.clear(field);
  await user.type(field, 'dexalot{Enter}');
  expect(navigation.lookups).toEqual([{ kind: 'address', chainId: second.chainId, address: text }]);
});

it('a chain that is missing is asked for, and not called mistyped', async () => {
  const { navigation, user } = await renderInApp(LookupForm, { text: sampleAddresses.treasury, chainId: '' });
  await user.click(screen.getByRole('button', { name: 'Look up address' }));
  expect(screen.getByText('Enter a chain ID, or choose a chain.')).toBeTruthy();
  await user.type(screen.getByLabelText('Chain'), 'a b');
  expect(screen.getByText('A chain ID can contain only letters and digits.')).toBeTruthy();
  expect(navigation.lookups).toEqual([]);
});
