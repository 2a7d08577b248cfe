import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../../shared/errors.ts';
import type { NodeProbe, ProbeAnswer } from '../../../../shared/health/types.ts';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import Welcome from './Welcome.svelte';

const local = { id: null, url: 'http://127.0.0.1:9650', headers: [], certificate: null };
const answer = (says: ProbeAnswer['says']): ProbeAnswer => ({ says, words: '', askedAtMs: testNowMs });
const none = answer('no-answer');
const silent: NodeProbe = {
  get: none,
  rpc: none,
  readiness: none,
  liveness: none,
  nodeId: null,
  advice: [],
  checks: [],
  certificate: null,
};

describe('a node on this computer', () => {
  const lookFor = async (found: NodeProbe) => {
    const shown = await renderInApp(
      Welcome,
      {},
      { prepare: (fake) => fake.answer('nodes.probe', () => ok(found)) },
    );
    expect(shown.bridge.argsOf('nodes.probe')).toEqual([]);
    await shown.user.click(screen.getByRole('button', { name: 'Search this computer' }));
    await expect.poll(() => shown.bridge.argsOf('nodes.probe')).toEqual([local]);
    return shown;
  };

  it('that is found after something else was opened is told, and takes nothing away', async () => {
    const held = Promise.withResolvers<null>();
    const { messages, navigation, user } = await renderInApp(
      Welcome,
      {},
      {
        prepare: (fake) =>
          fake.answer('nodes.probe', async () => {
            await held.promise;
            return ok({ ...silent, rpc: answer('yes') });
          }),
      },
    );
    await user.click(screen.getByRole('button', { name: 'Search this computer' }));
    await user.click(screen.getByRole('button', { name: 'Watch an address' }));
    held.resolve(null);
    await expect.poll(() => messages.list).toMatchObject([{ text: /^A node is running on this computer/ }]);
    expect(navigation.dialog).toEqual({ kind: 'add-address' });
  });

  it('is looked for when it is asked for, and offered, not added', async () => {
    const { bridge, navigation } = await lookFor({ ...silent, rpc: answer('yes') });
    await expect.poll(() => navigation.dialog).toEqual({ kind: 'add-node', url: local.url });
    expect(bridge.argsOf('nodes.add')).toEqual([]);
  });

  it('that is not there is said', async () => {
    const { navigation, messages } = await lookFor(silent);
    await expect
      .poll(() => messages.list)
      .toMatchObject([{ kind: 'done', text: expect.stringContaining('No node responded on this computer') }]);
    expect(navigation.dialog).toBeNull();
  });
});

describe('sample data', () => {
  it('opens in a window of its own when it is asked for', async () => {
    const { bridge, messages, user } = await renderInApp(Welcome, {});
    await user.click(screen.getByRole('button', { name: 'Open sample data' }));
    expect(bridge.argsOf('app.openSample')).toEqual([undefined]);
    await expect
      .poll(() => messages.list)
      .toMatchObject([{ kind: 'done', text: 'Sample data opens in a separate window.' }]);
  });

  it('is not offered where everything is sample data', async () => {
    await renderInApp(Welcome, {}, { prepare: (fake) => fake.answer('app.isSample', () => ok(true)) });
    expect(screen.queryByRole('button', { name: 'Open sample data' })).toBeNull();
  });
});
