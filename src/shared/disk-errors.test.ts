import { expect, it } from 'vitest';
import { diskProblemOf } from './disk-errors.ts';

const failure = (code: unknown) => Object.assign(new Error('x'), { code });

// The store and the files that are saved had tables of their own, which differed in these.
it.each([
  ['EIO', 'failed'],
  ['ENOTDIR', 'missing'],
  ['EEXIST', 'taken'],
  ['EISDIR', 'taken'],
  ['EDQUOT', 'full'],
])('%s means %s for all that is written', (code, problem) => {
  expect(diskProblemOf(failure(code))).toBe(problem);
});

it.each([failure('EAGAIN'), failure(5), new Error('x'), 'ENOSPC', null])(
  '%s is no word of the disk',
  (cause) => {
    expect(diskProblemOf(cause)).toBeNull();
  },
);
