import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { sampleNodes } from '../../../testing/sample-health.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import StateBanner from './StateBanner.svelte';

it('says why a node gives no report once, also where the error says more', async () => {
  const [known] = sampleNodes(testNowMs);
  if (known === undefined) throw new Error('there are samples');
  const error = { code: 'unreachable', message: 'Refused. (Nothing answers there.)' } as const;
  await renderInApp(StateBanner, { status: { ...known, reason: 'Refused.', error } });
  const banner = screen.getByRole('region', { name: 'State of the node' });
  expect(banner.textContent.match(/Refused\./g)).toHaveLength(1);
  expect(banner.textContent).toContain('(Nothing answers there.)');
});
