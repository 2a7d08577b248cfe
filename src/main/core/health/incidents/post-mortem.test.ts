import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import type { Json } from '../../../../shared/json.ts';
import { createRedactor } from '../../../../shared/health/redact.ts';
import type { Incident } from '../../../../shared/health/types.ts';
import type { HistorySource } from '../history/history-source.ts';
import { readIncidents } from './known-incidents.ts';
import { readPostMortem, type PostMortem } from './post-mortem-facts.ts';
import { postMortemHtml } from './post-mortem.ts';
import { failing, passing, recordNode, startMs, type Answer } from '../testing/past-world.ts';

const nowMs = startMs + 6 * 3_600_000;

async function factsOf(
  polls: (Record<string, Answer> | null)[],
  {
    name = 'My node',
    isRedacted = false,
    sinceMs = 0,
    untilMs,
    ...more
  }: Partial<Incident> &
    Partial<Pick<HistorySource, 'name' | 'sinceMs' | 'untilMs'>> & { isRedacted?: boolean } = {},
): Promise<PostMortem> {
  const store = createMemoryStores().health;
  const node = await recordNode(store, 'n');
  await node.repeat(polls.length, (index) => polls[index] ?? null);
  const source = {
    id: 'n',
    name,
    store,
    chainChecks: null,
    sinceMs,
    ...(untilMs !== undefined && { untilMs }),
  };
  const { incidents, chainChecks } = await readIncidents(source, { failAfter: 1, recoverAfter: 1 });
  const incident = incidents.at(-1);
  if (incident === undefined) throw new Error('no incident');
  return readPostMortem(
    source,
    { ...incident, ...more },
    {
      nowMs,
      nodeNames: new Map(),
      redact: isRedacted ? createRedactor([source.name, ...chainChecks]) : null,
    },
  );
}

const usual = (): Promise<PostMortem> =>
  factsOf(
    [
      { network: passing({ connectedPeers: 48 }), C: passing({ engine: {} }) },
      { network: failing('no peers', { connectedPeers: 3 }), C: passing({ engine: {} }) },
      { network: failing('no peers', { connectedPeers: 2 }), C: failing('behind', { engine: {} }) },
      { network: passing({ connectedPeers: 50 }), C: passing({ engine: {} }) },
    ],
    {
      note: 'The switch was changed.\nIt is back.',
      worst: [{ check: 'network', label: 'connected peers', value: '2' }],
    },
  );

/** Text of the page without markup, one line a block. */
const read = (html: string): string[] =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<\/(td|th|dt|dd|figcaption|li|p|h1|h2|title)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe('a post-mortem', () => {
  it('names the nodes that did not answer meanwhile', async () => {
    const facts = await factsOf([{ C: failing('behind') }], { gone: ['Other'] });
    const lines = read(postMortemHtml(facts));
    expect(lines[lines.indexOf('Other') - 1]).toBe('Unreachable nodes');
  });

  it('tells what was, when, and how it is known', async () => {
    const lines = read(postMortemHtml(await usual()));
    expect(lines.slice(0, 38)).toEqual([
      'Network and 1 more check on My node: no peers',
      'Post-mortem',
      'Network and 1 more check on My node: no peers',
      'Node',
      'My node',
      'Started',
      '2023-11-14 22:13:50 (observed by this app)',
      'Ended',
      '2023-11-14 22:14:50 (observed by this app)',
      'Duration',
      '1 min',
      'Failed checks',
      'Network, C-Chain · C',
      'Failed runs',
      '3',
      'First error',
      'no peers',
      'Notes',
      'The switch was changed.',
      'It is back.',
      'Timeline',
      'Time',
      'Event',
      'Source',
      '2023-11-14 22:13:50',
      'Network started failing: no peers',
      'observed by this app',
      '2023-11-14 22:14:20',
      'C-Chain · C started failing: behind',
      'observed by this app',
      '2023-11-14 22:14:50',
      'Network passed again after 1 min, 2 failed runs',
      'observed by this app',
      '2023-11-14 22:14:50',
      'C-Chain · C passed again after 30 s, 1 failed run',
      'observed by this app',
      'Before and after',
      'From 2023-11-14 21:13:50 to 2023-11-14 23:14:50.',
    ]);
    expect(lines).toContain('message.connectedPeers');
    const change = lines.indexOf('message.connectedPeers');
    expect(lines.slice(change - 2, change + 3)).toEqual([
      '2023-11-14 22:13:51',
      'Network',
      'message.connectedPeers',
      '48',
      '3',
    ]);
    const uptime = lines.lastIndexOf('Failed runs');
    expect(lines.slice(uptime + 9, uptime + 17)).toEqual([
      'Network',
      'only 3 min 31 s of data',
      '2 min 31 s',
      '1 min',
      '0 s',
      '1 h 57 min 29 s',
      '4',
      '2',
    ]);
    expect(lines.at(-1)).toBe('Written by Watchkeeper at 2023-11-15 04:13:20. All times are UTC.');
  });

  it.each([
    ['since a node was watched', undefined, 'From 2023-11-14 22:13:20 to 2023-11-14 23:14:50.'],
    ['within a recording', startMs + 120_000, 'From 2023-11-14 22:13:20 to 2023-11-14 22:15:20.'],
  ])('is about the time %s: what lies outside does not count as unknown', async (_, untilMs, words) => {
    const polls = [passing(), failing('no peers'), failing('no peers'), passing(), passing()];
    const facts = await factsOf(
      polls.map((network) => ({ network })),
      { sinceMs: startMs, ...(untilMs !== undefined && { untilMs }) },
    );
    expect(read(postMortemHtml(facts))).toContain(words);
  });

  it('spans some time also where a node did not answer its first poll', async () => {
    const facts = await factsOf([null], { sinceMs: nowMs, untilMs: startMs });
    expect(facts.toMs).toBeGreaterThan(facts.fromMs);
  });

  it('lists messages only while their check fails', async () => {
    const chain = (height: number) => ({ engine: { height } });
    const facts = await factsOf([
      { network: passing({ peers: 9 }), C: passing(chain(1)) },
      { network: failing('x', { peers: 8 }), C: passing(chain(2)) },
      { network: failing('x', { peers: 7 }), C: failing('y', chain(3)) },
      { network: passing({ peers: 6 }), C: failing('y', chain(4)) },
      { network: passing({ peers: 5 }), C: passing(chain(5)) },
    ]);
    const messages = facts.changes.flatMap(({ differences }) =>
      differences
        .filter(({ field }) => field.startsWith('message'))
        .map(({ before, after }) => [before, after]),
    );
    expect(messages).toEqual([
      ['9', '8'],
      ['8', '7'],
      ['2', '3'],
      ['7', '6'],
      ['3', '4'],
      ['4', '5'],
    ]);
  });

  it.each([
    [
      'of what still lasts',
      [{ disk: failing('full') }, { disk: failing('full') }],
      '2023-11-14 22:13:51',
      '31 s',
    ],
    ['of a node that does not answer', [null, null, null], '2023-11-14 22:14:21', '1 min'],
    [
      'of a node that does not answer any more',
      [{ disk: failing('full') }, null],
      '2023-11-14 22:13:21',
      '1 s',
    ],
  ])('%s knows no more than when it was last heard', async (_what, polls, heard, lasted) => {
    const facts = await factsOf(polls);
    const lines = read(postMortemHtml(facts));
    expect(lines.slice(lines.indexOf('Ended') + 1).slice(0, 3)).toEqual([
      `not as of ${heard}`,
      'Duration',
      lasted,
    ]);
  });

  it('bounds how long it lasted where its end was not seen, as the window does', async () => {
    const facts = await usual();
    const incident = { ...facts.incident, endKnownFrom: 'inferred' } as const;
    const lines = read(postMortemHtml({ ...facts, incident }));
    expect(lines[lines.indexOf('Duration') + 1]).toBe('at most 1 min');
  });

  it('is one page that needs nothing else', async () => {
    const html = postMortemHtml(await usual());
    expect(html).not.toMatch(/<script|<link|<img|<iframe|src=|href=|url\(|@import|https?:|\son\w+=/i);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain("default-src 'none'; style-src 'unsafe-inline'");
    expect(html).toMatch(/color-scheme:light dark/);
    expect(html.match(/<svg[^>]*role="img"/g)).toHaveLength(3);
    expect(html).toMatch(
      /aria-label="Network: failing in 2 of 120 periods, from 2023-11-14 22:13:19 to 2023-11-14 22:15:20"/,
    );
  });

  it('has texts only in its attributes', async () => {
    const html = postMortemHtml(await usual());
    for (const [, value] of html.matchAll(/="([^"]*)"/g)) expect(value).not.toMatch(/[<>]/);
  });

  const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)> "\' & \u202E\u0000';
  it.each([false, true])(
    'shows markup and control characters of strangers as text (redacted: %s)',
    async (isRedacted) => {
      const facts = await factsOf(
        [
          { ok: passing(), [hostile]: passing({ [hostile]: hostile }) },
          { ok: passing(), [hostile]: failing(hostile, { [hostile]: `2${hostile}`, n: 5 }) },
          { ok: passing(), [hostile]: passing({ [hostile]: hostile }) },
        ],
        {
          isRedacted,
          name: hostile,
          note: hostile,
          worst: [{ check: hostile, label: hostile, value: hostile }],
        },
      );
      const html = postMortemHtml(facts);
      expect(html).not.toMatch(/<script|<img/i);
      expect(html).not.toMatch(/[\u202E\u0000]/);
      const tags = [...html.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag);
      expect(new Set(tags)).toEqual(
        new Set(
          'html head meta title style body main header p h1 dl div dt dd section h2 table thead tr th tbody td time figure figcaption svg rect ul li footer'.split(
            ' ',
          ),
        ),
      );
    },
  );

  it('survives texts that are empty, huge and deep', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) as Json;
    const facts = await factsOf(
      [
        { '': passing(deep) },
        {
          '': failing('x'.repeat(8_000), { deep, wide: Array.from({ length: 1_000 }, (_, index) => index) }),
        },
      ],
      { isRedacted: true },
    );
    const html = postMortemHtml(facts);
    expect(html.length).toBeLessThan(60_000);
    expect(read(html)).toContain('(no name) on [name 1]: [id 1]');
  });

  it('lists no more changes than can be read, and says how many there are', async () => {
    const polls = Array.from({ length: 400 }, (_, index) => ({ a: failing('down', { n: index, m: index }) }));
    const facts = await factsOf(polls);
    expect(facts.changes.reduce((sum, { differences }) => sum + differences.length, 0)).toBe(300);
    expect(read(postMortemHtml(facts))).toContain('And 498 more changes.');
  });
});

describe('a redacted post-mortem', () => {
  const secrets = [
    'Alice and Bob GmbH',
    'secret.example',
    '192.168.7.21',
    '2001:db8::7334',
    'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
    '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '/home/alice/.node/db',
    'alice@mail.example',
    'alice-game',
  ] as const;
  const [name, host, ip, ip6, nodeId, chainId, address, path, mail, alias] = secrets;
  const text = `Get https://${host}:9650/ext: ${ip}:9651 [${ip6}]:9651 ${nodeId} ${chainId} ${address} open ${path}: ${mail} by ${name} of ${alias}`;

  it('has none of the names, labels and addresses anywhere', async () => {
    const message = { engine: { [host]: ip, [nodeId]: text, peers: [nodeId, ip] } };
    const polls = [
      { [chainId]: passing({ engine: {} }), [alias]: passing({ engine: {} }), [host]: passing() },
      {
        [chainId]: failing(text, message),
        [alias]: failing(text, message),
        [host]: failing(text, message),
      },
      { [chainId]: passing({ engine: {} }), [alias]: passing({ engine: {} }), [host]: passing() },
    ];
    const more = {
      name,
      note: `${text}\n${name.toUpperCase()}`,
      worst: [{ check: chainId, label: host, value: text }],
    };
    const open = postMortemHtml(await factsOf(polls, more));
    for (const secret of secrets) expect(open).toContain(secret.replace(/&/g, '&#38;'));
    const html = postMortemHtml(await factsOf(polls, { ...more, isRedacted: true })).toLowerCase();
    for (const secret of secrets) expect(html).not.toContain(secret.toLowerCase());
    for (const piece of ['alice', '9651', '192.168', 'nodeid', '5aaeb6', 'secret'])
      expect(html).not.toContain(piece);
    expect(html).toContain('names and addresses left out');
  });

  it('goes on to tell things apart', async () => {
    const facts = await factsOf([{ a: failing('10.0.0.1 and 10.0.0.2, 10.0.0.1 again') }], {
      isRedacted: true,
    });
    const html = postMortemHtml(facts);
    expect(html).toContain('[address 1] and [address 2], [address 1] again');
  });
});
