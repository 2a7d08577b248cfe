import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.ts';
import RawJson from './RawJson.svelte';

it('of megabytes of JSON the first part is shown, and all of it is copied', async () => {
  const transfers = Array.from({ length: 60_000 }, (_, logIndex) => ({ logIndex, value: '1' }));
  const text = JSON.stringify({ transfers });
  const { bridge, user } = await renderInApp(RawJson, { texts: [text], isReceived: true });
  await user.click(screen.getByText('Show JSON'));
  expect(screen.getByText(/Only the first 400,000 characters are shown/)).toBeTruthy();
  expect(document.querySelector('pre')?.textContent.length).toBeLessThan(1_500_000);
  await user.click(screen.getByRole('button', { name: 'Copy JSON' }));
  expect(bridge.argsOf('app.copyText')).toEqual([{ text }]);
});
