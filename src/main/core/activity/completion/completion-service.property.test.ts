import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, refuse, respond, type PagingServiceOptions } from '../testing/paging-service.ts';
import { createTestStores, watchedAddress } from '../testing/test-stores.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const chainId = '43114';
const everything = { pills: [], text: '', showHidden: true };

describe('any parts, any answers', () => {
  const value = fc.nat(2);
  const shownIn = fc.record({ value, odd: fc.boolean(), fails: fc.boolean() });

  it('a completed row either has all that the list showed, or a note and the version before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(shownIn, { minLength: 1, maxLength: 5 }), fc.nat(3), async (made, killAt) => {
        const stores = createTestStores();
        void stores.watchlist.put(watchedAddress(address));
        const transfer = (amount: number) => ({
          logIndex: 1,
          value: String(amount),
          erc20Token: { address: other },
        });
        let asked = 0;
        const options: PagingServiceOptions = {
          mangle: (body) => ({
            ...body,
            transactions: body.transactions.map((element, i) => ({
              ...(element as object),
              erc20Transfers: [transfer(made[made.length - 1 - i]?.value ?? 0)],
            })),
          }),
          fault: (request) => {
            if (!/\/transactions\/0x/.test(request.url)) return null;
            asked += 1;
            const place = made.findIndex((_one, i) => request.url.endsWith(hashOf({ block: i, index: 0 })));
            const one = made[place];
            if (one === undefined || (one.fails && asked <= killAt)) return refuse(500, 'broken');
            return respond({
              nativeTransaction: {
                txHash: hashOf({ block: place, index: 0 }),
                blockNumber: String(place),
                blockTimestamp: 1_600_000_000 + place,
                value: '1',
              },
              erc20Transfers: [
                transfer(9),
                { ...transfer(one.value), value: String(one.value + (one.odd ? 5 : 0)) },
              ],
            });
          },
        };
        const harness = buildWatchHarness(options, stores);
        made.forEach((_one, block) => harness.paging.transactions.push({ block, index: 0 }));
        harness.sync.start({ address, chainId, list: 'transactions' }, 'user');
        await harness.rest();
        await harness.completion.completeAll(everything, true);
        await harness.rest();
        await harness.completion.stop();
        // The next start of the app.
        const again = buildWatchHarness(options, stores, harness.time);
        await again.completion.load();
        for (let turn = 0; turn < 4; turn += 1) {
          await again.completion.completeAll(everything, true);
          await again.rest();
          await again.time.advance(600_000);
          await again.rest();
        }
        expect(await stores.activity.countPartial()).toBe(0);
        const { rows } = await stores.activity.readRows({
          filter: everything,
          offset: 0,
          anchor: null,
          limit: 100,
        });
        for (const row of rows) {
          const one = made[Number(row.blockNumber)];
          expect(row.marks.integrityNote === null).toBe(one?.odd === false);
          expect(row.marks.versionCount).toBe(one?.odd === true ? 1 : 0);
        }
      }),
      { numRuns: 40 },
    );
  });
});
