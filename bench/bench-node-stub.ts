import { createServer } from 'node:http';
import { standardChecks } from '../sample-service/node/checks.ts';

/** A server that simulates many nodes, one for each path, each with sixteen checks that run every 30 s at its own offset. */

const periodMs = 30_000;
const chains = ['P', 'X', 'C', 'L1', 'L2', 'L3', 'L4', 'L5', 'L6'].map((alias, index) => ({
  alias,
  subnetId: alias,
  startHeight: 1_000_000 * (index + 1),
  blocksPerRound: alias === 'C' ? 15 : 1,
}));
const checksOf = new Map<number, ReturnType<typeof standardChecks>>();

function reportOf(node: number, path: string): object {
  if (path.endsWith('/liveness')) return { checks: {}, healthy: true };
  const checks = checksOf.get(node) ?? standardChecks(node, chains);
  checksOf.set(node, checks);
  const phaseMs = (node * 149) % periodMs;
  const round = Math.floor((Date.now() - phaseMs) / periodMs);
  const timestamp = new Date(round * periodMs + phaseMs).toISOString();
  const asked = path.endsWith('/readiness') ? checks.filter(({ key }) => key === 'bootstrapped') : checks;
  const checkResults: Record<string, unknown> = {};
  for (const { name, message, durationNs } of asked) {
    checkResults[name] = { message: message(round), timestamp, duration: durationNs(round) };
  }
  return { checks: checkResults, healthy: true };
}

const server = createServer((request, response) => {
  const path = request.url ?? '';
  const node = Number(/node-(\d+)/.exec(path)?.[1] ?? 0);
  response.writeHead(200, { 'content-type': 'application/json', 'node-id': `NodeID-${node}` });
  response.end(JSON.stringify(reportOf(node, path)));
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  process.send?.(address.port);
});
