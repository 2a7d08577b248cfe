import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSampleService, type SampleService } from '../../../../sample-service/service.ts';
import { unwrap } from '../../../shared/errors.ts';
import { buildHarness, list } from './testing/explore-harness.ts';

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

const busy = (more: Record<string, string> = {}) =>
  list(sample.ready.examples.addresses.busy, sample.ready.examples.chainId, { pageSize: '50', ...more });
const latest = () => ({
  kind: 'endpoint' as const,
  endpointId: 'chain-transactions' as const,
  params: { chainId: sample.ready.examples.chainId, pageSize: '5' },
});

describe('tokens that lead nowhere', () => {
  it('end a list that goes in circles', async () => {
    const harness = buildHarness(sample);
    const first = await harness.start(latest());
    const { nextPageToken } = unwrap(await harness.runs.attempts(first.id))[0] ?? {};
    sample.control.addFault({
      server: 'data',
      action: { kind: 'replace', path: 'nextPageToken', value: nextPageToken },
    });
    const { id } = await harness.start(latest(), 'all');
    const run = await harness.ended(id);
    expect(run).toMatchObject({ state: 'failed', pageCount: 2, hasMore: false });
    expect(run.error?.message).toContain('The service repeated pages');
  });

  it('end a list whose pages stay the same for ever, though each names a new one', async () => {
    let asked = 0;
    const answer = () => {
      const body = `{"nextPageToken":"${++asked}","transactions":[]}`;
      return { kind: 'response', status: 200, headers: {}, body, byteLength: body.length } as const;
    };
    const harness = buildHarness(sample, { answer });
    const { id } = await harness.start(latest(), 'all');
    const run = await harness.ended(id);
    expect(run).toMatchObject({ state: 'failed', hasMore: false });
    expect(run.error?.message).toContain('The service repeated pages');
    expect(asked).toBe(1_002);
  });

  it('are odd where they are no text that a URL can have, and the pages before stay', async () => {
    const bodies = ['"a"', String.raw`"\ud800"`].map(
      (token) => `{"nextPageToken":${token},"transactions":[]}`,
    );
    const answer = () => {
      const body = bodies.shift() ?? '';
      return { kind: 'response', status: 200, headers: {}, body, byteLength: body.length } as const;
    };
    const harness = buildHarness(sample, { answer });
    const { id } = await harness.start(latest(), 'all');
    expect(await harness.ended(id)).toMatchObject({
      ...{ state: 'failed', pageCount: 1, hasMore: true },
      error: { code: 'bad-response', issues: ['nextPageToken: must be valid text.'] },
    });
  });

  it('are no circle while they are new, however many pages bring nothing', async () => {
    const harness = buildHarness(sample);
    sample.control.addFault({ server: 'data', action: { kind: 'replace', path: 'transactions', value: [] } });
    const { id } = await harness.start(busy({ pageSize: '10' }), 'all');
    const run = await harness.ended(id);
    expect(run).toMatchObject({ state: 'complete', rowCount: 0, error: null });
    expect(run.pageCount).toBeGreaterThan(21);
  });

  it('are named where the endpoint takes none', async () => {
    const harness = buildHarness(sample);
    sample.control.addFault({
      server: 'metrics',
      action: { kind: 'replace', path: 'nextPageToken', value: 'more' },
    });
    const params = sample.ready.examples.endpoints['16'] as Record<string, string>;
    const run = await harness.start({ kind: 'endpoint', endpointId: 'validator-metrics', params }, 'all');
    expect(run).toMatchObject({ state: 'partial', pageCount: 1, hasMore: false });
    const { notes } = unwrap(await harness.runs.page({ runId: run.id, index: 0 }));
    expect(notes.join()).toContain('doesn’t accept a page token');
  });
});
