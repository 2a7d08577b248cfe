import { screen } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { expect, it } from 'vitest';
import { err } from '../../../shared/errors.ts';
import type { InvokeChannel } from '../../../shared/ipc/contract.ts';
import Episodes from '../features/nodes/past/Episodes.svelte';
import HistoryStrips from '../features/nodes/past/HistoryStrips.svelte';
import Replay from '../features/nodes/past/Replay.svelte';
import NodeHistorySection from '../features/settings/NodeHistorySection.svelte';
import PastAlerts from '../features/settings/PastAlerts.svelte';
import { renderInApp } from '../testing/render.ts';

const ignore = () => undefined;
const strips = { sinceMs: 0, endMs: null, chosen: null, onchoose: ignore, onreplay: ignore };
const thresholds = { nodeId: null, failAfter: 3, recoverAfter: 2, silentSeconds: 90 };

it.each([
  ['nodes.moments', Replay, { id: 'n1', sinceMs: 0, recorded: null, atMs: null }],
  ['nodes.episodes', Episodes, { id: 'n1', check: null, onclear: ignore }],
  ['nodes.strips', HistoryStrips, { id: 'n1', ...strips }],
  ['nodes.historyUse', NodeHistorySection, {}],
  ['alerts.tryPast', PastAlerts, { thresholds }],
] as const satisfies readonly (readonly [InvokeChannel, unknown, object])[])(
  '%s: what a busy store did not give is read again when asked',
  async (channel, component, props) => {
    let isBusy = true;
    const { user } = await renderInApp(
      // Each with its own props.
      component as unknown as Component<Record<string, unknown>>,
      props,
      {
        prepare: (fake) => {
          const invoke = fake.invoke.bind(fake);
          fake.invoke = async (asked, args) =>
            asked === channel && isBusy
              ? err({ code: 'storage', message: 'busy' })
              : await invoke(asked, args);
        },
      },
    );
    const again = await screen.findByRole('button', { name: 'Try again' });
    isBusy = false;
    await user.click(again);
    await expect.poll(() => screen.queryByText('Couldn’t save or read data')).toBeNull();
  },
);
