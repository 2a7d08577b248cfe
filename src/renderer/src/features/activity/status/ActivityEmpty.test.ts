import { screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { everything, type FilterPill } from '../../../../../shared/activity/filter.ts';
import { renderInApp, testNowMs } from '../../../testing/render.ts';
import { sampleAddresses } from '../../../testing/sample-world.ts';
import ActivityEmpty from './ActivityEmpty.svelte';
import type { EmptyReason } from './empty-reason.ts';

const histories = [{ address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', chainId: '43114' }];
const error = { code: 'upstream', message: 'Bad Gateway', status: 502 } as const;
const limited = { code: 'rate-limited', message: 'wait', retryAtMs: testNowMs + 65_000 } as const;

const titles: readonly (readonly [EmptyReason, string])[] = [
  [{ kind: 'no-address' }, 'No addresses yet'],
  [{ kind: 'chains-unknown', address: '0x', error }, 'The chains of this address aren’t known yet'],
  [{ kind: 'not-indexed', chainIds: ['xyz'] }, 'This chain isn’t indexed'],
  [{ kind: 'not-indexed', chainIds: ['xyz', 'uvw'] }, 'These chains aren’t indexed'],
  [{ kind: 'not-fetched', histories }, 'History not fetched yet'],
  [{ kind: 'failed', error, histories }, 'Couldn’t fetch the history'],
  [{ kind: 'rate-limited', error: limited, histories }, 'The service’s rate limit has been reached'],
  [{ kind: 'offline', histories }, 'No connection to the service, and nothing is stored yet'],
  [{ kind: 'all-hidden', hiddenCount: 3 }, 'All rows are hidden'],
  [{ kind: 'filtered-out', stored: 3 }, 'No transactions match'],
  [{ kind: 'no-transactions', hasChains: true }, 'No transactions'],
];

describe('ActivityEmpty', () => {
  it.each(titles)('says of $kind: %s', async (reason, title) => {
    await renderInApp(ActivityEmpty, { reason, filter: everything });
    expect(screen.getByRole('heading', { name: title })).toBeTruthy();
  });

  it('shows movement while the first rows are on their way', async () => {
    await renderInApp(ActivityEmpty, { reason: { kind: 'fetching' }, filter: everything });
    expect(screen.getByRole('status').textContent).toContain('Fetching the newest transactions');
  });

  it('counts down how long the service asked to wait, and offers no way around it', async () => {
    const reason = () => ({ kind: 'rate-limited' as const, error: { ...limited }, histories });
    const { setNow, rerender } = await renderInApp(ActivityEmpty, {
      reason: reason(),
      filter: everything,
    });
    expect(screen.getByText('1:05 min')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
    setNow(testNowMs + 60_000);
    // Every event has the error again, which does not begin the wait anew.
    await rerender({ reason: reason(), filter: everything });
    await expect.poll(() => screen.queryByText('5 s')).toBeTruthy();
    setNow(testNowMs + 65_000);
    await expect.poll(() => screen.queryByRole('button', { name: 'Try again now' })).toBeTruthy();
  });

  it.each(['failed', 'chains-unknown'] as const)(
    'says of %s when it is tried again by itself',
    async (kind) => {
      const planned = { ...error, retryAtMs: testNowMs + 4_000 };
      const { setNow } = await renderInApp(ActivityEmpty, {
        reason: { kind, error: planned, histories, address: histories[0]?.address ?? '' },
        filter: everything,
      });
      expect(screen.getByText('4 s').parentElement?.textContent).toBe('Retrying in 4 s');
      setNow(testNowMs + 4_000);
      await expect.poll(() => screen.queryByText(/Retrying in/)).toBeNull();
    },
  );

  it('fetches what was not fetched', async () => {
    const { bridge, user } = await renderInApp(ActivityEmpty, {
      reason: { kind: 'not-fetched', histories },
      filter: everything,
    });
    await user.click(screen.getByRole('button', { name: 'Fetch history' }));
    expect(bridge.argsOf('activity.sync')).toEqual([{ scope: histories[0], what: 'newer' }]);
  });

  it.each([
    [sampleAddresses.hot, 'Hot wallet', true],
    ['0x0000000000000000000000000000000000000001', '0x000000…0001', false],
  ])('says which address it is of whose chains nothing is known: %s', async (address, name, isPrivate) => {
    await renderInApp(ActivityEmpty, {
      reason: { kind: 'chains-unknown', address, error },
      filter: everything,
    });
    expect(screen.getByText(name).classList.contains('private')).toBe(isPrivate);
  });

  it('keeps a failure apart from an empty history, with what the service said', async () => {
    await renderInApp(ActivityEmpty, { reason: { kind: 'failed', error, histories }, filter: everything });
    expect(screen.getByText(/We can’t tell yet whether there are transactions/)).toBeTruthy();
    expect(screen.getByText('Bad Gateway')).toBeTruthy();
  });

  it('shows what is hidden at the press of a button', async () => {
    const { navigation, user } = await renderInApp(ActivityEmpty, {
      reason: { kind: 'all-hidden', hiddenCount: 3 },
      filter: everything,
    });
    await user.click(screen.getByRole('button', { name: 'Show hidden rows' }));
    expect(navigation.filter.showHidden).toBe(true);
  });

  it('names the condition that lets nothing through alone, and takes it away', async () => {
    const reason: EmptyReason = { kind: 'filtered-out', stored: 3 };
    const pills: FilterPill[] = [
      { field: 'chain', not: false, values: ['43114'] },
      { field: 'status', not: false, values: ['unknown'] },
    ];
    const filter = { ...everything, pills };
    const { navigation, user } = await renderInApp(ActivityEmpty, { reason, filter });
    await user.click(await screen.findByRole('button', { name: 'Remove “Status is Unknown”' }));
    expect(navigation.filter.pills.map(({ field }) => field)).toEqual(['chain']);
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }));
    expect(navigation.filter.pills).toEqual([]);
  });
});
