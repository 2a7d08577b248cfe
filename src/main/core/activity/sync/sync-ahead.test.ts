import { describe, expect, it } from 'vitest';
import type { MadeTransaction } from '../testing/paging-service.ts';
import { buildSyncHouse as build } from '../testing/sync-house.ts';

/** `count` transactions, one in each block. */
function history(count: number): MadeTransaction[] {
  return Array.from({ length: count }, (_nothing, i) => ({ block: 999 - i, index: 0 }));
}

describe('the walk through a history', () => {
  /** Follows a history of 350 while the store holds its first write back. */
  async function heldUp() {
    const house = build();
    house.paging.transactions.push(...history(350));
    const savePage = house.stores.activity.savePage.bind(house.stores.activity);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    house.stores.activity.savePage = async (...page) => {
      await held;
      return await savePage(...page);
    };
    const running = house.run();
    for (let turn = 0; turn < 500; turn += 1) await Promise.resolve();
    return { ...house, running, letGo };
  }

  it('does not wait for the store', async () => {
    const { paging, running, letGo, sync } = await heldUp();
    expect(paging.requests).toHaveLength(4);
    expect((await sync())?.rowCount ?? 0).toBe(0);
    letGo();
    expect(await running).toMatchObject({ ok: true });
    expect(await sync()).toMatchObject({ rowCount: 350, reachedStart: true });
  });
});
