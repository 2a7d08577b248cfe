import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { expect, it } from 'vitest';
import { createLookup } from './lookup.ts';

/** Lookups that end when they are told to. */
function build() {
  const asked: {
    name: string;
    end: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void;
  }[] = [];
  const lookup = createLookup((name, _options, end) => void asked.push({ name, end }));
  const ask = (name: string, options: Parameters<LookupFunction>[1] = { all: true }) =>
    new Promise((resolve) =>
      lookup(name, options, (error, address, family) => resolve(error?.code ?? [address, family])),
    );
  return { asked, ask };
}

const four = { address: '192.0.2.1', family: 4 };
const six = { address: '2001:db8::1', family: 6 };

it('looks a name up once at a time, for all who ask, and anew after that', async () => {
  const { asked, ask } = build();
  const both = [ask('node.example'), ask('node.example'), ask('other.example')];
  expect(asked.map(({ name }) => name)).toEqual(['node.example', 'other.example']);
  asked[0]?.end(null, [six, four]);
  asked[1]?.end(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
  expect(await Promise.all(both)).toEqual([[[six, four], undefined], [[six, four], undefined], 'ENOTFOUND']);
  const again = ask('node.example', { family: 4 });
  asked[2]?.end(null, [six, four]);
  expect(await again).toEqual([four.address, 4]);
});

it('says that a name has no address of the family that is asked for', async () => {
  const { asked, ask } = build();
  const found = ask('node.example', { family: 6, all: true });
  asked[0]?.end(null, [four]);
  expect(await found).toBe('ENOTFOUND');
});

it('asks nobody for this computer', async () => {
  const { asked, ask } = build();
  expect(await ask('localhost', { family: 0 })).toEqual(['127.0.0.1', 4]);
  expect(await ask('node.LOCALHOST', { family: 6 })).toEqual(['::1', 6]);
  expect(asked).toEqual([]);
});
