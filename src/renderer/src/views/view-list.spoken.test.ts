import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { everything } from '../../../shared/activity/filter.ts';
import type { RunSummary } from '../../../shared/explore/types.ts';
import CountLine from '../features/activity/status/CountLine.svelte';
import ResultBar from '../features/explore/result/ResultBar.svelte';
import { ActivityList } from '../state/activity-list.ts';
import { renderInApp, testNowMs } from '../testing/render.ts';
import { fullWorld, sampleAddresses } from '../testing/sample-world.ts';
import Dialogs from './Dialogs.svelte';

/** What is read out by itself when it changes. */
const spoken = () =>
  [...document.querySelectorAll('[role="status"], [role="alert"], [aria-live="polite"]')]
    .map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');

const minuteMs = 60_000;

describe('what is read out by itself', () => {
  it('is the count after a change of the filter, and not each row or minute', async () => {
    const list = new ActivityList();
    list.show();
    const props = { list };
    const { bridge, app, navigation, setNow } = await renderInApp(CountLine, props);
    await list.setFilter(everything);
    const [count] = spoken();
    expect(count).toBe(screen.getByRole('group', { name: 'Matching transactions' }).textContent.trim());
    const progress = () => screen.getByRole('group', { name: 'Progress' }).textContent;
    const before = [spoken(), progress()] as const;
    if (list.answer !== null) list.answer = { ...list.answer, totalCount: list.totalCount + 50 };
    bridge.emit('completion.changed', { ...app.completion, waitingCount: 9, doneCount: 4 });
    setNow(testNowMs + 5 * minuteMs);
    await expect.poll(() => screen.queryByText(/Fetching details: 4 of 13/)).not.toBeNull();
    expect(spoken()).toEqual(before[0]);

    navigation.filter = { ...everything, showHidden: true };
    await list.setFilter(navigation.filter);
    await expect.poll(() => spoken()[0]).toBe('850 transactions');
    expect(count).not.toBe('850 transactions');
  });

  it('of a query is its state, and its size once it has ended', async () => {
    const run: RunSummary = {
      id: 'r',
      target: { kind: 'endpoint', endpointId: 'address-chains', params: { address: sampleAddresses.hot } },
      baseUrl: 'http://127.0.0.1:7650',
      state: 'running',
      startedAtMs: testNowMs,
      headerNames: null,
      fetched: { fromMs: testNowMs, toMs: testNowMs },
      pageCount: 1,
      rowCount: 10,
      byteLength: 100,
      hasMore: true,
      error: null,
    };
    const { rerender, setNow } = await renderInApp(ResultBar, { run });
    expect(spoken()).toEqual(['Fetching…']);
    await rerender({ run: { ...run, pageCount: 2, rowCount: 20 } });
    setNow(testNowMs + 5 * minuteMs);
    await expect.poll(() => screen.queryByText('5 min ago')).not.toBeNull();
    expect(spoken()).toEqual(['Fetching…']);
    await rerender({ run: { ...run, state: 'complete', pageCount: 2, rowCount: 20, hasMore: false } });
    expect(spoken()).toEqual(['Complete, 20 rows on 2 pages']);
  });

  it('of a list that was looked up is its length, and not its age', async () => {
    const { bridge, navigation, setNow } = await renderInApp(
      Dialogs,
      { views: [] },
      { world: fullWorld(testNowMs) },
    );
    bridge.answer('endpoint.query', () => ({
      ok: true,
      value: {
        data: { transactions: [] },
        fetchedAtMs: testNowMs,
        source: 'network',
        stale: false,
        notes: [],
        rawText: '{}',
      },
    }));
    navigation.lookUp({ kind: 'block', chainId: '43114', blockId: '1' });
    await screen.findByText(/just now/);
    const before = spoken();
    expect(before).toContain('none');
    setNow(testNowMs + 5 * minuteMs);
    await expect.poll(() => screen.queryByText(/5 min ago/)).not.toBeNull();
    expect(spoken()).toEqual(before);
  });
});
