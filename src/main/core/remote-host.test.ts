import { describe, expect, it } from 'vitest';
import type { HttpOutcome } from './ports.ts';
import { remoteHost, tellingAnswers } from './remote-host.ts';

describe('remoteHost', () => {
  it.each([
    ['http://127.0.0.1:9650', null],
    ['http://127.1.2.3', null],
    ['http://localhost:9650/path', null],
    ['http://node.localhost', 'node.localhost'],
    ['http://localhost.', 'localhost.'],
    ['http://LOCALHOST:1', null],
    ['http://0x7f.1:9650', null],
    ['not an address', null],
    ['http://[::1]:9650', null],
    ['http://[::ffff:7f00:1]:9650', null],
    ['http://[2001:db8::1]:9650/x', '[2001:db8::1]'],
    ['https://Node.Example/path', 'node.example'],
    ['http://127.0.0.1.example', '127.0.0.1.example'],
    ['http://192.168.1.7:9650', '192.168.1.7'],
  ])('%s: %s', (url, host) => {
    expect(remoteHost(url)).toBe(host);
  });
});

it.each<[string, string, HttpOutcome, number]>([
  [
    'another computer',
    'http://node',
    { kind: 'response', status: 500, headers: {}, body: '', byteLength: 0 },
    1,
  ],
  [
    'this one',
    'http://localhost',
    { kind: 'response', status: 200, headers: {}, body: '', byteLength: 0 },
    0,
  ],
  ['nobody', 'http://node', { kind: 'failure', reason: 'refused', detail: '' }, 0],
])('an answer from %s is told on', async (_whom, url, outcome, count) => {
  let told = 0;
  const http = tellingAnswers({ send: async () => outcome }, () => (told += 1));
  const request = { method: 'GET', url, headers: {}, timeoutMs: 1, maxBytes: 1 } as const;
  expect(await http.send(request)).toBe(outcome);
  expect(told).toBe(count);
});
