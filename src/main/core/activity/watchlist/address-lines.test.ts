import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toChecksumAddress } from '../../../../shared/address.ts';
import { addressColours } from '../../../../shared/activity/types.ts';
import { addressesToCsv, addressesToJson, readAddressLines, type ListedAddress } from './address-lines.ts';

const one = '0x52908400098527886E0F7030069857D2E4169EE7';
const two = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

function summary(text: string) {
  return readAddressLines(text).map(({ line, address, label, problem }) => ({
    line,
    address,
    label,
    problem,
  }));
}

describe('readAddressLines', () => {
  it('reads an address a line, with or without a name, and counts empty lines', () => {
    expect(summary(`${one}\n\n  ${two.toLowerCase()}  Cold wallet\r\nnonsense`)).toEqual([
      { line: 1, address: one, label: null, problem: null },
      { line: 3, address: two, label: 'Cold wallet', problem: null },
      { line: 4, address: null, label: null, problem: 'not-an-address' },
    ]);
  });

  it.each(['\t', ' ', ';', ','])('reads a name with a comma after an address and %j', (separator) => {
    expect(summary(`${one}${separator}Smith, John\n${two}${separator}Cold`)).toMatchObject([
      { address: one, label: expect.stringMatching(/^Smith,? +John$/) as string },
      { address: two, label: 'Cold' },
    ]);
  });

  it.each([' ', '  ', ' ; '])('leaves the commas in a name after an address and %j', (separator) => {
    expect(summary(`${one}${separator}Smith, John, and wife`)).toMatchObject([
      { address: one, label: 'Smith, John, and wife' },
    ]);
  });

  it.each([' ', ', ', '; ', '\t'])(
    'reads each of several addresses in a line with %j between them',
    (between) => {
      expect(summary(`${one}${between}${two}${between}Hot\n${two}\tProxy of ${one}`)).toEqual([
        { line: 1, address: one, label: null, problem: null },
        { line: 1, address: two, label: 'Hot', problem: null },
        { line: 2, address: two, label: `Proxy of ${one}`, problem: null },
      ]);
    },
  );

  it('takes a quote that is not closed for a letter, and loses no line after it', () => {
    expect(summary(`${one},"Cold\n${two},"Hot\n${one},"Big" bag`)).toMatchObject([
      { line: 1, address: one, label: '"Cold' },
      { line: 2, address: two, label: '"Hot' },
      { line: 3, address: one, label: '"Big" bag' },
    ]);
  });

  it.each([',', ';', '\t'])('finds the heads of columns parted by %j below empty lines', (separator) => {
    const text = `\n  \r\naddress,label,paused\n${one},Cold,true`.replaceAll(',', separator);
    expect(readAddressLines(text)).toMatchObject([{ line: 4, address: one, label: 'Cold', paused: true }]);
  });

  it('offers the right spelling of a wrong checksum', () => {
    const wrong = one.replace('E0F', 'e0F');
    expect(readAddressLines(wrong)).toMatchObject([
      { address: null, problem: 'wrong-checksum', suggestion: one },
    ]);
  });

  it('reads columns by their names, in any order, parted by comma, semicolon or tab', () => {
    for (const separator of [',', ';', '\t']) {
      const text = [
        ['Label', 'other', 'ADDRESS'].join(separator),
        [`"A ""big""${separator} one"`, 'x', one].join(separator),
      ].join('\n');
      expect(summary(text)).toEqual([
        { line: 2, address: one, label: `A "big"${separator} one`, problem: null },
      ]);
    }
  });

  it('says nothing about what a file does not have', () => {
    expect(readAddressLines(`address\n${one}`)).toMatchObject([{ tags: null, colour: null, paused: null }]);
    expect(readAddressLines(`address,colour\n${one},pink`)).toMatchObject([{ colour: null }]);
  });

  it('keeps a line break inside of quotes in its row and counts on', () => {
    expect(summary(`address,label\n${one},"two\nlines"\n${two},b`)).toEqual([
      { line: 2, address: one, label: 'two\nlines', problem: null },
      { line: 4, address: two, label: 'b', problem: null },
    ]);
  });

  it.each(['[', '[1, null, {}]', '{"address": 1}', '"', ',', '\u0000', '[{"address": ["x"], "tags": 7}]'])(
    'tells what is wrong with %j and does not throw',
    (text) => {
      expect(readAddressLines(text).every(({ address }) => address === null)).toBe(true);
    },
  );

  it('never throws, whatever it is given', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readAddressLines(text)));
  });

  it('says that it leaves out what is too much', () => {
    const many = Array.from({ length: 10_002 }, (_, n) =>
      toChecksumAddress(`0x${String(n).padStart(40, '0')}`),
    );
    const first = (count: number) => many.slice(0, count);
    for (const write of [
      (list: string[]) => `${list.join('\n')}\n\n`,
      (list: string[]) => ['address', ...list.slice(1)].join('\n'),
      (list: string[]) => JSON.stringify(list),
    ]) {
      expect(readAddressLines(write(first(10_000))).every(({ address }) => address !== null)).toBe(true);
      const read = readAddressLines(write(first(10_002)));
      expect(read.filter(({ address }) => address === null)).toMatchObject([
        {
          line: 10_001,
          problem: 'not-an-address',
          input: expect.stringContaining(many[10_001] ?? '') as string,
        },
      ]);
    }
  });

  it('says so of too many addresses in one line too', () => {
    const read = readAddressLines(Array(10_002).fill(one).join(' '));
    expect(read).toHaveLength(10_001);
    expect(read.filter(({ problem }) => problem !== null)).toEqual([read.at(-1)]);
  });

  it('takes no more and no longer tags than a person may give', () => {
    const tags = Array.from({ length: 40 }, (_, at) => `${at} ${'x'.repeat(80)}`);
    const table = `address,tags\n${one},${tags.join(';')}`;
    for (const text of [table, JSON.stringify([{ address: one, tags }])]) {
      const [line] = readAddressLines(text);
      expect(line?.tags).toHaveLength(20);
      expect(line?.tags?.[0]).toHaveLength(50);
    }
  });

  it('reads a JSON list around what is nested too deeply to be a line', () => {
    const deep = '['.repeat(300_000) + ']'.repeat(300_000);
    expect(
      readAddressLines(`["${one}", ${deep}, {"address": "${two}", "tags": ["a", ${deep}]}]`),
    ).toMatchObject([
      { address: one },
      { address: null, problem: 'not-an-address', input: '[["…"]]' },
      { address: two, tags: ['a', '…'] },
    ]);
  });

  it('reads its own CSV and JSON back as they were', () => {
    const text = fc
      .stringMatching(/^[ -~]{1,20}$/)
      .map((value) => value.trim())
      .filter((value) => value !== '' && !value.startsWith("'"));
    const listed: fc.Arbitrary<ListedAddress> = fc.record({
      address: fc.stringMatching(/^[0-9a-f]{40}$/).map((digits) => toChecksumAddress(`0x${digits}`)),
      label: fc.option(text),
      tags: fc.uniqueArray(
        text.filter((tag) => !/[,;]/.test(tag)),
        { maxLength: 3 },
      ),
      colour: fc.option(fc.constantFrom(...addressColours)),
      paused: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(listed, { minLength: 1, maxLength: 5 }), (list) => {
        for (const written of [addressesToCsv(list), addressesToJson(list)]) {
          const read = readAddressLines(written).map(
            ({ address, label, tags, colour, paused }) => ({ address, label, tags, colour, paused }) as const,
          );
          expect(read).toEqual(list);
        }
      }),
    );
  });
});
