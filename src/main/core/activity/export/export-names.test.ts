import { expect, it } from 'vitest';
import { BookService } from '../watchlist/book-service.ts';
import { exportNames, readNames } from './export-names.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';

it('an export calls addresses and chains as they are called now, labels before names of the book', async () => {
  const { list, watchlist, stores, time, rest, events } = buildWatchHarness();
  const book = new BookService({ store: stores.book, clock: time.clock, emit: events.emit });
  const names = exportNames(list, book);
  events.on('watchlist.changed', names.forget);
  events.on('book.changed', names.forget);
  expect(names.nameOf(address)).toBeNull();
  const lookAlike = `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`;
  expect(names.lookAlikes().of(lookAlike)).toBeNull();
  await book.put(address, 'Bank', null);
  expect(names.lookAlikes().of(lookAlike)).toBe(address.toLowerCase());
  expect(names.nameOf(address.toLowerCase())).toBe('Bank');
  await watchlist.add(address, { label: 'Mine' });
  await rest();
  expect(names.nameOf(address)).toBe('Mine');
  await watchlist.update(address, { label: null, tags: [], colour: null, paused: false });
  expect(names.nameOf(address)).toBe('Bank');
  // As another thread gets them.
  expect(readNames(names.written()).nameOf(address)).toBe('Bank');
  expect([names.chainName('43114'), names.chainName('7')]).toEqual(['C-Chain', null]);
  expect(names.nativeToken('43114')).toEqual({ symbol: 'AVAX', decimals: 18 });
});
