import { expect, it } from 'vitest';
import { nameOf } from './value-counts.ts';

it('an address is found by the name that the window shows: its label, else that of the book, else the service’s', () => {
  const names = {
    watched: new Map([
      ['0xaa', { label: 'Savings', tags: [] }],
      ['0xbb', { label: null, tags: [] }],
    ]),
    book: new Map([
      ['0xaa', 'Bank'],
      ['0xbb', 'Shop'],
    ]),
  };
  const found = ['0xAA', '0xBB', '0xCC'].map((address) => nameOf(address, names, 'Exchange'));
  expect(found).toEqual(['Savings', 'Shop', 'Exchange']);
});
