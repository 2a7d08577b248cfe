import { describe, expect, it } from 'vitest';
import type { HttpOutcome, HttpRequest } from '../ports.ts';
import { withoutEcho } from './without-echo.ts';

const key = 'k/7f"3a\\very+secret';

async function send(outcome: HttpOutcome, headers: HttpRequest['headers'] = { 'x-key': key }) {
  const sent: HttpRequest[] = [];
  const http = withoutEcho({
    send: async (request) => {
      sent.push(request);
      return outcome;
    },
  });
  const request: HttpRequest = {
    method: 'GET',
    url: 'https://data.example/v1/x',
    headers: { accept: 'application/json', ...headers },
    timeoutMs: 1,
    maxBytes: 1,
  };
  const received = await http.send(request);
  expect(sent).toEqual([request]);
  return received;
}

const answer = (body: string, headers: Record<string, string> = {}): HttpOutcome => ({
  kind: 'response',
  status: 401,
  headers,
  body,
  byteLength: body.length,
});

describe('withoutEcho', () => {
  it.each([
    ['as it is', key],
    ['as JSON spells it', JSON.stringify({ message: `Key ${key} is unknown, ${key}!` })],
    ['as a URL spells it', `https://data.example/?key=${encodeURIComponent(key)}`],
  ])('takes the key out of an answer, %s', async (_how, body) => {
    const received = await send(answer(body, { 'x-echo': key }));
    expect(received).toMatchObject({
      status: 401,
      byteLength: body.length,
      headers: { 'x-echo': '(hidden key)' },
    });
    const text = JSON.stringify(received);
    expect(text).toContain('(hidden key)');
    for (const spelled of [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]) {
      expect(received.kind === 'response' && received.body).not.toContain(spelled);
    }
  });

  const escaped = (text: string) =>
    Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const lowerPercent = (text: string) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase());

  it.each([
    ['an escaped slash', (text: string) => text.replaceAll('/', '\\/')],
    ['an escaped equals sign', (text: string) => text.replaceAll('=', '\\u003d')],
    ['escapes in capitals', (text: string) => text.replaceAll('=', '\\u003D').replaceAll('/', '\\u002F')],
    ['nothing but escapes', escaped],
    ['percent escapes in small letters', lowerPercent],
    ['percent escapes of percent escapes', (text: string) => encodeURIComponent(encodeURIComponent(text))],
    ['JSON in a text of JSON', (text: string) => JSON.stringify(text.replaceAll('/', '\\/')).slice(1, -1)],
    ['a line break before it', (text: string) => `\\n${text}\\n`],
    ['an escaped space before it', (text: string) => `\\u0020${text}`],
    ['a percent escape before it', (text: string) => `Bearer%20${lowerPercent(text)}`],
  ])('takes the key out of a text of JSON, spelled with %s', async (_how, spell) => {
    const theirs = 'kJ8/fQ2+Zx91Lm==';
    const received = await send(answer(`{"message":"key ${spell(theirs)}","count":1}`), { 'x-key': theirs });
    if (received.kind !== 'response') throw new Error('No response.');
    const { message, count } = JSON.parse(received.body) as { message: string; count: number };
    expect(count).toBe(1);
    expect(message).toContain('(hidden key)');
    for (const rest of ['kJ8', 'Zx91Lm', 'u003d', '%3d']) expect(message).not.toContain(rest);
  });

  it.each(['kJ8/fQ2+Zx91Lm==', '/kJ8\\\\fQ2+Zx91Lm'])(
    'is not held up by an answer of backslashes alone (%s)',
    async (theirs) => {
      const body = '\\'.repeat(1_000_000);
      const before = process.cpuUsage();
      expect(await send(answer(body), { 'x-key': theirs })).toEqual(answer(body));
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
    },
  );

  it('leaves JSON what it is', async () => {
    const received = await send(answer(JSON.stringify({ message: `Key ${key} is unknown`, count: 1 })));
    expect(received.kind === 'response' && JSON.parse(received.body)).toEqual({
      message: 'Key (hidden key) is unknown',
      count: 1,
    });
  });

  it('takes it out of what is told about a failure', async () => {
    expect(await send({ kind: 'failure', reason: 'network', detail: `bad header ${key}` })).toEqual({
      kind: 'failure',
      reason: 'network',
      detail: 'bad header (hidden key)',
    });
  });

  it.each([
    ['zeros', '00000000', '{"methodHash":"0x00000000","value":"00000000","input":"0x0000000000000000"}'],
    ['many zeros', '0'.repeat(32), `{"value":"${'0'.repeat(32)}"}`],
    ['a short one of hex digits', 'deadbeef', '{"name":"deadbeef"}'],
    ['a part of a longer text', 'a1b2c3d4e5f60718', '{"txHash":"0xa1b2c3d4e5f60718a1b2c3d4e5f60718"}'],
  ])('leaves data alone that has the same letters as the key: %s', async (_name, short, body) => {
    expect(await send(answer(body), { 'x-key': short })).toEqual(answer(body));
  });

  it('changes nothing else: no key, a text too short for one, what the app itself asks for', async () => {
    const body = 'application/json abc1234 nothing';
    expect(await send(answer(body), {})).toEqual(answer(body));
    expect(await send(answer(body), { 'x-key': 'abc1234' })).toEqual(answer(body));
    expect(await send(answer(body), { 'x-key': 'another-key' })).toEqual(answer(body));
  });
});
