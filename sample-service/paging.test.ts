import { expect, it } from 'vitest';
import { createPageTokens } from './paging.ts';

it('keeps the newest tokens, and drops the oldest where it would keep too many', () => {
  const tokens = createPageTokens(1, 60, () => 1_000);
  const issue = (at: number) => tokens.issue({ at, part: 0 }, 'list');
  const [first, second] = [issue(0), issue(1)];
  for (let at = 2; at < 200_000; at += 1) issue(at);
  expect(tokens.redeem(first, 'list')).toEqual({ at: 0, part: 0 });
  const last = issue(200_000);
  expect(tokens.redeem(last, 'list')).toEqual({ at: 200_000, part: 0 });
  // One that is still used is not among the oldest.
  expect([first, second].map((token) => tokens.redeem(token, 'list')?.at ?? null)).toEqual([0, null]);
});
