import { describe, expect, it } from 'vitest';
import { budgetLong, budgetShort, formatBytes } from './run-words.ts';

const unknown = {
  remainingThisMinute: null,
  limitPerMinute: null,
  remainingToday: null,
  limitPerDay: null,
  heldUntilMs: null,
};

describe('the words of the budget', () => {
  it('say that it is unknown', () => {
    expect(budgetShort(unknown, 0)).toBe('unknown');
    expect(budgetLong('Metrics', unknown, 0)).toBe('Metrics: the service has not told its limits yet.');
  });

  it('say what is left, and never more than it is', () => {
    const share = { ...unknown, remainingThisMinute: 7_999, limitPerMinute: 8_000, remainingToday: 12_000 };
    expect(budgetShort(share, 0)).toBe('99 %');
    expect(budgetLong('Chain data', share, 0)).toBe(
      'Chain data: 7,999 of 8,000 units left this minute, 12,000 units left today.',
    );
  });

  it('count down while nothing may be sent', () => {
    expect(budgetShort(unknown, 12_000)).toBe('waits 12 s');
    expect(budgetShort(unknown, 0)).toBe('unknown');
  });
});

it('writes sizes as people say them', () => {
  expect([512, 12_345, 4_000_000].map(formatBytes)).toEqual(['512 B', '12.3 KB', '4.0 MB']);
});
