import { describe, expect, it } from 'vitest';
import type { MadeTransaction } from '../testing/paging-service.ts';
import { buildSyncHarness as build } from '../testing/sync-harness.ts';

/** `count` transactions, one in each block. */
function history(count: number): MadeTransaction[] {
  return Array.from({ length: count }, (_nothing, i) => ({ block: 999 - i, index: 0 }));
}

describe('the walk through a history', () => {
  /** Follows a history of 350 while the store holds its first write back. */
  async function heldUp() {
    const harness = build();
    harness.paging.transactions.push(...history(350));
    const savePage = harness.stores.activity.savePage.bind(harness.stores.activity);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    harness.stores.activity.savePage = async (...page) => {
      await held;
      return await savePage(...page);
    };
    const running = harness.run();
    for (let turn = 0; turn < 500; turn += 1) await Promise.resolve();
    return { ...harness, running, letGo };
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
