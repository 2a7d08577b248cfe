import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSampleService, type SampleService } from '../../../sample-service/service.ts';
import { call } from '../../../sample-service/testing.ts';
import { maxJsonDepth } from '../json.ts';
import { addressTransactions } from './data.ts';
import { decodeAnswer, type DecodedAnswer } from './decode-answer.ts';
import { envelopeOf, type EndpointDefinition } from './define.ts';
import { endpoints } from './registry.ts';
import { requestUrl } from './request-url.ts';

/** JSON texts that take the place of each value of a real answer; null takes the value away. */
const replacements: readonly (string | null)[] = [
  null,
  'null',
  '"text"',
  '""',
  'true',
  '[]',
  '{}',
  '[[1],{"a":null},"b"]',
  '-1',
  '"-1"',
  '-0.5',
  '0.5',
  '1e400',
  '123456789012345678901234567890',
  '"123456789012345678901234567890"',
  '99999999999999999999.5',
  `"${'9'.repeat(5_000)}"`,
  `${'['.repeat(150)}${']'.repeat(150)}`,
];

/** Length of huge bodies, in bytes: all of their characters are ASCII. What grows faster than they do takes minutes. */
const hugeBytes = 2 * 1_048_576;

const tooMany = 'Too many parts of the response are invalid.';

const all: EndpointDefinition[] = Object.values(endpoints);

/** Places that one of the two spellings has tried: most are the same in both. */
const tried = new Set<string>();

describe.each(['specification', 'upstream'] as const)('answers with the names of the %s', (names) => {
  let service: SampleService;
  const bodies = new Map<number, string>();

  beforeAll(async () => {
    service = await startSampleService({ names, scale: 0.02, nowSeconds: 1_780_000_000, limits: false });
    for (const endpoint of all) {
      const { dataUrl, metricsUrl, examples } = service.ready;
      const pageSize = 'pageSize' in endpoint.params ? { pageSize: '3' } : {};
      const params = { ...examples.endpoints[endpoint.number], ...pageSize };
      const url = requestUrl(endpoint, endpoint.api === 'data' ? dataUrl : metricsUrl, params);
      bodies.set(endpoint.number, (await call(url)).text);
    }
  });

  afterAll(async () => {
    await service.close();
  });

  const bodyOf = (endpoint: EndpointDefinition): unknown => JSON.parse(bodies.get(endpoint.number) ?? '');

  it.each(all)('$number $id: no odd value becomes a figure, and none goes without a note', (endpoint) => {
    const body = bodyOf(endpoint);
    const places = placesOf(body);
    expect(places.length).toBeGreaterThan(3);
    for (const place of places) {
      const kind = `${endpoint.id} ${kindOf(place)}`;
      if (tried.has(kind)) continue;
      tried.add(kind);
      const variantWith = variantsAt(body, place);
      for (const replacement of replacements) {
        const { text, sent } = variantWith(replacement);
        const where = `${endpoint.id} ${place.join('.')} = ${String(replacement).slice(0, 40)}`;
        const read = readTolerantly(endpoint, text, where);
        if (read === null) continue;
        if (!comesFrom(read.data, sent)) throw new Error(`${where}: something is read that was not sent`);
        // A blank text is as absent as none, so it may go untold; that a figure is blank is told.
        const isUntold = replacement === '""' && !isFigure(body, place);
        if (!isUntold && (replacement === '""' || loses(read.data, sent)) !== read.notes.length > 0) {
          throw new Error(`${where}: notes do not say what is left out: ${read.notes.join(' ')}`);
        }
        const isOddFigure = replacement === '-1' || replacement === '"text"' || replacement === '-0.5';
        if (isOddFigure && isFigure(body, place) && read.notes.length === 0) {
          throw new Error(`${where}: taken for a figure`);
        }
      }
    }
  });

  // The spellings differ in no list, nor in what is nested.
  const once = names === 'specification' ? all : [];
  it.each(once)('$number $id: lists of none and of 2,000', (endpoint) => {
    const body = bodyOf(endpoint);
    for (const place of placesOf(body)) {
      const list = valueAt(body, place);
      if (!Array.isArray(list)) continue;
      const none = readTolerantly(endpoint, withValueAt(body, place, '[]'), endpoint.id);
      expect(none?.notes).toEqual([]);
      expect(valueAt(none?.data, place)).toEqual([]);
      if (list.length === 0) continue;
      const many = `[${Array.from({ length: 2_000 }, () => JSON.stringify(list[0])).join(',')}]`;
      const read = readTolerantly(endpoint, withValueAt(body, place, many), endpoint.id);
      expect(read?.notes).toEqual([]);
      expect(valueAt(read?.data, place)).toHaveLength(isSet(list, place) ? 1 : 2_000);
    }
  });

  // Over the network such a body ends earlier, as `too-large`: this is for what the limit would let through. Once is enough,
  // as above.
  describe.each(names === 'specification' ? ['2 MiB'] : [])('of %s', () => {
    const words = 'x'.repeat(hugeBytes / 2);
    const nines = '9'.repeat(hugeBytes / 2);
    const odd = `["${'x'.repeat(20)}"]`;
    const manyOdd = `[${`${odd},`.repeat(Math.ceil(hugeBytes / odd.length))}${odd}]`;

    it.each(all)(
      '$number $id: an endless text is kept, an endless number left out with a note',
      (endpoint) => {
        const body = bodyOf(endpoint);
        const places = placesOf(body);
        // Without one that identifies it, the answer is refused as a whole.
        const isNeeded = (place: Place) =>
          readTolerantly(endpoint, withValueAt(body, place, 'null'), endpoint.id) === null;
        const figure = places.find((place) => isFigure(body, place) && !isNeeded(place)) ?? [];
        const text = places.find(
          (place) => !isFigure(body, place) && typeof valueAt(body, place) === 'string',
        );
        // An endpoint that returns nothing but figures gets one that is twice as long.
        const digits = text === undefined ? nines + nines : nines;
        const sent = asSent(JSON.stringify(body));
        setAt(sent, figure, new SentNumber(digits));
        const withText = structuredClone(body);
        if (text !== undefined) {
          setAt(sent, text, words);
          setAt(withText, text, 'the endless text');
        }
        const json = withValueAt(withText, figure, digits).replace('the endless text', () => words);
        expect(json.length).toBeGreaterThanOrEqual(hugeBytes);
        const read = readTolerantly(endpoint, json, endpoint.id);
        expect(read?.notes.length).toBeGreaterThan(0);
        expect(Math.max(...(read?.notes ?? []).map((note) => note.length))).toBeLessThan(300);
        // Not `expect`, which would print the bodies.
        if (!comesFrom(read?.data, sent)) throw new Error(`${endpoint.id}: read what was not sent`);
      },
    );

    it.each(all)('$number $id: an endless list of odd things is refused in words', (endpoint) => {
      const body = bodyOf(endpoint);
      const list = placesOf(body).find((place) => Array.isArray(valueAt(body, place)));
      // For an answer without lists it is the answer itself.
      const json = list === undefined ? manyOdd : withValueAt(body, list, manyOdd);
      const issues = [list === undefined ? 'response: is not an object.' : tooMany];
      expect(decodeAnswer(endpoint, json)).toMatchObject({
        ok: false,
        error: { code: 'bad-response', issues },
      });
    });

    it('are read when all of their elements are in order, and refused when none is', () => {
      const body = bodyOf(addressTransactions);
      const element = JSON.stringify(valueAt(body, ['transactions', 0]));
      const count = Math.ceil(hugeBytes / element.length);
      const good = `{"transactions":[${`${element},`.repeat(count)}${element}]}`;
      const read = readTolerantly(addressTransactions, good, 'good');
      expect(read?.notes).toEqual([]);
      expect(valueAt(read?.data, ['transactions'])).toHaveLength(count + 1);
      // Four million of them: what is odd about each would not fit the memory.
      const texts = `{"transactions":[${'"",'.repeat(4_000_000)}""]}`;
      expect(decodeAnswer(addressTransactions, texts)).toMatchObject({
        ok: false,
        error: { issues: [tooMany] },
      });
    });
  });

  it.each(once)('$number $id: what is nested deeply is kept, or refused in words', (endpoint) => {
    const [open, close] = ['{"a":[', ']}'];
    const nested = (levels: number) => `${open.repeat(levels / 2)}${close.repeat(levels / 2)}`;
    const withExtra = (json: string) =>
      withValueAt({ ...Object(bodyOf(endpoint)), extra: 0 }, ['extra'], json);
    const kept = readTolerantly(endpoint, withExtra(nested(maxJsonDepth - 2)), endpoint.id);
    expect(kept?.notes).toEqual([]);
    for (const levels of [maxJsonDepth, 100_000]) {
      expect(decodeAnswer(endpoint, withExtra(nested(levels)))).toMatchObject({
        ok: false,
        error: { code: 'bad-response', message: expect.stringContaining('nested deeper') as string },
      });
    }
  });

  it.each(all)('$number $id: equal keys: the last counts, with a note; in the envelope none', (endpoint) => {
    const body = bodyOf(endpoint);
    const clean = readTolerantly(endpoint, JSON.stringify(body), endpoint.id);
    expect(clean?.notes).toEqual([]);
    for (const place of placesOf(body)) {
      const key = place.at(-1);
      if (typeof key !== 'string') continue;
      const isEnvelope = place.length === 1 && envelopeOf(endpoint).includes(key);
      const notes = [expect.stringContaining('A field appears twice')];
      for (const odd of ['"text"', '-1', '[]']) {
        const first = readTolerantly(endpoint, withEarlierKey(body, place, odd), endpoint.id);
        expect(first).toEqual(isEnvelope ? null : { ...clean, notes });
      }
    }
  });
});

type Place = readonly (string | number)[];

/** What was read, or null for an answer that was refused in words. */
function readTolerantly(endpoint: EndpointDefinition, text: string, where: string): DecodedAnswer | null {
  const decoded = decodeAnswer(endpoint, text);
  if (decoded.ok) return decoded.value;
  const { error } = decoded;
  if (error.code !== 'bad-response' || error.message === '' || error.issues.length === 0) {
    throw new Error(`${where}: refused without words`);
  }
  return null;
}

function kindOf(place: Place): string {
  return place.map((key) => (typeof key === 'number' ? '*' : key)).join('.');
}

/** The places of all values of a body; of the elements of a list, those that have a place of their own kind. */
function placesOf(body: unknown): Place[] {
  const found = new Map<string, Place>();
  const visit = (value: unknown, place: Place): void => {
    const kind = kindOf(place);
    if (place.length > 0 && !found.has(kind)) found.set(kind, place);
    if (Array.isArray(value)) for (const [i, element] of value.entries()) visit(element, [...place, i]);
    else if (isObject(value)) for (const [key, inner] of Object.entries(value)) visit(inner, [...place, key]);
  };
  visit(body, []);
  return [...found.values()];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof SentNumber)
  );
}

function valueAt(value: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function setAt(root: unknown, place: Place, value: unknown): void {
  Reflect.set(Object(valueAt(root, place.slice(0, -1))), place.at(-1) ?? '', value);
}

const marker = 'the-place-of-the-hostile-value';

/** The body as text with the JSON text at a place, or nothing there when it is null. */
function withValueAt(body: unknown, place: Place, text: string | null): string {
  const copy = structuredClone(body);
  const container = valueAt(copy, place.slice(0, -1));
  const key = place.at(-1) ?? '';
  if (text !== null) Reflect.set(Object(container), key, marker);
  else if (Array.isArray(container)) container.splice(Number(key), 1);
  else Reflect.deleteProperty(Object(container), key);
  // A function, because a text could hold `$&`.
  return JSON.stringify(copy).replace(`"${marker}"`, () => text ?? '');
}

/** Bodies that differ at one place, as text and as sent. A variant is good until the next one is asked for. */
function variantsAt(body: unknown, place: Place): (json: string | null) => { text: string; sent: unknown } {
  const text = withValueAt(body, place, `"${marker}"`);
  const sent = asSent(text);
  const container = Object(valueAt(sent, place.slice(0, -1)));
  return (json) => {
    if (json === null) {
      const without = withValueAt(body, place, null);
      return { text: without, sent: asSent(without) };
    }
    Reflect.set(container, place.at(-1) ?? '', asSent(json));
    return { text: text.replace(`"${marker}"`, () => json), sent };
  };
}

/** The body as text in which the last key of the place comes twice: with the JSON text first, then as it was. */
function withEarlierKey(body: unknown, place: Place, text: string): string {
  const container = valueAt(body, place.slice(0, -1));
  const doubled = JSON.stringify({ [marker]: 0, ...Object(container) });
  const inner = doubled.replace(`"${marker}":0`, () => `${JSON.stringify(place.at(-1))}:${text}`);
  return place.length === 1 ? inner : withValueAt(body, place.slice(0, -1), inner);
}

/** A number of a document with its digits. */
class SentNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** The document with the digits of each number. */
function asSent(text: string): unknown {
  // The third argument is newer than the types of the library.
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  return parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' ? new SentNumber(source) : value,
  );
}

/** Whether what was read is what was sent, apart from what was left out. */
function comesFrom(read: unknown, sent: unknown): boolean {
  if (Array.isArray(read)) {
    if (!Array.isArray(sent)) return false;
    let next = 0;
    return read.every((element) => {
      while (next < sent.length && !comesFrom(element, sent[next])) next += 1;
      next += 1;
      return next <= sent.length;
    });
  }
  if (isObject(read)) {
    return (
      isObject(sent) &&
      Object.entries(read).every(([key, inner]) => inner === undefined || comesFrom(inner, sent[key]))
    );
  }
  if (sent instanceof SentNumber)
    return typeof read !== 'boolean' && digits(String(read)) === digits(sent.source);
  if (typeof sent === 'string' && typeof read === 'number') return digits(String(read)) === digits(sent);
  return read === sent;
}

/** Whether something was sent, other than null and blank texts, that was not read. */
function loses(read: unknown, sent: unknown): boolean {
  if (sent === null) return false;
  if (read === undefined && typeof sent === 'string') return sent.trim() !== '';
  if (read === undefined) return true;
  if (Array.isArray(sent)) {
    return (
      !Array.isArray(read) ||
      read.length < sent.length ||
      sent.some((element, i) => element !== null && loses(read[i], element))
    );
  }
  if (!isObject(sent)) return false;
  return Object.entries(sent).some(([key, inner]) => loses(valueAt(read, [key]), inner));
}

/** A decimal number in one form for all its spellings; other text as it is. */
function digits(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const significant = (whole + fraction).replace(/^0+/, '');
  const shortest = significant.replace(/0+$/, '');
  if (shortest === '') return '0';
  return `${sign}${shortest}e${Number(exponent) - fraction.length + significant.length - shortest.length}`;
}

/** Whether a place of a real answer holds a figure: digits that are no identifier or code. */
function isFigure(body: unknown, place: Place): boolean {
  const value = valueAt(body, place);
  const name = String(place.findLast((key) => typeof key === 'string'));
  if (/chainId$|^txStatus$|^unindexedChains$/i.test(name)) return false;
  return typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
}

/** Whether a repetition in this list tells nothing: ids, and records of which each is about another chain. */
function isSet(list: readonly unknown[], place: Place): boolean {
  return typeof list[0] === 'string' || place.at(-1) === 'indexedChains';
}
