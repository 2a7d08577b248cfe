import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import type { SampleService } from '../sample-service.ts';

const chainCount = 1_000;
const ids = Array.from({ length: chainCount }, (_nothing, i) => String(700_000 + i));

/** From now on the address is active on a thousand chains, each with an empty history. */
async function serveManyChains(service: SampleService, address: string): Promise<void> {
  const indexedChains = ids.map((chainId, i) => ({ chainId, chainName: `Chain number ${i}`, status: 'OK' }));
  await service.answerInstead(`/v1/address/${address}/chains`, {
    indexedChains,
    unindexedChains: ['999999', '999999'],
  });
  await service.answerInstead('/v1/chains/70????/**'.replaceAll('?', '*'), { transactions: [] });
}

/** Begins to note how long each frame takes; the function returned gives those from the longest on. */
async function watchFrames(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const framesMs: number[] = [];
    Object.assign(globalThis, { framesMs });
    let lastMs = performance.now();
    const onFrame = (nowMs: number) => {
      framesMs.push(nowMs - lastMs);
      lastMs = nowMs;
      requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
  });
  return () =>
    page.evaluate(() =>
      // Set just above.
      (globalThis as unknown as { framesMs: number[] }).framesMs.sort((a, b) => b - a),
    );
}

test('a thousand chains at one address arrive without a standstill, and those on the screen are asked first', async ({
  running,
  service,
}) => {
  test.slow();
  const { page } = running;
  const app = new Watchkeeper(page);
  const address = await service.account('thirty');
  await serveManyChains(service, address);
  await app.go('Activity');
  const frames = await watchFrames(page);
  await app.watchAddress(address, 'Everywhere');
  await expect(app.watched).toContainText('Chain number 0');
  const askedChains = async () =>
    (await service.requestsTo('data')).flatMap(
      ({ url }) => /chains\/(70\d{4})\/addresses/.exec(url)?.[1] ?? [],
    );
  await expect.poll(async () => (await askedChains()).length, { timeout: 120_000 }).toBeGreaterThan(60);
  const list = app.watched.getByRole('list', { name: 'Chains' });
  await app.watched.getByText('Chain number 0', { exact: true }).hover();
  await page.mouse.wheel(0, 15_000);
  await expect(app.watched.getByText('Chain number 5')).not.toHaveCount(0);
  const before = (await askedChains()).length;
  const shown = new Set(
    (await list.getByRole('button').allInnerTexts()).map((text) => /number (\d+)/.exec(text)?.[1]),
  );
  await expect
    .poll(async () => (await askedChains()).length, { timeout: 120_000 })
    .toBeGreaterThan(before + 20);
  const next = (await askedChains()).slice(before + 4, before + 16);
  expect(next.filter((chainId) => shown.has(String(Number(chainId) - 700_000))).length).toBeGreaterThan(10);
  expect(await list.getByRole('listitem').count()).toBeLessThan(100);
  const framesMs = await frames();
  const longest = framesMs.slice(0, 8).map(Math.round).join(', ');
  test
    .info()
    .annotations.push({ type: 'frames', description: `the longest of ${framesMs.length}: ${longest} ms` });
  // Drawn one by one it stood still for one to two seconds, hundreds of times. A busy machine alone makes a frame of 300 ms.
  expect(framesMs[0]).toBeLessThan(1_000);
  expect(framesMs.filter((ms) => ms > 250).length).toBeLessThan(5);
});
