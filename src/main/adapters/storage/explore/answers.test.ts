import { beforeEach, describe, expect, it } from 'vitest';
import type { StorePorts } from '../store-ports.ts';
import { backends } from '../testing/backends.ts';

describe.each(backends)('answers over $name', ({ open }) => {
  let stores: StorePorts;
  beforeEach(() => {
    stores = open();
  });

  const answer = { key: 'k', endpointId: 'e', paramsJson: '{}', bodyText: '{"a":1}', fetchedAtMs: 5 };

  it('gives back what was written, exactly', async () => {
    const bodyText = JSON.stringify({ value: '123456789012345678901234567890', text: '\u0000😀\ud800' });
    await stores.answers.write({ ...answer, bodyText });
    expect(await stores.answers.read('k')).toEqual({ ...answer, bodyText });
  });

  it('knows nothing of another key', async () => {
    await stores.answers.write(answer);
    expect(await stores.answers.read('other')).toBeNull();
  });

  it('replaces the answer of the same key', async () => {
    await stores.answers.write(answer);
    const later = { ...answer, endpointId: 'f', paramsJson: '{"a":1}', bodyText: 'null', fetchedAtMs: 6 };
    await stores.answers.write(later);
    expect(await stores.answers.read('k')).toEqual(later);
  });

  it('replaces some by others, all at once', async () => {
    for (const key of ['a', 'b', 'c']) await stores.answers.write({ ...answer, key });
    await stores.answers.replace([{ ...answer, key: 'a', bodyText: 'new' }], ['b']);
    expect(await stores.answers.read('a')).toMatchObject({ bodyText: 'new' });
    expect(await stores.answers.read('b')).toBeNull();
    expect(await stores.answers.read('c')).toEqual({ ...answer, key: 'c' });
  });

  it('finds the answers of an endpoint that hold a text, newest first', async () => {
    const put = (key: string, endpointId: string, bodyText: string, fetchedAtMs: number) =>
      stores.answers.write({ ...answer, key, endpointId, bodyText, fetchedAtMs });
    await put('a', 'e', '{"id":"0x1_%"}', 1);
    await put('b', 'e', '{"id":"0x1_%","x":1}', 3);
    await put('c', 'f', '{"id":"0x1_%"}', 4);
    await put('d', 'e', '{"id":"0x1ab"}', 5);
    const keys = async (text: string, limit: number) =>
      (await stores.answers.holding({ endpointId: 'e', text, limit })).map(({ key }) => key);
    expect(await keys('0x1_%', 10)).toEqual(['b', 'a']);
    expect(await keys('0x1_%', 1)).toEqual(['b']);
    expect(await keys('0X1', 10)).toEqual([]);
  });

  it('does not see later changes to what it was given', async () => {
    const given = { ...answer };
    await stores.answers.write(given);
    given.bodyText = 'changed';
    expect(await stores.answers.read('k')).toEqual(answer);
  });
});
