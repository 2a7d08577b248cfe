import { screen } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { expect, it } from 'vitest';
import { ok } from '../../../shared/errors.ts';
import AlertsSection from '../features/settings/AlertsSection.svelte';
import MessageStack from '../features/shell/MessageStack.svelte';
import type { FakeBridge } from '../testing/fake-bridge.ts';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { sampleAlerts } from '../testing/sample-alerts.ts';
import { fullWorld } from '../testing/sample-world.ts';
import AlertsView from './AlertsView.svelte';

const long = 'w'.repeat(300);

function prepare(bridge: FakeBridge) {
  const past = { title: `Node ${long} fails`, atMs: testNowMs, incident: { nodeId: 'n2', id: 'i2' } };
  bridge.answer('alerts.tryPast', () => ok({ count: 1, newest: [past] }));
  const { alerts, messages } = sampleAlerts(testNowMs);
  bridge.answer('alerts.list', () =>
    ok({
      messages,
      alerts: alerts.map((alert) => ({
        ...alert,
        members: [...alert.members, ...alert.members].map((member, index) => ({
          ...member,
          nodeId: `${index}`,
          words: `Node ${long} fails`,
        })),
      })),
    }),
  );
}

function world() {
  const full = fullWorld(testNowMs);
  const { watchlist } = full.snapshot;
  full.snapshot.watchlist = watchlist.map((entry) => ({ ...entry, label: long }));
  return full;
}

const shows: readonly (readonly [string, Component<Record<string, never>>])[] = [
  ['an alert', AlertsView],
  ['an alert of the past, and a label', AlertsSection],
  ['a message', MessageStack],
];

it.each(shows)('a long word in %s goes on in the next line, and covers nothing', async (_what, shown) => {
  const { messages } = await renderInApp(shown, {}, { world: world(), prepare });
  messages.done(`The recording of ${long} is open.`);
  const found = () => screen.queryAllByText(new RegExp(long), { selector: ':not(th, td)' });
  await expect.poll(() => found().length + (shown === MessageStack ? 1 : 0)).toBeGreaterThan(1);
  for (const part of found()) expect(part.closest('.break, .truncate')).not.toBeNull();
});
