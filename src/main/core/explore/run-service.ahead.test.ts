import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSampleService, type SampleService } from '../../../../sample-service/service.ts';
import { unwrap } from '../../../shared/errors.ts';
import { buildHarness, everyRun, list } from './testing/explore-harness.ts';

/** Pages that arrive while those before them are being stored, over real HTTP. */

let sample: SampleService;
beforeAll(async () => {
  sample = await startSampleService({ scale: 0.02, limits: false });
});
afterAll(async () => {
  await sample.close();
});
afterEach(() => {
  sample.control.reset();
  sample.control.setLimits(false);
});

const thirty = () => list(sample.ready.examples.addresses.thirty, sample.ready.examples.chainId);

/** Of rows that the schema of the endpoint has read. */
function hashes(rows: readonly unknown[]): string[] {
  return rows.map((row) => (row as { nativeTransaction: { txHash: string } }).nativeTransaction.txHash);
}

describe('a query whose store is slow', () => {
  /** A walk whose writes wait for `letGo`; tells how many pages each write held. */
  async function heldUp() {
    const harness = buildHarness(sample);
    const save = harness.store.save.bind(harness.store);
    const writes: number[] = [];
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    harness.store.save = async (run, pages, attempts) => {
      writes.push(pages.length);
      await held;
      await save(run, pages, attempts);
    };
    const starting = harness.start(thirty(), 'all');
    return { harness, writes, starting, letGo };
  }

  it('is told of its first page as soon as that is stored, and has the rest stored together', async () => {
    const { harness, writes, starting, letGo } = await heldUp();
    await harness.sent(3);
    expect(writes).toEqual([1]);
    letGo();
    const first = await starting;
    expect(first.pageCount).toBe(1);
    const run = await harness.ended(first.id);
    expect(run).toMatchObject({ state: 'complete', pageCount: 3, rowCount: 30, hasMore: false });
    expect(writes.length).toBeLessThanOrEqual(3);
    expect(writes.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(unwrap(await harness.runs.attempts(run.id))).toHaveLength(3);
    expect(new Set(hashes(await harness.rows(run.id))).size).toBe(30);
  });

  it('can be stopped: what had arrived is stored, and it goes on from there', async () => {
    const { harness, starting, letGo } = await heldUp();
    await harness.sent(2);
    const [run] = unwrap(await harness.runs.list(everyRun)).runs;
    const cancelling = harness.runs.cancel(run?.id ?? '');
    letGo();
    await Promise.all([cancelling, starting]);
    const stopped = await harness.ended(run?.id ?? '');
    expect(stopped).toMatchObject({ error: null });
    const attempts = unwrap(await harness.runs.attempts(stopped.id));
    expect(attempts.filter(({ outcome }) => outcome === 'ok')).toHaveLength(stopped.pageCount);
    if (stopped.hasMore) await harness.continue(stopped.id, 'all');
    expect(await harness.ended(stopped.id)).toMatchObject({ state: 'complete', rowCount: 30 });
    expect(new Set(hashes(await harness.rows(stopped.id))).size).toBe(30);
  });
});
