import { describe, expect, it } from 'vitest';
import { addressTransactions, transaction } from './data.ts';
import { decodeAnswer } from './decode-answer.ts';
import type { EndpointDefinition } from './define.ts';
import { endpoints, type EndpointId } from './registry.ts';
import { sampleBodies } from './testing/sample-bodies.ts';

const all: EndpointDefinition[] = Object.values(endpoints);

interface Page {
  transactions: Record<string, unknown>[];
}

function page(): Page {
  return structuredClone(sampleBodies['address-transactions']) as unknown as Page;
}

function decodePage(body: unknown) {
  const decoded = decodeAnswer(addressTransactions, typeof body === 'string' ? body : JSON.stringify(body));
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

describe('an envelope is strict', () => {
  const lists = all.filter(({ paging }) => paging !== null);

  it.each(lists)('$number $id: an odd token is not the end of the list', (endpoint) => {
    const body = sampleBodies[endpoint.id as EndpointId];
    for (const nextPageToken of [7, 0, true, false, {}, [], ['t'], ' ', '\n']) {
      const decoded = decodeAnswer(endpoint, JSON.stringify({ ...body, nextPageToken }));
      const issues = [expect.stringMatching(/^nextPageToken: /) as string];
      expect(decoded).toMatchObject({ ok: false, error: { code: 'bad-response', issues } });
    }
    for (const nextPageToken of [undefined, null, '']) {
      const decoded = decodeAnswer(endpoint, JSON.stringify({ ...body, nextPageToken }));
      expect(decoded).toMatchObject({ ok: true, value: { notes: [] } });
      expect(decoded.ok && decoded.value.data).not.toMatchObject({
        nextPageToken: expect.anything() as unknown,
      });
    }
  });

  it.each(lists)('$number $id: two arrays, or two tokens, are no page', (endpoint) => {
    const key = endpoint.paging?.itemsKey ?? '';
    for (const twice of [
      `{"${key}":[],"${key}":[]}`,
      // The same name in other letters.
      `{"${key}":[],"\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${key.slice(1)}" :[]}`,
      `{"nextPageToken":"a","${key}":[],"nextPageToken":""}`,
      `{"nextPageToken"${' '.repeat(1_000)}:"a","${key}":[],"nextPageToken":""}`,
    ]) {
      const issues = [expect.stringContaining('is listed twice') as string];
      expect(decodeAnswer(endpoint, twice)).toMatchObject({
        ok: false,
        error: { code: 'bad-response', issues },
      });
    }
    // Of another name, or further inside, it is a matter of that part alone.
    const inside = `{"${key}":[],"other":{"${key}":1,"${key}":"nextPageToken","nextPageToken":2},"other":3}`;
    expect(decodeAnswer(endpoint, inside)).toMatchObject({ ok: true, value: { notes: [expect.anything()] } });
  });

  it('chains that are no list are not none, and those that cannot be read are counted', () => {
    const chains = (body: unknown) => decodeAnswer(endpoints['address-chains'], JSON.stringify(body));
    for (const odd of [{}, { first: { chainId: '1' } }, 'none', 0, false]) {
      for (const name of ['indexedChains', 'unindexedChains']) {
        const issues = [expect.stringMatching(new RegExp(`^${name}: `)) as string];
        expect(chains({ [name]: odd })).toMatchObject({ ok: false, error: { code: 'bad-response', issues } });
      }
    }
    const indexedChains = [{ chainId: { id: 1 } }, { chainId: '2' }, { chainId: ' ' }];
    expect(chains({ indexedChains, unindexedChains: [{}, '3'] })).toMatchObject({
      ok: true,
      value: {
        data: { indexedChains: [{ chainId: '2' }], unindexedChains: ['3'] },
        unreadableItems: [0, 0, 2],
      },
    });
  });
});

describe('what is odd is left out with a note', () => {
  it('takes a side of a blank address for odd, and one of an empty address for none', () => {
    const side = (address: string) => {
      const body = page();
      Object.assign(body.transactions[0]?.['nativeTransaction'] as object, { to: { address } });
      const { data, notes } = decodePage(body);
      return [data.transactions[0]?.nativeTransaction.to, notes.length];
    };
    expect(side(' ')).toEqual([undefined, 2]);
    expect(side('')).toEqual([undefined, 0]);
  });

  it('drops an optional value and keeps all else', () => {
    const body = page();
    Object.assign(body.transactions[0]?.['nativeTransaction'] as object, {
      gasPrice: 'a lot',
      blockIndex: true,
    });
    const { data, notes } = decodePage(body);
    const native = data.transactions[0]?.nativeTransaction;
    expect(native).not.toHaveProperty('gasPrice');
    expect(native).not.toHaveProperty('blockIndex');
    expect(native?.gasUsed).toBe('52311');
    expect(notes).toEqual([
      'transactions[0].nativeTransaction.blockIndex: left out because true is not a number or a text.',
      'transactions[0].nativeTransaction.gasPrice: left out because "a lot" must be a whole number.',
    ]);
  });

  it('drops an element that lacks what identifies it, and says which of the answer it was', () => {
    const body = page();
    const [first, second] = body.transactions;
    const nameless = structuredClone(first);
    delete (nameless?.['nativeTransaction'] as Record<string, unknown>)['txHash'];
    const { data, notes, unreadableItems } = decodePage({
      transactions: [null, first, nameless, { nativeTransaction: 'none' }, second, 7],
    });
    expect(data.transactions).toHaveLength(2);
    expect(data.transactions[1]?.nativeTransaction.txHash).toBe('0xc2');
    expect(unreadableItems).toEqual([0, 2, 3, 5]);
    expect(notes).toContain('transactions[0]: left out because null is not an object.');
    expect(notes).toContain(
      'transactions[2].nativeTransaction: left out because txHash is missing or invalid.',
    );
    expect(notes).toContain('transactions[2]: left out because nativeTransaction is missing or invalid.');
    expect(notes).toContain('transactions[5]: left out because 7 is not an object.');
  });

  it('drops a transfer inside of an element without dropping the element', () => {
    const body = page();
    (body.transactions[0]?.['erc20Transfers'] as unknown[]).push({ value: '5' }, 'x');
    const { data, notes, unreadableItems } = decodePage(body);
    expect(data.transactions[0]?.erc20Transfers).toHaveLength(1);
    expect(unreadableItems).toEqual([]);
    expect(notes).toHaveLength(2);
  });

  it('reads a transfer of a token by the token that it names, and drops one that names none', () => {
    const erc20Token = { address: '0xcc', decimals: 6 };
    const decoded = decodeAnswer(
      endpoints['token-transfers'],
      JSON.stringify({
        transfers: [
          { erc20Token, erc721Token: null, value: '5', logIndex: -1 },
          { erc721Token: { address: '0xdd', tokenId: '7', metadata: { indexStatus: 5 } } },
          { erc1155Token: { address: '0xee', tokenId: '8' }, value: 'many' },
          { value: '5' },
          { erc20Token: { symbol: 'NIL' }, value: '5' },
        ],
      }),
    );
    expect(decoded).toEqual({
      ok: true,
      value: {
        data: {
          transfers: [
            { erc20Token, value: '5' },
            { erc721Token: { address: '0xdd', tokenId: '7', metadata: {} } },
            { erc1155Token: { address: '0xee', tokenId: '8' } },
          ],
        },
        notes: [
          'transfers[0].logIndex: left out because -1 must not be negative.',
          'transfers[1].erc721Token.metadata.indexStatus: left out because 5 is not a text.',
          'transfers[2].value: left out because "many" must be a whole number.',
          'transfers[3]: left out because an object has no token.',
          'transfers[4].erc20Token: left out because address is missing or invalid.',
          'transfers[4]: left out because an object has no token.',
        ],
        unreadableItems: [3, 4],
      },
    });
  });

  it('leaves out up to 10,000 odd parts, and refuses an answer with more, wherever they are', () => {
    const odd = (count: number) => Array.from({ length: count }, () => 0);
    const body = page();
    const good = body.transactions.length;
    const most = decodePage({ transactions: [...odd(10_000), ...body.transactions] });
    expect(most.data.transactions).toHaveLength(good);
    expect(most.unreadableItems).toHaveLength(10_000);
    const refusal = { ok: false, error: { issues: ['Too many parts of the response are invalid.'] } };
    // Far beyond, so that the notes of all of them would not even fit.
    for (const count of [10_001, 1_000_000]) {
      const tooMany = JSON.stringify({ transactions: [...body.transactions, ...odd(count)] });
      expect(decodeAnswer(addressTransactions, tooMany)).toMatchObject(refusal);
      const inside = { ...body.transactions[0], erc20Transfers: odd(count) };
      expect(decodeAnswer(addressTransactions, JSON.stringify({ transactions: [inside] }))).toMatchObject(
        refusal,
      );
    }
  });

  it('takes null for absent without a note', () => {
    const body = page();
    Object.assign(body.transactions[0] ?? {}, { erc20Transfers: null, internalTransactions: null });
    const { data, notes } = decodePage({ ...body, nextPageToken: null });
    expect(notes).toEqual([]);
    expect(data.nextPageToken).toBeUndefined();
    expect(data.transactions[0]?.erc20Transfers).toBeUndefined();
  });

  it('writes at most fifty notes and counts the rest', () => {
    const { notes, unreadableItems } = decodePage({ transactions: Array.from({ length: 10_000 }, () => 5) });
    expect(notes).toHaveLength(51);
    expect(notes[50]).toBe('and 9950 more.');
    expect(unreadableItems).toHaveLength(10_000);
  });

  it('quotes a stranger shortly and in one line', () => {
    const body = page();
    Object.assign(body.transactions[0]?.['nativeTransaction'] as object, {
      value: `a\n\u202e${'b'.repeat(5_000)}`,
    });
    const [note = ''] = decodePage(body).notes;
    expect(note.length).toBeLessThan(150);
    expect(note).not.toMatch(/[\n\u202e]/);
  });
});

describe('what cannot be an answer at all', () => {
  it.each([
    ['', 'The service sent an empty response.'],
    ['  \n', 'The service sent an empty response.'],
    ['<!doctype html><title>502</title>', 'a web page instead of data'],
    [JSON.stringify(sampleBodies['address-transactions']).slice(0, 500), 'was cut off'],
    ['{"transactions":[]', 'was cut off'],
    ['not json', 'isn’t JSON'],
    [`{"a":${'['.repeat(100_000)}`, 'nested deeper'],
    ['null', 'doesn’t match'],
    ['[]', 'doesn’t match'],
    ['5', 'doesn’t match'],
    ['{}', 'doesn’t match'],
    ['{"message":"no","statusCode":500}', 'doesn’t match'],
  ])('%j', (text, words) => {
    const decoded = decodeAnswer(addressTransactions, text);
    expect(decoded).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    if (!decoded.ok) expect(decoded.error.message).toContain(words);
  });

  it('names what is missing', () => {
    const decoded = decodeAnswer(transaction, '{"nativeTransaction":{"blockNumber":"1"}}');
    expect(decoded).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    if (!decoded.ok && decoded.error.code === 'bad-response') {
      expect(decoded.error.issues.join(' ')).toContain('nativeTransaction');
    }
  });
});

describe('exact numbers', () => {
  it.each([
    ['1000000000000000000', '1000000000000000000'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['1e25', '10000000000000000000000000'],
    ['"007"', '007'],
    ['5', '5'],
  ])('reads the value %s as %s', (source, digits) => {
    const body = JSON.stringify(page()).replace('"123456789012345678901234567890"', source);
    expect(decodePage(body).data.transactions[0]?.nativeTransaction.value).toBe(digits);
  });

  it.each(['1.5', '"1.5"', '"0x10"', '1e-3', '""', '"5 "'])(
    'leaves out %s where a whole number belongs',
    (source) => {
      const body = JSON.stringify(page()).replace('"123456789012345678901234567890"', source);
      const { data, notes } = decodePage(body);
      expect(data.transactions[0]?.nativeTransaction).not.toHaveProperty('value');
      expect(notes).toHaveLength(1);
    },
  );

  it('keeps a price as the digits that were sent', () => {
    const body = JSON.stringify(sampleBodies.transaction).replace(
      '"33.123456789012345678"',
      '33.123456789012345678',
    );
    const decoded = decodeAnswer(transaction, body);
    if (!decoded.ok) throw new Error(decoded.error.message);
    expect(decoded.value.data.networkTokenDetails?.currentPrice?.value).toBe('33.123456789012345678');
  });
});

describe('hostile answers', () => {
  const hostileValues: [string, string][] = [
    ['null', 'null'],
    ['a text', '"text"'],
    ['an empty text', '""'],
    ['a negative number', '-5'],
    ['a fraction', '0.5'],
    ['a huge number', '123456789012345678901234567890123456789012345678901234567890'],
    ['infinity', '1e999'],
    ['true', 'true'],
    ['an empty list', '[]'],
    ['an empty object', '{}'],
    ['a deep value', `${'['.repeat(150)}${']'.repeat(150)}`],
    ['a list of odd things', '[1,"a",null,{"a":1},[[]]]'],
    ['own __proto__', '{"__proto__":{"polluted":1},"constructor":5}'],
  ];
  const ids = Object.keys(endpoints) as EndpointId[];
  const cases = ids.flatMap((id) =>
    pathsOf(sampleBodies[id]).flatMap((path) => [
      { id, path, name: 'missing', text: null },
      ...hostileValues.map(([name, text]) => ({ id, path, name, text })),
    ]),
  );

  it('never crash, and never change a figure that is not odd itself', () => {
    expect(cases.length).toBeGreaterThan(2_000);
    for (const { id, path, text } of cases) {
      const body = withValueAt(sampleBodies[id], path, text);
      const endpoint: EndpointDefinition = endpoints[id];
      const decoded = decodeAnswer(endpoint, body);
      if (!decoded.ok) {
        expect(decoded.error.code).toBe('bad-response');
        continue;
      }
      const sent = figures(withNumbersAsSent(body));
      const figuresSent = new Set(sent.values());
      for (const [place, figure] of figures(decoded.value.data)) {
        // An element that was left out moves the ones after it.
        const isAsSent =
          decoded.value.notes.length === 0 ? sent.get(place) === figure : figuresSent.has(figure);
        if (!isAsSent) throw new Error(`${id} ${path.join('.')}: ${place} became ${figure}`);
      }
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

type Path = (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, child]) =>
    pathsOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}

/** The body as text with the JSON `text` at `path`, or nothing there when it is null. */
function withValueAt(body: unknown, path: Path, text: string | null): string {
  const marker = 'the-place-of-the-hostile-value';
  const copy = structuredClone(body);
  let container = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) container = container[key] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  if (text === null) {
    if (Array.isArray(container)) container.splice(Number(last), 1);
    else Reflect.deleteProperty(container, last);
  } else {
    container[last] = marker;
  }
  return JSON.stringify(copy).replace(`"${marker}"`, text ?? '');
}

/** The document with each number as its digits. */
function withNumbersAsSent(body: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  return parse(body, (_key, value, { source }) => (typeof value === 'number' ? source : value));
}

/** Every text or number that says a number, by its place. */
function figures(value: unknown, place = ''): Map<string, string> {
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).flatMap(([key, child]) => [...figures(child, `${place}.${key}`)]));
  }
  const text = String(value);
  return /^-?\d[\d.]*$/.test(text) && typeof value !== 'boolean' ? new Map([[place, text]]) : new Map();
}
