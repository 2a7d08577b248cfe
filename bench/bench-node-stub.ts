import { createServer } from 'node:http';

/** A server that stands for many nodes, one a path, each with ten checks that run every 30 s at a moment of its own. */

const periodMs = 30_000;

const server = createServer((request, response) => {
  const nowMs = Date.now();
  const node = Number(/node-(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
  const phaseMs = (node * 149) % periodMs;
  const round = Math.floor((nowMs - phaseMs) / periodMs);
  const timestamp = new Date(round * periodMs + phaseMs).toISOString();
  const checks = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `check-${index}`,
      {
        message: { height: round * 15 + index, connectedPeers: 1_200 + (round % 60) },
        timestamp,
        duration: 20_000,
      },
    ]),
  );
  response.writeHead(200, { 'content-type': 'application/json', 'node-id': `NodeID-${node}` });
  response.end(JSON.stringify({ checks, healthy: true }));
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  process.send?.(address.port);
});
