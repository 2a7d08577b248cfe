import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../../shared/errors.ts';
import { createFakeTime } from '../../health/testing/fake-ports.ts';
import { BookService } from './book-service.ts';
import { asResults } from '../../testing/as-results.ts';
import { createTestStores } from '../testing/test-stores.ts';
import { createFakeEvents } from '../../testing/fake-events.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';

function build(stores = createTestStores()) {
  const time = createFakeTime();
  const events = createFakeEvents();
  const book = asResults(new BookService({ store: stores.book, clock: time.clock, emit: events.emit }));
  const seen: string[][] = [];
  events.on('book.changed', (entries) => seen.push(entries.map(({ name }) => name)));
  return { time, stores, book, seen };
}

describe('the book', () => {
  it('names an address in any spelling, changes the name, and forgets it', async () => {
    const { time, stores, book, seen } = build();
    const named = await book.put(address.toLowerCase(), ' Exchange\n', '  ');
    expect(named).toEqual({
      ok: true,
      value: { address, name: 'Exchange', note: null, changedAtMs: time.clock.nowMs() },
    });
    await book.put(address, 'Bank', 'since May');
    expect(book.list()).toMatchObject([{ address, name: 'Bank', note: 'since May' }]);
    const again = build(stores).book;
    await again.load();
    expect(again.list()).toEqual(book.list());
    const [kept] = book.list();
    const removal = unwrap(await book.remove(address.toLowerCase()));
    await unwrap(await book.remove(address)).putBack();
    expect(await stores.book.list()).toEqual([]);
    expect(seen).toEqual([['Exchange'], ['Bank'], [], []]);
    // Put back as it was, but not over a name that was given meanwhile.
    await removal.putBack();
    expect(await stores.book.list()).toEqual([kept]);
    const second = unwrap(await book.remove(address));
    await book.put(address, 'Shop', null);
    // Otherwise the window would say that it was restored.
    expect(() => second.putBack()).toThrow('named this address again');
    expect(book.list()).toMatchObject([{ name: 'Shop' }]);
  });

  it.each([
    ['', 'x', 'Enter an address.'],
    ['alice', 'x', 'This isn’t an address'],
    [address.replace('E7', 'e7'), 'x', address],
    [address, ' \u0007 ', 'Enter a name.'],
  ])('refuses %j named %j in words', async (text, name, words) => {
    const { book, seen } = build();
    const refused = await book.put(text, name, null);
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    if (!refused.ok) expect(refused.error.message).toContain(words);
    expect(seen).toEqual([]);
  });

  it('holds nothing that could not be stored', async () => {
    const { stores, book } = build();
    stores.failWrites(true);
    expect(await book.put(address, 'x', null)).toMatchObject({ ok: false, error: { code: 'storage' } });
    expect(book.list()).toEqual([]);
    expect(await book.remove('no address')).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
  });
});
