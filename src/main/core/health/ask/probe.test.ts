import { describe, expect, it } from 'vitest';
import type { NodeProbe } from '../../../../shared/health/types.ts';
import type { HttpOutcome, HttpRequest } from '../../ports.ts';
import { probeNode } from './probe.ts';
import { createFakeHttp, createFakeRandom, createFakeTime, jsonAnswer } from '../testing/fake-ports.ts';

const report = { healthy: true, checks: { C: { timestamp: '2026-01-01T00:00:00Z' } } };
const named = { 'node-id': 'NodeID-1' };

/** What a node answers by default; a test puts something else in its place. */
interface Answers {
  get?: HttpOutcome | 'hang';
  rpc?: (id: unknown) => HttpOutcome;
  readiness?: HttpOutcome;
  liveness?: HttpOutcome;
}

async function probe(
  answers: Answers,
  { url = 'http://node', knownNodeId = null as string | null, headers = {} } = {},
): Promise<{ found: NodeProbe; requests: HttpRequest[] }> {
  const time = createFakeTime();
  const http = createFakeHttp(time, 10);
  http.serve(url, (request) => {
    if (request.method === 'POST') {
      const { id } = JSON.parse(request.body ?? '{}') as { id: unknown };
      return answers.rpc?.(id) ?? jsonAnswer(200, { id, result: report }, named);
    }
    if (request.url.endsWith('/readiness')) return answers.readiness ?? jsonAnswer(200, report, named);
    if (request.url.endsWith('/liveness'))
      return answers.liveness ?? jsonAnswer(200, { healthy: true, checks: {} }, named);
    return answers.get ?? jsonAnswer(200, report, named);
  });
  const ports = { http: http.client, clock: time.clock, random: createFakeRandom(0.5) };
  const probing = probeNode(ports, { url, headers }, knownNodeId, new AbortController().signal);
  await time.advance(60_000);
  return { found: await probing, requests: http.requests };
}

const failed = (reason: Extract<HttpOutcome, { kind: 'failure' }>['reason'], detail = ''): HttpOutcome => ({
  kind: 'failure',
  reason,
  detail,
});

/** A certificate that nobody vouches for. */
const untrusted: HttpOutcome = {
  kind: 'failure',
  reason: 'tls',
  detail: 'The certificate of a is not trusted by this computer (X). Its SHA-256 fingerprint is AB:CD.',
  certificate: 'AB:CD',
};

describe('probing an address', () => {
  it('offers a certificate that is not trusted, and never a connection without one', async () => {
    const { found } = await probe({ get: untrusted }, { url: 'https://node' });
    expect(found.certificate).toBe('AB:CD');
    expect(found.advice.join()).not.toContain('http://');
    expect((await probe({})).found.certificate).toBeNull();
  });

  it('asks by GET, JSON-RPC, readiness and liveness, and says what answered', async () => {
    const { found, requests } = await probe({}, { headers: { 'x-key': 'v' } });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET http://node/ext/health',
      'POST http://node/ext/health',
      'GET http://node/ext/health/readiness',
      'GET http://node/ext/health/liveness',
    ]);
    expect(requests.every(({ headers }) => headers['x-key'] === 'v')).toBe(true);
    expect(found).toMatchObject({
      get: { says: 'yes', words: 'The only check passes.' },
      rpc: { says: 'yes', words: 'The only check passes.' },
      readiness: { says: 'yes', words: 'The node has finished initialising.' },
      liveness: { says: 'yes', words: 'The node responds.' },
      nodeId: 'NodeID-1',
      checks: ['C'],
    });
  });

  it('has nothing to advise about a node that answers everything', async () => {
    expect((await probe({})).found.advice).toEqual([]);
  });

  it('says what is not available, and where JSON-RPC was asked', async () => {
    const { found, requests } = await probe({
      liveness: jsonAnswer(503, { healthy: false, checks: { C: { error: 'x' } } }),
    });
    expect(found.liveness).toMatchObject({
      says: 'no',
      words: 'The node reports that it isn’t alive: 1 of 1 check fails: C-Chain.',
    });
    expect(requests[1]?.body).toContain('"method":"health.health"');
  });

  it('knows the node by any answer that names it, and no other where none does', async () => {
    const report200 = jsonAnswer(200, report);
    const unnamed = { get: report200, readiness: report200, liveness: report200 };
    expect((await probe(unnamed)).found.nodeId).toBe('NodeID-1');
    const rpc = (id: unknown) => jsonAnswer(200, { id, result: report });
    const { found } = await probe({ ...unnamed, rpc }, { knownNodeId: 'NodeID-2' });
    expect(found).toMatchObject({ nodeId: null, advice: [] });
  });

  it('takes an unhealthy node for what it says', async () => {
    const down = { healthy: false, checks: { C: { error: 'down' } } };
    const { found } = await probe({
      get: jsonAnswer(503, down),
      rpc: (id) => jsonAnswer(200, { id, result: down }),
      readiness: jsonAnswer(503, { healthy: false, checks: { bootstrapped: { error: 'not yet' } } }),
    });
    expect(found.get).toMatchObject({ says: 'no', words: '1 of 1 check fails: C-Chain.' });
    expect(found.readiness).toMatchObject({
      says: 'no',
      words: 'The node hasn’t finished initialising: The node is bootstrapping.',
    });
    expect(found.advice).toEqual([
      'The node hasn’t finished initialising yet, but you can already watch it.',
    ]);
  });

  it('notices another node than before', async () => {
    expect((await probe({}, { knownNodeId: 'NodeID-1' })).found.advice).toEqual([]);
    const { found } = await probe({}, { knownNodeId: 'NodeID-2' });
    expect(found.advice).toEqual([
      'A different node now responds: NodeID-1 instead of NodeID-2. Watching it here would mix the histories of two nodes.',
    ]);
  });

  it('says that extra headers go out in the clear, except on this computer', async () => {
    const headers = { 'x-key': 'v' };
    expect((await probe({}, { headers })).found.advice).toEqual([
      'The app sends the extra headers unencrypted, so anyone in between can read them.',
    ]);
    expect((await probe({}, { headers, url: 'https://node' })).found.advice).toEqual([]);
    expect((await probe({}, { headers, url: 'http://127.0.0.1:9650' })).found.advice).toEqual([]);
    expect((await probe({})).found.advice).toEqual([]);
  });

  it('says when one of the two ways does not work', async () => {
    const noRpc = await probe({ rpc: () => jsonAnswer(405, 'no POST') });
    expect(noRpc.found.rpc.says).toBe('no-answer');
    expect(noRpc.found.advice[0]).toMatch(/^JSON-RPC doesn’t work here .* GET is enough/);
    const noGet = await probe({ get: jsonAnswer(405, 'no GET') });
    expect(noGet.found.get.says).toBe('no-answer');
    expect(noGet.found.advice[0]).toMatch(/^GET doesn’t work here .* the app uses JSON-RPC\.$/);
    expect(noGet.found.checks).toEqual(['C']);
  });

  it.each<[string, HttpOutcome | 'hang', RegExp, RegExp | null, number]>([
    [
      '403 of the host check',
      jsonAnswer(403, 'invalid host specified'),
      /IP address, or start the node with this host in --http-allowed-hosts/,
      null,
      4,
    ],
    ['403 of somebody else', jsonAnswer(403, 'no'), /refused/, null, 4],
    ['404', jsonAnswer(404, '404 page not found'), /switched off/, /api-health-enabled/, 4],
    ['401', jsonAnswer(401, ''), /login/, /extra header/, 4],
    [
      'a web page',
      jsonAnswer(200, '<html><title>Login</title>'),
      /web page/,
      /Something other than a node/,
      4,
    ],
    ['an empty answer', jsonAnswer(200, ''), /empty/, /Something other/, 4],
    [
      'HTTPS spoken to by HTTP',
      jsonAnswer(400, 'Client sent an HTTP request to an HTTPS server.\n'),
      /begin with https/,
      null,
      4,
    ],
    ['502 of a proxy', jsonAnswer(502, '<html>'), /gateway/, null, 4],
    [
      'a redirect',
      failed('redirect', 'The server redirects to another address: https://x.'),
      /https:\/\/x/,
      /enter that address/,
      1,
    ],
    ['an unknown name', failed('dns'), /couldn’t resolve/, /spelling/, 1],
    ['a refusal', failed('refused'), /refused/, /port is right/, 1],
    ['no TLS', failed('tls', 'EPROTO'), /EPROTO/, /uses TLS on this port/, 1],
    ['a bad certificate', untrusted, /not trusted/, /Compare this SHA-256 fingerprint/, 1],
    ['a proxy', failed('proxy', 'It wants a login (407).'), /407/, /Settings, Network/, 1],
    ['a broken connection', failed('reset'), /was lost/, /https/, 1],
    ['no network', failed('network'), /couldn’t reach/, /firewall/, 1],
    ['silence', 'hang', /in time/, /firewall/, 1],
  ])('explains %s', async (_what, get, reason, remedy, requestCount) => {
    // Something that is wrong with the address is wrong with every path of it.
    const rest = get === 'hang' ? failed('timeout') : get;
    const { found, requests } = await probe({ get, rpc: () => rest, readiness: rest, liveness: rest });
    expect(found.get.says).toBe('no-answer');
    expect(found.get.words).toMatch(reason);
    expect(found.advice[0]).toMatch(reason);
    expect(found.advice[1] ?? null).toEqual(remedy === null ? null : expect.stringMatching(remedy));
    expect(found.checks).toEqual([]);
    // Nobody who does not answer at all is asked four times.
    expect(requests).toHaveLength(requestCount);
    if (requestCount === 1)
      expect(found.liveness.words).toBe('Not tested: nothing responded at this address.');
  });

  it('does not advise encryption where there is some', async () => {
    const { found } = await probe({ get: failed('reset') }, { url: 'https://node' });
    expect(found.advice).toEqual([
      'The connection to the node was lost.',
      'Check the port, and whether a firewall blocks the connection.',
    ]);
  });

  it('advises nothing more where the reason says it', async () => {
    expect((await probe({ get: failed('too-large') })).found.advice).toHaveLength(2);
    const { found } = await probe({
      get: jsonAnswer(403, 'no'),
      rpc: () => jsonAnswer(403, 'no'),
    });
    expect(found.advice).toEqual(['The address refused the request (403).']);
  });

  it('ends in time although every answer is slow', async () => {
    const time = createFakeTime();
    const http = createFakeHttp(time, 9_000);
    http.serve('http://node', () => jsonAnswer(200, report));
    const ports = { http: http.client, clock: time.clock, random: createFakeRandom() };
    let found: NodeProbe | null = null;
    void probeNode(ports, { url: 'http://node', headers: {} }, null, new AbortController().signal).then(
      (probed) => (found = probed),
    );
    await time.advance(21_000);
    expect(found).toMatchObject({
      get: { says: 'yes' },
      liveness: { says: 'no-answer', words: 'Not tested: the other responses took too long.' },
    });
  });
});
