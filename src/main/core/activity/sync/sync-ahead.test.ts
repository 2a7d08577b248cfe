import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../ports.ts';
import type { MadeTransaction } from '../testing/paging-service.ts';
import { buildSyncHouse as build } from '../testing/sync-house.ts';

/** `count` transactions, one in each block. */
function history(count: number): MadeTransaction[] {
  return Array.from({ length: count }, (_nothing, i) => ({ block: 999 - i, index: 0 }));
}

function tokenOf(request: HttpRequest): string | null {
  return new URL(request.url).searchParams.get('pageToken');
}

describe('the page that is asked for ahead', () => {
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

  it('is of no account when the page before it cannot be read', async () => {
    const broken = { isOn: true };
    const { paging, run, sync } = build({
      mangle: (body, request) =>
        broken.isOn && tokenOf(request) === 'token-1'
          ? `{"nextPageToken":"${body.nextPageToken ?? ''}","transactions":[`
          : body,
    });
    paging.transactions.push(...history(350));
    expect(await run()).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    // The third was asked for ahead, by the token of a page that then turned out to be none.
    expect(paging.requests.length).toBeLessThanOrEqual(3);
    expect(await sync()).toMatchObject({ rowCount: 100, resume: { pageToken: 'token-1' } });
    broken.isOn = false;
    expect(await run()).toMatchObject({ ok: true });
    expect(await sync()).toMatchObject({ rowCount: 350, reachedStart: true });
  });

  it('is given up when the answer names another token in the end', async () => {
    const { paging, run, sync, storedHashes } = build({
      mangle: (body) =>
        body.nextPageToken === undefined ? body : `{"nextPageToken":"wrong",${JSON.stringify(body).slice(1)}`,
    });
    paging.transactions.push(...history(250));
    expect(await run()).toMatchObject({ ok: true });
    const tokens = paging.requests.map(tokenOf);
    expect(tokens.filter((token) => token !== 'wrong')).toEqual([null, 'token-1', 'token-2']);
    expect(await sync()).toMatchObject({ rowCount: 250, reachedStart: true });
    expect(new Set(storedHashes()).size).toBe(250);
  });
});
