import type { AppError } from '../../../../shared/errors.ts';
import { remoteHost } from '../../remote-host.ts';
import type { NodeProbe, ProbeAnswer } from '../../../../shared/health/types.ts';
import type { HttpFailure } from '../../ports.ts';
import { callNode, type AskPorts, type NodeAnswer, type NodeEndpoint, type Question } from './ask-node.ts';
import type { NoReport } from './no-report.ts';
import type { Reading } from './report.ts';

/** Describes the response of one path to the user. */
export function probeAnswer(asked: Question['what'], reading: Reading, askedAtMs: number): ProbeAnswer {
  if (reading.kind === 'no-report') return { says: 'no-answer', words: reading.error.message, askedAtMs };
  const says = reading.report.healthy ? 'yes' : 'no';
  return { says, words: wordsOf(asked, says, reading.reason), askedAtMs };
}

function wordsOf(asked: Question['what'], says: 'yes' | 'no', reason: string): string {
  if (asked === 'health') return reason;
  if (asked === 'liveness')
    return says === 'yes' ? 'The node responds.' : `The node reports that it isn’t alive: ${reason}`;
  return says === 'yes'
    ? 'The node has finished initialising.'
    : `The node hasn’t finished initialising: ${reason}`;
}

/** What was found; null for what was not asked because the first request got no response. */
interface Found {
  get: Reading;
  rpc: Reading | null;
  readiness: Reading | null;
  nodeId: string | null;
}

/** What the findings mean and what to do about them, most important first; empty when there is nothing to do. */
function adviceFor(
  { get, rpc, readiness, nodeId }: Found,
  { url, headers }: NodeEndpoint,
  knownNodeId: string | null,
): string[] {
  const advice: string[] = [];
  if (nodeId !== null && knownNodeId !== null && nodeId !== knownNodeId) {
    advice.push(
      `A different node now responds: ${nodeId} instead of ${knownNodeId}. Watching it here would mix the histories of two nodes.`,
    );
  }
  if (get.kind === 'no-report' && rpc?.kind === 'report') {
    advice.push(`GET doesn’t work here (${get.reason}), so the app uses JSON-RPC.`);
  } else if (get.kind === 'no-report') {
    advice.push(get.error.message);
    const remedy = remedyFor(get, url);
    if (remedy !== undefined) advice.push(remedy);
  } else {
    if (rpc?.kind === 'no-report')
      advice.push(`JSON-RPC doesn’t work here (${rpc.reason}); GET is enough to watch the node.`);
    if (readiness?.kind === 'report' && !readiness.report.healthy)
      advice.push('The node hasn’t finished initialising yet, but you can already watch it.');
  }
  if (Object.keys(headers).length > 0 && url.startsWith('http:') && remoteHost(url) !== null)
    advice.push('The app sends the extra headers unencrypted, so anyone in between can read them.');
  return advice;
}

const mayBeBlocked = 'Check the address, the port, and whether a firewall blocks the connection.';

/** By how the request failed, else by what is wrong with the response. */
const remedies: Partial<Record<HttpFailure | AppError['code'], string>> = {
  dns: 'Check the spelling of the host name, or use the IP address.',
  refused:
    'Check that the node is running and that the port is right. By default, a node accepts connections only from its own computer.',
  tls: 'Check that the server uses TLS on this port.',
  proxy: 'Settings, Network shows which requests go through a proxy.',
  timeout: mayBeBlocked,
  network: mayBeBlocked,
  reset: 'Check the port, and whether a firewall blocks the connection.',
  redirect: 'If the redirect leads to your node, enter that address instead.',
  unauthorized: 'Enter the login as an extra header, such as authorization.',
  'bad-response':
    'Something other than a node seems to respond, such as a proxy or a login page. Check the port and the path.',
  'not-found':
    'Check the path of the address, and that the node isn’t running with --api-health-enabled=false.',
};

/** Undefined where the reason already includes it. */
function remedyFor({ failure, error, certificate = null }: NoReport, url: string): string | undefined {
  if (certificate !== null)
    return 'Compare this SHA-256 fingerprint with that of the node’s own certificate. To see it, run this on the node’s computer: openssl x509 -noout -fingerprint -sha256 -in FILE. Trust the certificate only if they match, or make the system trust the authority that issued it.';
  if (failure === 'reset' && url.startsWith('http:'))
    return 'If the server uses TLS, the address must begin with https://.';
  return (failure && remedies[failure]) ?? remedies[error.code];
}

const eachMs = 10_000;
/** The user is waiting for it. */
const allMs = 20_000;

/** Asks by GET, JSON-RPC, readiness and liveness in turn, the last three only if the first got a response. */
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
  const inWords = (asked: Question['what'], answer: NodeAnswer | null): ProbeAnswer => {
    if (answer !== null) return probeAnswer(asked, answer.reading, clock.nowMs());
    const why = isAnswered ? 'the other responses took too long' : 'nothing responded at this address';
    return { says: 'no-answer', words: `Not tested: ${why}.`, askedAtMs: clock.nowMs() };
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
    advice: adviceFor(
      { get: get.reading, rpc: rpc?.reading ?? null, readiness: readiness?.reading ?? null, nodeId },
      endpoint,
      knownNodeId,
    ),
    certificate: get.reading.kind === 'no-report' ? (get.reading.certificate ?? null) : null,
    checks: report?.kind === 'report' ? report.report.checks.map(({ name }) => name) : [],
  };
}
