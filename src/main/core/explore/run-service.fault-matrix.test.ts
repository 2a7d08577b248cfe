import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultInput } from '../../../../sample-service/faults.ts';
import { startSampleService, type SampleService } from '../../../../sample-service/service.ts';
import type { RunTarget } from '../../../shared/explore/types.ts';
import { unwrap, type ErrorCode } from '../../../shared/errors.ts';
import { buildHarness, list, nodeTarget } from './testing/explore-harness.ts';

/** Every fault that the sample service can make, on every kind of answer, over real HTTP. */

/** Where patience has to end: long enough that what the fault begins with arrives. */
const timeoutMs = 100;

type Surface = 'list' | 'detail' | 'metrics' | 'node';
type Outcome = ErrorCode | 'ok';

interface Row {
  name: string;
  action: FaultInput['action'];
  delayMs?: number;
  service: Outcome;
  /** A node's answer is judged by other rules: 503 may be its own word, and it has no 429 of its own. */
  node: Outcome;
}

const status = (code: number) => ({ kind: 'status' as const, status: code });

const rows: Row[] = [
  { name: '400', action: status(400), service: 'upstream', node: 'upstream' },
  { name: '401', action: status(401), service: 'unauthorized', node: 'unauthorized' },
  { name: '403', action: status(403), service: 'forbidden', node: 'forbidden' },
  { name: '404', action: status(404), service: 'not-found', node: 'not-found' },
  { name: '500', action: status(500), service: 'upstream', node: 'upstream' },
  { name: '502', action: status(502), service: 'upstream', node: 'upstream' },
  { name: '503', action: status(503), service: 'upstream', node: 'upstream' },
  {
    name: '502 with a web page',
    action: { ...status(502), body: '<html></html>', headers: { 'content-type': 'text/html' } },
    service: 'upstream',
    node: 'upstream',
  },
  {
    name: 'a storm of 429',
    action: { kind: 'storm', retryAfterSeconds: 1 },
    service: 'rate-limited',
    node: 'rate-limited',
  },
  { name: 'a delay', action: { kind: 'delay' }, delayMs: 50, service: 'ok', node: 'ok' },
  {
    name: 'a delay that is too long',
    action: { kind: 'delay' },
    delayMs: 2_000,
    service: 'timeout',
    node: 'timeout',
  },
  { name: 'a hang', action: { kind: 'hang' }, service: 'timeout', node: 'timeout' },
  { name: 'a dropped connection', action: { kind: 'drop' }, service: 'unreachable', node: 'unreachable' },
  { name: 'half of the body', action: { kind: 'cut' }, service: 'bad-response', node: 'bad-response' },
  {
    name: 'half of the body and a broken connection',
    action: { kind: 'cut', connection: true },
    service: 'unreachable',
    node: 'unreachable',
  },
  {
    name: 'a web page',
    action: { kind: 'garbage', variant: 'html' },
    service: 'bad-response',
    node: 'bad-response',
  },
  {
    name: 'noise',
    action: { kind: 'garbage', variant: 'noise' },
    service: 'bad-response',
    node: 'bad-response',
  },
  {
    name: 'nothing',
    action: { kind: 'garbage', variant: 'empty' },
    service: 'bad-response',
    node: 'bad-response',
  },
  { name: 'wrong types', action: { kind: 'wrong-types' }, service: 'bad-response', node: 'bad-response' },
  { name: '64 MiB', action: { kind: 'huge' }, service: 'bad-response', node: 'bad-response' },
  {
    name: '64 MiB, compressed',
    action: { kind: 'huge', gzip: true },
    service: 'bad-response',
    node: 'bad-response',
  },
  {
    name: 'a byte now and then',
    // The first one long before patience ends, the last one long after.
    action: { kind: 'drip', chunkBytes: 1, intervalMs: 10 },
    service: 'timeout',
    node: 'timeout',
  },
  { name: 'another origin', action: { kind: 'redirect' }, service: 'bad-response', node: 'bad-response' },
];

/** The one field without which the answer is none. */
const requiredFields: Record<Surface, string> = {
  list: 'transactions',
  detail: 'nativeTransaction',
  metrics: 'results',
  node: 'checks',
};

let sample: SampleService;
let targets: Record<Surface, RunTarget>;

beforeAll(async () => {
  sample = await startSampleService({ scale: 0.01, limits: false });
  const { chainId, txHash, addresses, endpoints } = sample.ready.examples;
  targets = {
    list: list(addresses.thirty, chainId),
    detail: { kind: 'endpoint', endpointId: 'transaction', params: { chainId, txHash } },
    metrics: {
      kind: 'endpoint',
      endpointId: 'staking-metrics',
      params: { ...endpoints['14'] },
    },
    node: nodeTarget('get-ext-health'),
  };
});
afterAll(async () => {
  await sample.close();
});

async function expectOutcome(surface: Surface, fault: FaultInput, outcome: Outcome): Promise<void> {
  const limit = outcome === 'timeout' ? { timeoutMs } : {};
  const harness = buildHarness(sample, limit);
  sample.control.addFault(fault);
  try {
    const run = await harness.start(targets[surface]);
    const attempts = unwrap(await harness.runs.attempts(run.id));
    expect(attempts.at(-1)?.outcome).toBe(outcome);
    if (outcome === 'ok') {
      expect(run).toMatchObject({ pageCount: 1, error: null });
      return;
    }
    expect(run).toMatchObject({ state: 'failed', pageCount: 0, fetched: null, error: { code: outcome } });
    expect(run.error?.message).not.toBe('');
    expect(await harness.store.readPage(run.id, 0)).toBeNull();
    // The fault over, the same query goes on.
    sample.control.clearFaults();
    Reflect.deleteProperty(limit, 'timeoutMs');
    expect(await harness.continue(run.id)).toMatchObject({ pageCount: 1, error: null });
  } finally {
    sample.control.clearFaults();
  }
}

describe.each(['list', 'detail', 'metrics', 'node'] as const)('%s', (surface) => {
  const server = surface === 'node' ? 'node:harbor-1' : surface === 'metrics' ? 'metrics' : 'data';

  it.each(rows)('answered by $name', async ({ action, delayMs = 0, service, node }) => {
    await expectOutcome(surface, { server, action, delayMs }, surface === 'node' ? node : service);
  });

  it('answered without its required field', async () => {
    const action = { kind: 'replace' as const, path: requiredFields[surface] };
    await expectOutcome(surface, { server, action }, 'bad-response');
  });

  it('not answered at all, because nothing is there', async () => {
    const harness = buildHarness(sample);
    const gone = 'http://127.0.0.1:9';
    harness.current.profile = { ...harness.current.profile, dataUrl: gone, metricsUrl: gone };
    harness.node.url = gone;
    const run = await harness.start(targets[surface]);
    expect(run).toMatchObject({ state: 'failed', error: { code: 'unreachable' } });
  });
});
