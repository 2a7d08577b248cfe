import type { NodeProbe, ProbeAnswer } from '../../../../shared/health/types.ts';
import { callNode, type AskPorts, type NodeAnswer, type NodeEndpoint } from './ask-node.ts';
import { adviceFor, probeAnswer, type Asked } from './probe.ts';

const eachMs = 10_000;
/** A person waits for it. */
const allMs = 20_000;

/**
 * Asks an address by GET, JSON-RPC, readiness and liveness, one after the other, and says what was found. Where nothing
 * answers the first request, the others are not sent.
 */
export async function probeNode(
  ports: AskPorts,
  endpoint: NodeEndpoint,
  knownNodeId: string | null,
  signal: AbortSignal,
): Promise<NodeProbe> {
  const { clock } = ports;
  const untilMs = clock.monotonicMs() + allMs;
  const limits = () => ({ timeoutMs: Math.min(eachMs, untilMs - clock.monotonicMs()), signal });
  const ask = async (request: Parameters<typeof callNode>[2]): Promise<NodeAnswer> =>
    await callNode(ports, endpoint, request, [], limits());
  const get = await ask({ protocol: 'get', path: '/ext/health' });
  const isAnswered = get.reading.kind === 'report' || get.reading.failure === null;
  const later: (...request: Parameters<typeof ask>) => Promise<NodeAnswer | null> = async (request) =>
    isAnswered && limits().timeoutMs > 0 ? await ask(request) : null;
  const rpc = await later({ protocol: 'rpc', method: 'health.health' });
  const readiness = await later({ protocol: 'get', path: '/ext/health/readiness' });
  const liveness = await later({ protocol: 'get', path: '/ext/health/liveness' });
  const inWords = (asked: Asked, answer: NodeAnswer | null): ProbeAnswer => {
    if (answer !== null) return probeAnswer(asked, answer.reading, clock.nowMs());
    const why = isAnswered ? 'the other answers took too long' : 'nothing answers at this address';
    return { says: 'no-answer', words: `Not asked: ${why}.`, askedAtMs: clock.nowMs() };
  };
  const nodeId =
    [get, rpc, readiness, liveness].map((answer) => answer?.reportedNodeId).find((id) => id != null) ?? null;
  const report = [get.reading, rpc?.reading].find((reading) => reading?.kind === 'report');
  return {
    get: inWords('health', get),
    rpc: inWords('health', rpc),
    readiness: inWords('readiness', readiness),
    liveness: inWords('liveness', liveness),
    nodeId,
    advice: adviceFor({
      url: endpoint.url,
      get: get.reading,
      rpc: rpc?.reading ?? null,
      readiness: readiness?.reading ?? null,
      nodeId,
      knownNodeId,
      hasHeaders: Object.keys(endpoint.headers).length > 0,
    }),
    checks: report?.kind === 'report' ? report.report.checks.map(({ name }) => name) : [],
  };
}
