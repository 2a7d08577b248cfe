import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { renderInApp, testNowMs } from '../../testing/render.ts';
import { emptyWorld, fullWorld } from '../../testing/sample-world.ts';
import PrivacySection from './PrivacySection.svelte';

const table = () => screen.getByRole('table', { name: 'What leaves this computer' });
const row = (name: RegExp) => within(table()).getByRole('row', { name }).textContent;
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

describe('PrivacySection', () => {
  it('says for each kind of request its hosts, purpose, what it reveals, count and last time', async () => {
    await renderInApp(PrivacySection, {});
    expect(row(/Chain data/)).toMatch(/The history of your addresses.*Reveals your addresses/);
    expect(row(/127\.0\.0\.1:7650/)).toMatch(/1,204.*14:05/);
    expect(row(/127\.0\.0\.1:7651/)).toMatch(/0.*—/);
    expect(row(/10\.0\.4\.11:9650/)).toMatch(/Frankfurt 1.*86/);
    expect(row(/Other hosts/)).toContain('No requests refused.');
  });

  it('names every kind before anything was asked', async () => {
    await renderInApp(PrivacySection, {}, { world: emptyWorld(testNowMs) });
    expect(
      within(table())
        .getAllByRole('checkbox')
        .map((one) => one.getAttribute('aria-label')),
    ).toEqual([
      'Allow: Chain data',
      'Allow: Chain metrics',
      'Allow: Nodes you test',
      'Allow: Network check',
      'Allow: Links opened in the browser',
    ]);
  });

  it('switches a kind off and on, and leaves the others alone', async () => {
    const world = fullWorld(testNowMs);
    world.snapshot.settings = { ...world.snapshot.settings, requestsOff: ['links'] };
    const { bridge, user } = await renderInApp(PrivacySection, {}, { world });
    expect(box('Allow: Links opened in the browser').checked).toBe(false);
    await user.click(box('Allow: Chain data'));
    expect(box('Allow: Chain data').checked).toBe(false);
    await user.click(box('Allow: Links opened in the browser'));
    expect(bridge.argsOf('settings.update')).toEqual([
      { requestsOff: ['links', 'data'] },
      { requestsOff: ['data'] },
    ]);
  });

  it('leaves updates to their setting, whose “Automatic” a switch would forget', async () => {
    const world = fullWorld(testNowMs);
    world.snapshot.settings = { ...world.snapshot.settings, updates: 'automatic' };
    await renderInApp(PrivacySection, {}, { world });
    expect(within(table()).getByRole('row', { name: /App updates/ }).textContent).toContain(
      'See the Updates section above.',
    );
    expect(screen.queryByRole('checkbox', { name: /Updates/ })).toBeNull();
  });

  it('pauses a node, whose extra headers stay as they are', async () => {
    const { app, bridge, user } = await renderInApp(PrivacySection, {});
    const node = app.nodes.find(({ node: { headerNames } }) => headerNames.length > 0)?.node;
    if (node === undefined) throw new Error('no sample node has headers');
    await user.click(box(`Poll automatically: ${node.name}`));
    const { id, name, url, intervalMs, tags } = node;
    const headers = [{ name: 'authorization', value: null }];
    expect(bridge.argsOf('nodes.update')).toEqual([
      { id, name, url, intervalMs, tags, headers, certificate: null, paused: true },
    ]);
  });

  it('follows what leaves, and tells what was refused', async () => {
    const { app, bridge } = await renderInApp(PrivacySection, {});
    const others = [{ origin: 'https://evil.example', count: 3, lastAtMs: testNowMs }];
    bridge.emit('outbound.changed', { ...app.outbound, others });
    await expect.poll(() => row(/Other hosts/)).toContain('3 requests refused.');
    expect(row(/evil\.example/)).toMatch(/3.*refused/);
  });
});
