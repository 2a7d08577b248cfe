import { screen, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { NodeStatus } from '../../../../../shared/health/types.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import { sampleIncidents } from '../../../testing/sample-past.ts';
import { fullWorld, sampleBlockchainId } from '../../../testing/sample-world.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import NodePanel from './NodePanel.svelte';

function status(id: string): NodeStatus {
  const found = sampleNodes(testNowMs).find(({ node }) => node.id === id);
  if (found === undefined) throw new Error('no such node');
  return found;
}

describe('NodePanel', () => {
  it('gives the state with its reason, and how old it is', async () => {
    await renderInApp(NodePanel, { status: status('n2') });
    const banner = screen.getByRole('region', { name: 'State of the node' });
    expect(banner.textContent).toContain('Unhealthy');
    expect(banner.textContent).toContain('2 of 8 checks fail');
    expect(banner.textContent).toContain('just now');
    // Read out when it changes, without the figures that change all the time.
    const live = within(banner).getAllByRole('status')[0]?.textContent;
    expect(live).toMatch(/Unhealthy.*2 of 8 checks fail/s);
    expect(live).not.toContain('ago');
  });

  it('counts the requests that the budget has held back, once there are any', async () => {
    const { rerender } = await renderInApp(NodePanel, { status: status('n2') });
    const banner = screen.getByRole('region', { name: 'State of the node' });
    expect(within(banner).queryByText('Delayed requests')).toBeNull();
    await rerender({ status: { ...status('n2'), heldBackCount: 1_234 } });
    expect(within(banner).getByText('Delayed requests').nextElementSibling?.textContent.trim()).toBe('1,234');
  });

  it.each([
    { id: 'n2', fails: 'something', first: 'Checks' },
    { id: 'n1', fails: 'nothing', first: 'Past check results' },
  ])('begins with $first when $fails fails', async ({ id, first }) => {
    await renderInApp(NodePanel, { status: status(id) });
    await screen.findByRole('heading', { name: 'Past check results' });
    const titles = screen.getAllByRole('heading').map((heading) => heading.textContent.trim());
    const parts = titles.filter((title) => /^(Checks|Past check results)/.test(title));
    expect(parts[0]).toMatch(new RegExp(`^${first}`));
  });

  it('shows its incidents once one of them is opened from elsewhere', async () => {
    const { navigation } = await renderInApp(NodePanel, { status: status('n2') });
    navigation.incident = sampleIncidents(testNowMs)[1] ?? null;
    expect((await screen.findByRole('dialog')).textContent).toContain('not connected to enough peers');
    expect(await screen.findByRole('table', { name: 'Incidents', hidden: true })).toBeTruthy();
  });

  it('opens its replay at the moment that an alert leads to', async () => {
    const { navigation } = await renderInApp(NodePanel, { status: status('n2') });
    navigation.goToReplay('n2', testNowMs - 60_000);
    expect(await screen.findByRole('radio', { name: 'Replay', checked: true })).toBeTruthy();
    expect(navigation.replay).toBeNull();
  });

  it('keeps its order while the keyboard is in it', async () => {
    const { rerender, user } = await renderInApp(NodePanel, { status: status('n2') });
    const titles = () =>
      screen
        .getAllByRole('heading')
        .map((heading) => heading.textContent.trim())
        .filter((title) => /^(Checks|Past check results)/.test(title))
        .map((title) => title.slice(0, 4));
    await user.click(screen.getByRole('searchbox', { name: 'Find a check' }));
    const { report } = status('n2');
    if (report === null) throw new Error('no report');
    const checks = report.checks.map((check) => ({ ...check, state: 'pass' as const }));
    await rerender({ status: { ...status('n2'), report: { ...report, checks } } });
    expect(titles()).toEqual(['Chec', 'Past']);
    await user.tab({ shift: true });
    await user.click(screen.getByRole('button', { name: 'Poll now' }));
    await expect.poll(titles).toEqual(['Past', 'Chec']);
  });

  it('lists every check with state, error, decoded message, time, duration and failures, the failing ones first', async () => {
    await renderInApp(NodePanel, { status: status('n2') });
    const table = screen.getByRole('table', { name: 'Checks' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows).toHaveLength(8);
    const first = rows[0]?.textContent ?? '';
    for (const part of [
      'C',
      'Failing',
      'block processing too long: 54m47.7s > 30s',
      '54 min 47.7 s',
      '51,199,870',
      'just now',
      'took 2 min 30.212 s',
      '109 failures',
      'since 13:10',
    ]) {
      expect(first).toContain(part);
    }
  });

  it.each([
    [42, '42'],
    [[1, { a: 'b' }], '[ 1, { "a": "b" } ]'],
    [[], '[]'],
    [{ depth: null }, '{ "depth": null }'],
  ])('opens a check whose value is %j as it came', async (message, raw) => {
    const shown = status('n1');
    const check = shown.report?.checks[0];
    if (shown.report === null || check === undefined) throw new Error('no report');
    const report = {
      healthy: true,
      notes: ['C: odd.'],
      checks: [{ ...check, state: 'unknown' as const, message }],
    };
    const { user } = await renderInApp(NodePanel, { status: { ...shown, report } });
    expect(screen.getByText('C: odd.')).toBeTruthy();
    const table = within(screen.getByRole('table', { name: 'Checks' }));
    const whole = table.queryByText('Full message');
    if (whole !== null) await user.click(whole);
    expect(table.getAllByRole('row')[1]?.textContent.replaceAll(/\s+/g, ' ')).toContain(raw);
  });

  it.each([
    [
      '{"checks":{"C":{"extra":1.50}},"healthy":true}',
      '{ "checks": { "C": { "extra": 1.50 } }, "healthy": true }',
    ],
    ['<h1>Bad gateway</h1>', '<h1>Bad gateway</h1>'],
  ])('opens the last answer as it came: %s', async (body, raw) => {
    const { bridge, user } = await renderInApp(NodePanel, { status: status('n1') });
    const answer = { atMs: testNowMs - 4_000, httpStatus: 502, body, length: body.length };
    bridge.answer('nodes.received', () => ({ ok: true, value: answer }));
    await user.click(screen.getByText('Last response, as received'));
    const shown = await screen.findByLabelText('The node’s response');
    expect(shown.textContent.replaceAll(/\s+/g, ' ')).toBe(raw);
    expect(screen.getByText(/Status 502/)).toBeTruthy();
  });

  it('calls a check by the name of its chain where a record of the chain tells it', async () => {
    const shown = status('n1');
    const check = shown.report?.checks[0];
    if (shown.report === null || check === undefined) throw new Error('no report');
    const report = { ...shown.report, checks: [{ ...check, name: sampleBlockchainId }] };
    const { user } = await renderInApp(NodePanel, { status: { ...shown, report } });
    const button = within(screen.getByRole('table', { name: 'Checks' })).getByRole('button', {
      name: 'DFK Chain',
    });
    await user.click(button);
    expect(
      screen.getByRole('heading', { name: `Failure history for DFK Chain · ${sampleBlockchainId}` }),
    ).toBeTruthy();
  });

  it('reads out the past of the node and of each check', async () => {
    const { user } = await renderInApp(NodePanel, { status: status('n2') });
    await user.click(screen.getByRole('radio', { name: '24 h' }));
    const strip = await screen.findByRole('slider', {
      name: 'Past check results for C-Chain · C, last 24 hours',
    });
    expect(strip.getAttribute('aria-valuetext')).toMatch(
      /^2026-09-16 14:00 – 14:15 · Failing, 4 of 30 runs failed: block/,
    );
    expect(screen.getAllByRole('slider')).toHaveLength(9);
  });

  it('shows the last hour of a node that was just added, says since when it is watched, and stays there', async () => {
    const known = status('n1');
    const sinceMs = testNowMs - 12 * 60_000;
    const fresh = { ...known, node: { ...known.node, addedAtMs: sinceMs } };
    const { bridge, setNow } = await renderInApp(NodePanel, { status: fresh });
    const strip = await screen.findByRole('slider', { name: 'Past check results for the node, last hour' });
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '1 h' }).checked).toBe(true);
    expect(screen.getByText('Watched since 2026-09-16 13:53; uptime is measured from then.')).toBeTruthy();
    expect(strip.getAttribute('aria-valuemax')).toBe('29');
    expect(bridge.argsOf('nodes.uptime')).toEqual([{ id: 'n1', fromMs: sinceMs, toMs: testNowMs }]);
    setNow(testNowMs + 2 * 3_600_000);
    await expect.poll(() => bridge.argsOf('nodes.strips')).toHaveLength(2);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '1 h' }).checked).toBe(true);
    expect(screen.queryByText(/Watched since/)).toBeNull();
  });

  it('asks for a longer past', async () => {
    const { bridge, user } = await renderInApp(NodePanel, { status: status('n1') });
    await user.click(screen.getByRole('radio', { name: '30 d' }));
    await screen.findByRole('slider', { name: 'Past check results for the node, last 30 days' });
    const asked = bridge.argsOf('nodes.strips').at(-1);
    expect(asked).toMatchObject({ id: 'n1', cellCount: 90 });
    expect((asked?.toMs ?? 0) - (asked?.fromMs ?? 0)).toBe(30 * 86_400_000);
  });

  it('lists the failures of a chosen check', async () => {
    const { bridge, user } = await renderInApp(NodePanel, { status: status('n2') });
    const table = await screen.findByRole('table', { name: 'Failure history' });
    expect(within(table).getAllByRole('row')).toHaveLength(4);
    await user.click(
      within(screen.getByRole('table', { name: 'Checks' })).getByRole('button', { name: 'Network' }),
    );
    await expect.poll(() => bridge.argsOf('nodes.episodes').at(-1)?.check).toBe('network');
    expect(await screen.findByRole('heading', { name: 'Failure history for Network' })).toBeTruthy();
  });

  it('keeps the last report of a node that is out of reach, with its age and the reason', async () => {
    const known = status('n4');
    const answer = { says: 'yes', words: 'It answers.', askedAtMs: testNowMs - 180_000 } as const;
    const { rerender } = await renderInApp(NodePanel, {
      status: { ...known, readiness: answer, liveness: answer },
    });
    const banner = screen.getByRole('region', { name: 'State of the node' });
    expect(banner.textContent).toContain('5 h ago');
    expect(banner.textContent).toContain('The node may be stopped');
    // Said once, and the tabs stand before it, where no state moves them.
    expect(screen.queryByText('Can’t reach the node')).toBeNull();
    expect(banner.previousElementSibling?.textContent).toContain('Incidents');
    expect(screen.getAllByText('connect ECONNREFUSED 192.168.1.77:9650')).toHaveLength(1);
    // Old answers are no news.
    expect(banner.textContent).toMatch(/Ready at last response\s*Yes\s*3 min.*Alive at last response\s*Yes/s);
    expect(banner.querySelectorAll('dl .text-pass')).toHaveLength(0);
    const reason = 'No answer: connect ECONNREFUSED 192.168.1.77:9650';
    await rerender({ status: { ...known, reason } });
    expect(screen.getAllByText(/ECONNREFUSED/)).toHaveLength(1);
    expect(within(screen.getByRole('table', { name: 'Checks' })).getAllByRole('row')).toHaveLength(9);
  });

  it('tells that a check has not run yet, which is no failure', async () => {
    await renderInApp(NodePanel, { status: status('n3') });
    const row = screen.getByRole('row', { name: /Router/ });
    expect(row.textContent).toContain('Not run yet');
    expect(row.textContent).toContain('unknown');
  });

  it('warns when another node answers at the address', async () => {
    const changed = { ...status('n1'), previousNodeId: 'NodeID-before' };
    await renderInApp(NodePanel, { status: changed });
    expect(screen.getByText('A different node now responds at this address')).toBeTruthy();
  });

  it('says of the two smaller questions that they were not asked yet', async () => {
    await renderInApp(NodePanel, { status: { ...status('n1'), readiness: null, liveness: null } });
    const banner = screen.getByRole('region', { name: 'State of the node' });
    expect(banner.textContent).toMatch(/Ready\s*not checked yet.*Alive\s*not checked yet/s);
  });

  it('polls on demand', async () => {
    const { bridge, user } = await renderInApp(NodePanel, { status: status('n1') });
    await user.click(screen.getByRole('button', { name: 'Poll now' }));
    expect(bridge.argsOf('nodes.poll')).toEqual([{ id: 'n1' }]);
  });

  it('names the watched nodes whose ids a check tells of, and leads to them', async () => {
    const [mine, ...others] = sampleNodes(testNowMs);
    const stranger = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ';
    const gone = others.map((other, index) => ({
      ...other,
      state: 'unreachable' as const,
      nodeId: `NodeID-2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36C${index + 1}`,
    }));
    const [first, second] = gone;
    if (mine?.report == null || first?.nodeId == null || second?.nodeId == null) throw new Error('no sample');
    const check = mine.report.checks[0];
    if (check === undefined) throw new Error('no check');
    const failing = (name: string, ...ids: string[]) => ({
      ...check,
      name,
      state: 'fail' as const,
      error: `lost ${first.nodeId}`,
      message: { disconnectedValidators: ids },
    });
    const checks = [failing('C', first.nodeId, second.nodeId), failing('P', first.nodeId, stranger)];
    const failed: NodeStatus = { ...mine, state: 'unhealthy', report: { ...mine.report, checks } };
    const world = fullWorld(testNowMs);
    world.snapshot.nodes = [failed, ...gone];
    const { user, navigation } = await renderInApp(NodePanel, { status: failed }, { world });
    const [, c, p] = within(screen.getByRole('table', { name: 'Checks' })).getAllByRole('row');
    expect(c?.textContent).toContain(`lost ${first.node.name}, unreachable`);
    expect(c?.textContent).toContain(`${first.node.name}, ${second.node.name}, both unreachable`);
    expect(p?.textContent).toContain(`${first.node.name}, ${stranger}`);
    expect(p?.textContent).not.toContain(`${stranger},`);
    const link = within(c ?? document.body).getByRole('button', { name: second.node.name });
    expect(link.getAttribute('aria-description')).toContain(second.nodeId);
    await user.click(link);
    expect(navigation.nodeId).toBe(second.node.id);
  });

  it('tells what the last report changed, and what its numbers head for', async () => {
    await renderInApp(NodePanel, { status: status('n1') });
    const row = within(screen.getByRole('table', { name: 'Checks' })).getByRole('row', { name: /^Network/ });
    await expect.poll(() => row.textContent).toContain('connected peers 48 → 3');
    expect(row.textContent).toContain('global');
    const forecasts = await screen.findByRole('list', { name: 'Forecasts' });
    expect(forecasts.textContent).toMatch(/threshold of 10%\s+in about 9 days \(6 to 14\)/);
    expect(screen.getByText(/A “Free disk” alert, if on, comes 7 days before the threshold/)).toBeTruthy();
  });

  it('prints uptime beside each strip, with the share that is not known', async () => {
    await renderInApp(NodePanel, { status: status('n1') });
    expect(await screen.findAllByText(/ up$/)).toHaveLength(9);
    expect(screen.getByText('99.981% up').nextElementSibling?.textContent).toBe('0.4% unknown');
  });

  it('opens the replay at the moment of a cell', async () => {
    const { user } = await renderInApp(NodePanel, { status: status('n1') });
    await user.click(screen.getByRole('radio', { name: '24 h' }));
    const strip = await screen.findByRole('slider', {
      name: 'Past check results for the node, last 24 hours',
    });
    strip.focus();
    await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{Enter}');
    const slider = await screen.findByRole('slider', { name: 'Replay position' });
    // The last change before the cell of 13:15.
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^2026-09-16 1[23]:/);
  });

  it('judges the subnets of the user beside all checks, and calls out one that is probably mistyped', async () => {
    await renderInApp(NodePanel, {
      status: {
        ...status('n2'),
        tagView: {
          selectedHealthy: true,
          unmatchedTags: ['subnet-b'],
          words: 'the node is healthy for your subnets; 2 other checks fail: C-Chain and Disk space',
        },
        tagChecks: [
          { tag: 'subnet-a', checks: ['X'] },
          { tag: 'subnet-b', checks: [] },
        ],
      },
    });
    expect(
      screen.getByText('The node is healthy for your subnets; 2 other checks fail: C-Chain and Disk space.'),
    ).toBeTruthy();
    await userEvent.click(screen.getByText('Checks for each subnet'));
    const map = await screen.findByRole('table', { name: 'Checks for each subnet' });
    expect(within(map).getByRole('row', { name: /subnet-b/ }).textContent).toContain('probably mistyped');
  });

  it('warns of slow checks, and tells a node that stands still', async () => {
    await renderInApp(NodePanel, {
      status: {
        ...status('n1'),
        state: 'stalled',
        reason: 'No check has run for 4 periods.',
        slowChecks: [{ check: 'C', nowMs: 5_200, usualMs: 310 }],
      },
    });
    expect(screen.getByText('C-Chain took 5.2 s, usually 0.3 s')).toBeTruthy();
    expect(screen.getByRole('region', { name: 'State of the node' }).textContent).toContain(
      'Not running its checks',
    );
  });

  it('shows a paused node as paused', async () => {
    const paused = status('n1');
    await renderInApp(NodePanel, { status: { ...paused, node: { ...paused.node, paused: true } } });
    expect(screen.getByRole('region', { name: 'State of the node' }).textContent).toContain('Paused');
  });

  it('shows some of 5,000 checks with the number of all, finds one, and shows markup and control characters as text', async () => {
    const known = status('n1');
    const [like] = known.report?.checks ?? [];
    if (like === undefined) throw new Error('the sample has checks');
    const checks = Array.from({ length: 5_000 }, (_, index) => ({ ...like, name: `check-${index}` }));
    checks[4_999] = { ...like, name: '<img src=x onerror=alert(1)>\u0000', error: 'e'.repeat(1_000_000) };
    const { user } = await renderInApp(NodePanel, {
      status: { ...known, report: { healthy: true, checks, notes: [] } },
    });
    const table = screen.getByRole('table', { name: 'Checks' });
    expect(within(table).getAllByRole('row')).toHaveLength(101);
    expect(screen.getByText('100 of 5,000')).toBeTruthy();
    await user.type(screen.getByLabelText('Find a check'), '<img');
    const row = (await within(screen.getByRole('table', { name: 'Checks' })).findAllByRole('row'))[1];
    expect(row?.textContent).toContain('<img src=x onerror=alert(1)>\uFFFD');
    expect(row?.querySelector('img')).toBeNull();
    expect(row?.textContent.length).toBeLessThan(2_000);
    expect(row?.textContent).toContain('1,000,000 characters');
  });

  it('says of a node that starts that it is alive and not ready', async () => {
    const known = status('n1');
    const readiness = { says: 'no', words: 'Bootstrapping.', askedAtMs: testNowMs } as const;
    const liveness = { says: 'yes', words: 'It answers.', askedAtMs: testNowMs } as const;
    await renderInApp(NodePanel, { status: { ...known, readiness, liveness } });
    const banner = screen.getByRole('region', { name: 'State of the node' });
    expect(banner.textContent).toMatch(/Ready\s*No\b.*Alive\s*Yes\b/s);
  });

  it('sorts the checks by a column, by keyboard too', async () => {
    const { user } = await renderInApp(NodePanel, { status: status('n2') });
    const table = screen.getByRole('table', { name: 'Checks' });
    within(table).getByRole('button', { name: 'Check' }).focus();
    await user.keyboard('{Enter}');
    expect(within(table).getByRole('columnheader', { name: 'Check' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await user.click(screen.getByRole('checkbox', { name: 'Hide passing checks' }));
    expect(within(table).getAllByRole('row')).toHaveLength(3);
  });
});
