import type { CompletionStatus } from '../../../../shared/activity/types.ts';
import type { HttpOutcome, HttpRequest } from '../../ports.ts';
import type { PagingServiceOptions } from './paging-service.ts';
import { watchedAddress } from './test-stores.ts';
import { buildWatchHarness } from './watch-harness.ts';

export const address = '0x52908400098527886E0F7030069857D2E4169EE7';
export const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
export const chainId = '43114';
export const everything = { pills: [], text: '', showHidden: true };

const isDetail = (request: HttpRequest) => /\/transactions\/0x/.test(request.url);
export const hashAsked = (request: HttpRequest) => request.url.split('/').at(-1);

/** Partial rows in blocks 1000, 1001, …; an outcome of `fault` replaces the answer of endpoint 11. */
export async function buildCompletionHarness(
  count: number,
  fault: (request: HttpRequest, number: number) => HttpOutcome | null = () => null,
  options: PagingServiceOptions = {},
) {
  let details = 0;
  const harness = buildWatchHarness({
    ...options,
    fault: (request) => {
      if (!isDetail(request)) return null;
      details += 1;
      return fault(request, details);
    },
  });
  for (const watched of [address, other]) void harness.stores.watchlist.put(watchedAddress(watched));
  for (let i = 0; i < count; i += 1) harness.paging.transactions.push({ block: 1_000 + i, index: 0 });
  harness.sync.start({ address, chainId, list: 'transactions' }, 'user');
  await harness.rest();
  harness.paging.requests.length = 0;
  await harness.completion.load();
  const statuses: CompletionStatus[] = [];
  harness.events.on('completion.changed', (status) => statuses.push(status));
  const rowIds = async () => {
    const { rows } = await harness.stores.activity.readRows({
      filter: everything,
      offset: 0,
      anchor: null,
      limit: 500,
    });
    return rows.map(({ id }) => id);
  };
  const partial = () => harness.stores.activity.countPartial();
  /** Runs everything that is not waiting for a retry. */
  const work = async () => {
    await harness.rest();
    await harness.time.advance(1_000);
    await harness.rest();
  };
  return { ...harness, statuses, rowIds, partial, work };
}
