import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

describe('turns', () => {
  it('follow on one another, and a failure is told to its caller alone', async () => {
    const turns = new Turns();
    const done: string[] = [];
    const step = (name: string) => async () => {
      done.push(`${name} begins`);
      await Promise.resolve();
      done.push(`${name} ends`);
      if (name === 'b') throw new Error('b failed');
      return name;
    };
    const results = Promise.allSettled(['a', 'b', 'c'].map((name) => turns.take(step(name))));
    await turns.settled();
    expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
