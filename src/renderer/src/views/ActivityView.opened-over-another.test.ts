import { screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandsNamed } from '../features/shell/named-commands.ts';
import { renderInApp } from '../testing/render.ts';
import { setElementSize } from '../testing/window-size.ts';
import ActivityView from './ActivityView.svelte';

beforeEach(() => setElementSize(1_300, 831));
afterEach(() => setElementSize(0, 0));

const settled = () => new Promise((done) => setTimeout(done));

/** A transaction is open, and another one was opened over it from the palette. */
async function openAnother() {
  const rendered = await renderInApp(ActivityView, {});
  const { bridge, navigation } = rendered;
  const [first, second] = bridge.world.rows;
  if (first === undefined || second === undefined) throw new Error('the sample has rows');
  navigation.visit();
  navigation.opened = first;
  await screen.findByRole('dialog', { name: 'Transaction' });
  navigation.visit();
  const named = commandsNamed(second.txHash, { rows: [second], tokens: [] }, { ...rendered, views: [] });
  named[0]?.run();
  await settled();
  navigation.visit();
  return { ...rendered, first, second };
}

describe('a transaction that is opened while another one is open', () => {
  it('is shown in its place', async () => {
    const { navigation, second } = await openAnother();
    expect(navigation.opened?.id).toBe(second.id);
    expect(screen.getByRole('dialog', { name: 'Transaction' }).textContent).toContain(second.txHash);
  });

  it('leads back to the other one', async () => {
    const { navigation, first, second } = await openAnother();
    navigation.opened = second;
    await settled();
    navigation.back();
    await settled();
    expect(navigation.opened.id).toBe(first.id);
  });
});
