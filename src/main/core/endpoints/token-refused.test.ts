import { expect, it } from 'vitest';
import { errorFromAnswer } from '../../../shared/endpoints/error-answer.ts';
import { isTokenRefused } from './token-refused.ts';

it.each([
  [400, true],
  [401, false],
  [403, true],
  [404, true],
  [408, false],
  [409, true],
  [410, true],
  [422, true],
  [429, false],
  [500, true],
  [502, false],
  [503, false],
  [504, false],
])('a status of %i for a page token: refused is %s', (status, isRefused) => {
  expect(isTokenRefused(errorFromAnswer({ status, headers: {}, body: '' }, 0))).toBe(isRefused);
});

it.each([
  { code: 'unreachable', message: '' },
  { code: 'timeout', message: '' },
  { code: 'cancelled', message: '' },
  { code: 'bad-response', message: '', issues: [] },
] as const)('$code is not about the token', (error) => {
  expect(isTokenRefused(error)).toBe(false);
});
