import { screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.ts';
import Dialogs from '../../views/Dialogs.svelte';

afterEach(() => vi.restoreAllMocks());

it('on a Mac, Back in a lookup names the keys that go back there', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Macintosh)');
  const { navigation } = await renderInApp(Dialogs, { views: [] });
  navigation.lookUp({ kind: 'form', text: '', chainId: null });
  navigation.lookUp({ kind: 'form', text: '', chainId: null });
  const back = await screen.findByRole('button', { name: 'Back' });
  expect(back.getAttribute('aria-description')).toBe('Shortcut ⌘[');
});
