import { screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { CheckReport, NodeStatus } from '../../../../../shared/health/types.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import NodePanel from '../panel/NodePanel.svelte';

it('forecasts are shown only while every check passes and the node answers', async () => {
  const status = sampleNodes(testNowMs).find(({ node }) => node.id === 'n1');
  if (status?.report == null) throw new Error('the sample has a report');
  const { report } = status;
  const { rerender } = await renderInApp(NodePanel, { status });
  const shown = () => screen.queryByRole('list', { name: 'Forecasts' }) !== null;
  await expect.poll(shown).toBe(true);
  const checks = report.checks.map((check, at): CheckReport =>
    at === 0 ? { ...check, state: 'fail' } : check,
  );
  const changes: Partial<NodeStatus>[] = [
    { state: 'unhealthy', report: { ...report, checks } },
    { state: 'unreachable' },
    { node: { ...status.node, paused: true } },
  ];
  for (const change of changes) {
    await rerender({ status: { ...status, ...change } });
    expect(shown()).toBe(false);
    await rerender({ status });
    await expect.poll(shown).toBe(true);
  }
});
