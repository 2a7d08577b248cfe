import { screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { FailureEpisode } from '../../../../../shared/health/types.ts';
import { ok } from '../../../../../shared/errors.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import Episodes from './Episodes.svelte';

const episode = (id: string): FailureEpisode => ({
  ...{ id, check: 'network', startedAtMs: testNowMs - 3_600_000, startKnownFrom: 'node-reported' },
  ...{ endedAtMs: testNowMs - 1_800_000, endKnownFrom: 'seen', failuresSeen: 3, failuresReported: null },
  ...{ firstError: 'too few peers', lastError: null, passes: 1 },
});

it('two failures that a node whose clock was set back says began at the same time are both shown', async () => {
  await renderInApp(
    Episodes,
    { id: 'n1', check: null, onclear: () => undefined },
    { prepare: (fake) => fake.answer('nodes.episodes', () => ok([episode('a'), episode('b')])) },
  );
  const table = within(await screen.findByRole('table', { name: 'Failure history' }));
  expect(table.getAllByRole('row')).toHaveLength(3);
});
