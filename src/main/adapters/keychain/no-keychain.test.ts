import { expect, it } from 'vitest';
import { noKeychain } from './no-keychain.ts';

it('neither keeps nor has anything, and says so', async () => {
  const absent = { ok: false, failure: 'absent' };
  expect(await noKeychain.write('http://127.0.0.1:1', 'a-key')).toEqual(absent);
  expect(await noKeychain.read('http://127.0.0.1:1', { isAskedFor: true, onLate: () => {} })).toEqual(absent);
  expect(await noKeychain.remove('http://127.0.0.1:1')).toEqual(absent);
  expect(noKeychain.isBusy()).toBe(false);
});
