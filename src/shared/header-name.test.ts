import { expect, it } from 'vitest';
import { headersProblem } from '../renderer/src/features/nodes/panel/node-form.ts';
import { checkHeaders } from '../main/core/health/ask/node-fields.ts';
import { serviceProfileSchema, sampleServiceProfile } from './settings.ts';

/** Where the three differed: the form knew no forbidden names, the main process allowed 100 letters. */
it.each([
  ['x-api-key', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['Host', false],
  ['content-length', false],
  ['Cookie', false],
  ['connection', false],
  ['transfer-encoding', false],
  ['upgrade', false],
  ['accept', false],
  ['accept-encoding', false],
  ['Proxy-Authorization', false],
  ['sec-fetch-site', false],
  ['cookie-like', true],
  ['a\r\nhost: b', false],
  ['a b', false],
])('the header %s may be given: %s, in the form, in the main process and for the key', (name, isAllowed) => {
  const row = { key: 1, name, value: 'v', kept: false };
  expect(headersProblem([row]) === null).toBe(isAllowed);
  const check = () => checkHeaders([{ name, value: 'v' }]);
  if (isAllowed) expect(check()).toHaveLength(1);
  else expect(check).toThrow();
  const profile = { ...sampleServiceProfile, keyHeader: name.toLowerCase() };
  expect(serviceProfileSchema.safeParse(profile).success).toBe(isAllowed);
});
