import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseCutJson,
  endsInside,
  jsonOrNull,
  maxJsonDepth,
  parseExactJson,
  parseExactJsonCountingKeys,
} from './json.ts';

describe('numbers', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-123456789012345678901234567890', '-123456789012345678901234567890'],
    ['0.12345678901234567', '0.12345678901234567'],
    ['1.0000000000000000001', '1.0000000000000000001'],
    ['1e400', '1e400'],
    ['-1e-400', '-1e-400'],
    ['12345678901234567e2', '12345678901234567e2'],
  ])('keeps %s as its digits', (source, digits) => {
    expect(parseExactJson(source)).toBe(digits);
    expect(parseExactJson(`{"a":[${source} , {"b":${source}}]}`)).toEqual({ a: [digits, { b: digits }] });
  });

  it.each([
    '0',
    '-0',
    '1',
    '-17',
    '0.1',
    '1.50',
    '15e-1',
    '1e3',
    '1E+21',
    '1000000000000000000',
    '123456789.25',
  ])('keeps %s a number', (source) => {
    expect(parseExactJson(source)).toBe(JSON.parse(source));
  });

  it('is not slowed down by a number of a million digits', () => {
    const digits = `1${'0'.repeat(1_000_000)}1`;
    expect(parseExactJson(`[${digits}]`)).toEqual([digits]);
  });

  it('leaves digits inside of texts and keys alone', () => {
    const text = '{"9007199254740993":"[9007199254740993,1e400] \\" 9007199254740993"}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it('holds every whole number and every decimal number exactly', () => {
    const decimal = fc
      .tuple(fc.bigInt(), fc.stringMatching(/^\d{0,30}$/), fc.option(fc.integer({ min: -30, max: 30 })))
      .map(([whole, fraction, exponent]) => {
        const point = fraction === '' ? '' : `.${fraction}`;
        return `${whole}${point}${exponent === null ? '' : `e${exponent}`}`;
      });
    fc.assert(
      fc.property(decimal, (source) => {
        const read = parseExactJson(`[${source}]`) as [number | string];
        expect(fractionOf(String(read[0]))).toEqual(fractionOf(source));
      }),
    );
  });
});

describe('text that is not JSON', () => {
  it.each([
    '',
    '{',
    '[1,',
    '"a',
    '{"a":1',
    '[01234567890123456789]',
    '[12345678901234567890.]',
    '[12345678901234567890 1]',
    '[1 12345678901234567890]',
    '{12345678901234567890:1}',
    '{"a":1,12345678901234567890}',
    '{"a" 12345678901234567890}',
    '["a"12345678901234567890]',
    '[12345678901234567890"a"]',
    '12345678901234567890 {}',
    '[--12345678901234567890]',
    '[+12345678901234567890]',
    '[1e400e1]',
    '<html>12345678901234567890</html>',
    '[NaN]',
  ])('refuses %s as JSON.parse does', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('accepts and refuses the same texts as JSON.parse', () => {
    const piece = fc.constantFrom(
      ...'{}[],:" \n'.split(''),
      '"a"',
      '12345678901234567890',
      '1e999',
      '-',
      '1',
      'e',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(accepts(() => parseExactJson(text))).toBe(accepts(() => JSON.parse(text)));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('endsInside', () => {
  it('is true for every beginning of a document but the whole', () => {
    const text = '{"a":[1,{"b":"x]}\\""}],"c":null}';
    for (let length = 1; length < text.length; length += 1)
      expect(endsInside(text.slice(0, length))).toBe(true);
    expect(endsInside(text)).toBe(false);
    expect(endsInside('no json')).toBe(false);
  });
});

describe('whole documents', () => {
  it('reads what JSON.parse reads where no digit is at risk', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('lets the last of equal keys count, and keeps __proto__ an ordinary key', () => {
    expect(parseExactJson('{"a":1,"a":2}')).toEqual({ a: 2 });
    const read = parseExactJson('{"__proto__":{"polluted":true}}') as object;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.keys(read)).toEqual(['__proto__']);
  });

  it.each([
    ['{"a":1,"a":1}', true],
    ['{ "a" : 1 , "\\u0061" : 2 }', true],
    ['[{"b":[{"a":":","a:":0}]},{"a":{"x":1,"y":2,"x":3}}]', true],
    ['{"__proto__":1,"__proto__":{}}', true],
    ['{"a":1,"A":1," a":1}', false],
    ['[{"a":1},{"a":1,"b":{"a":1}}]', false],
    ['{":":":","\\":\\"":"\\\\","x":12345678901234567890}', false],
    ['":"', false],
    ['{}', false],
  ])('tells equal keys in %s: %s', (text, hasEqualKeys) => {
    expect(parseExactJsonCountingKeys(text)).toEqual({ value: parseExactJson(text), hasEqualKeys });
  });

  it('finds no equal keys where there are none', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.integer({ min: 0, max: 3 }), (text, indent) => {
        const written = JSON.stringify(JSON.parse(text), null, indent);
        expect(parseExactJsonCountingKeys(written).hasEqualKeys).toBe(false);
      }),
    );
  });

  it('refuses nesting that a recursive reader could not survive', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseExactJson(nested(maxJsonDepth))).toBeInstanceOf(Array);
    expect(() => parseExactJson(nested(maxJsonDepth + 1))).toThrow(SyntaxError);
    expect(() => parseExactJson('['.repeat(1_000_000))).toThrow(SyntaxError);
    expect(parseExactJson(`["${'['.repeat(1_000)}"]`)).toHaveLength(1);
  });
});

describe('numbers that are made to be read slowly', () => {
  // A reader that looks back from each zero takes about 10 s for these, one that passes through them 0.1 s.
  it.each([
    ['a one behind nearly a thousand zeros', `1.${'0'.repeat(996)}1`],
    ['zeros in front', `0.${'0'.repeat(996)}1`],
    ['zeros behind', `1${'0'.repeat(998)}`],
    ['groups of zeros', `1.${`${'0'.repeat(99)}1`.repeat(9)}`],
  ])('%s', (_, number) => {
    const body = `[${`${number},`.repeat(8_000)}1]`;
    const before = process.cpuUsage();
    const numbers = parseExactJson(body);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_500);
    expect(numbers).toHaveLength(8_001);
  });
});

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (cause) {
    expect(cause).toBeInstanceOf(SyntaxError);
    return false;
  }
}

/** The number as a fraction in lowest powers of ten, computed with `bigint` only. */
function fractionOf(text: string): { digits: bigint; exponent: number } {
  const match = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) throw new Error(`no number: ${text}`);
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  let digits = BigInt(`${sign}${whole}${fraction}`);
  let exponent = Number(exponentText) - fraction.length;
  if (digits === 0n) return { digits: 0n, exponent: 0 };
  while (digits % 10n === 0n) {
    digits /= 10n;
    exponent += 1;
  }
  return { digits, exponent };
}

describe('parseCutJson', () => {
  it.each([
    ['[[1],[[2]],{"a":[3]}]', 2, [[1], ['…'], { a: '…' }]],
    ['{"a]":[{"}":"[\\"]"}]}', 2, { 'a]': ['…'] }],
    ['[[12345678901234567890],12345678901234567890]', 1, ['…', '12345678901234567890']],
    ['"[[["', 1, '[[['],
  ])('%s at %i', (text, deepest, value) => {
    expect(parseCutJson(text, deepest)).toEqual({ value, isCut: JSON.stringify(value).includes('…') });
  });

  it.each([
    ['{"a":[[[1', 2],
    ['[[]]]', 1],
    ['', 1],
  ])('%j stays what cannot be parsed', (text, deepest) => {
    expect(() => parseCutJson(text, deepest)).toThrow(SyntaxError);
  });

  it('changes nothing of JSON that is not deeper, and makes the rest parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 8 }), (text, deepest) => {
        const { value, isCut } = parseCutJson(text, deepest);
        expect(depthOf(value)).toBeLessThanOrEqual(deepest);
        expect(isCut).toBe(depthOf(JSON.parse(text)) > deepest);
        if (!isCut) expect(value).toEqual(parseExactJson(text));
      }),
    );
  });

  it('takes a megabyte of brackets', () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    expect(depthOf(parseCutJson(deep, 64).value)).toBe(64);
  });
});

describe('what may be no JSON', () => {
  it('is null where it is none, and a failure of another kind stays one', () => {
    expect(jsonOrNull(() => parseExactJson('{"a":1}'))).toEqual({ a: 1 });
    for (const text of ['', '<html>', '{"a":', '['.repeat(maxJsonDepth + 1)])
      expect(jsonOrNull(() => parseExactJson(text))).toBeNull();
    const fault = new TypeError('a bug');
    expect(() =>
      jsonOrNull(() => {
        throw fault;
      }),
    ).toThrow(fault);
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
