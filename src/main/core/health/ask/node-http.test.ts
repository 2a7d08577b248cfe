import { describe, expect, it } from 'vitest';
import { AppFailure } from '../../../../shared/errors.ts';
import type { HttpOutcome, HttpRequest } from '../../ports.ts';
import { createNodeHttp } from './node-http.ts';

const nodes = [
  { id: 'plain', url: 'http://plain', headerNames: [] },
  { id: 'keyed', url: 'http://proxy/7', headerNames: ['x-key'] },
  { id: 'locked', url: 'http://proxy/8', headerNames: ['x-key'] },
];

async function send(url: string): Promise<{ sent: HttpRequest[]; outcome: HttpOutcome }> {
  const sent: HttpRequest[] = [];
  const http = createNodeHttp(
    {
      send: (request) => {
        sent.push(request);
        return Promise.resolve({ kind: 'response', status: 200, headers: {}, body: '', byteLength: 0 });
      },
    },
    () => nodes,
    (id) =>
      id === 'keyed'
        ? Promise.resolve({ 'x-key': 'v', accept: 'no' })
        : Promise.reject(new AppFailure({ code: 'storage', message: 'It is locked.' })),
  );
  const request = { method: 'GET', url, headers: { accept: 'a' }, timeoutMs: 1, maxBytes: 1 } as const;
  return { outcome: await http.send(request), sent };
}

describe('requests to a watched node', () => {
  it.each(['http://proxy/7/ext/health', 'http://proxy/7/ext/health/readiness?tag=x'])(
    'have its extra headers, which replace none of their own: %s',
    async (url) => {
      expect((await send(url)).sent).toMatchObject([{ url, headers: { 'x-key': 'v', accept: 'a' } }]);
    },
  );

  it.each([
    'http://plain/ext/health',
    'http://proxy/ext/health',
    'http://proxy/70/ext/health',
    'http://proxy/7/other',
    'http://evil/?http://proxy/7/ext/health',
    'https://proxy/7/ext/health',
  ])('have none of another’s: %s', async (url) => {
    expect((await send(url)).sent.map(({ headers }) => headers)).toEqual([{ accept: 'a' }]);
  });

  it('are not sent without them', async () => {
    const { sent, outcome } = await send('http://proxy/8/ext/health');
    expect(sent).toEqual([]);
    expect(outcome).toMatchObject({ kind: 'failure', detail: 'It is locked.' });
  });
});
