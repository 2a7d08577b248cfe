import { expect, it } from 'vitest';
import { unwrap } from '../../../../shared/errors.ts';
import { history } from '../testing/made-history.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const chainId = '43114';

it('a removal can be undone again where a full disk has refused it, and deleted where it is not', async () => {
  const { paging, stores, watchlist, rest } = buildWatchHarness();
  paging.transactions.push(...history(5));
  await watchlist.add(address);
  await rest();
  for (const again of ['put back', 'finished'] as const) {
    const removal = unwrap(await watchlist.remove(address, false));
    stores.failWrites(true);
    await expect(removal.putBack()).rejects.toThrow('the disk is full');
    stores.failWrites(false);
    if (again === 'put back') await removal.putBack();
    else await removal.finish();
    expect(stores.rowsOf(address, chainId)).toHaveLength(again === 'put back' ? 5 : 0);
    expect(watchlist.views()).toHaveLength(again === 'put back' ? 1 : 0);
  }
});
