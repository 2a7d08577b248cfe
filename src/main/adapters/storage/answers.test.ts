import { beforeEach, describe, expect, it } from 'vitest';
import type { StorePorts } from './store-ports.ts';
import { backends } from './testing/backends.ts';

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

  it('does not see later changes to what it was given', async () => {
    const given = { ...answer };
    await stores.answers.write(given);
    given.bodyText = 'changed';
    expect(await stores.answers.read('k')).toEqual(answer);
  });
});
