import { describe, expect, it } from 'vitest';
import { err, ok, type Result } from '../../../shared/errors.ts';
import { Action } from './action.svelte.ts';

/** Answers come when the test gives them. */
function questions() {
  const given: { subject: string; answer: (result: Result<string>) => void; signal: AbortSignal }[] = [];
  const action: Action<[subject: string], string> = new Action(
    (subject) =>
      new Promise<Result<string>>((answer) => void given.push({ subject, answer, signal: action.signal })),
    (subject) => subject,
  );
  return { given, action };
}

describe('an action', () => {
  it('keeps what is known while newer of the same subject is on its way, and drops it for another', async () => {
    const { given, action } = questions();
    const first = action.refresh('day');
    given[0]?.answer(ok('old'));
    expect(await first).toEqual(ok('old'));
    const second = action.refresh('day');
    expect([action.value, action.running]).toEqual(['old', true]);
    given[1]?.answer(ok('new'));
    await second;
    expect([action.value, action.running]).toEqual(['new', false]);
    void action.refresh('week');
    expect(action.value).toBeUndefined();
  });

  it('takes the answer to the last time only, and ends the signal of the one before', async () => {
    const { given, action } = questions();
    const both = [action.run('day'), action.run('day')];
    given[1]?.answer(ok('second'));
    given[0]?.answer(ok('first'));
    await Promise.all(both);
    expect([action.value, action.running]).toEqual(['second', false]);
    expect(given.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('says why there is no answer until it is done again, and keeps what was known', async () => {
    const { given, action } = questions();
    const failure = err({ code: 'storage' as const, message: 'busy' });
    for (const [index, answer] of [ok('known'), failure].entries()) {
      const asked = action.run('day');
      given[index]?.answer(answer);
      await asked;
    }
    expect([action.value, action.error?.code]).toEqual(['known', 'storage']);
    void action.refresh('day');
    expect(action.error?.code).toBe('storage');
    const again = action.run('day');
    expect(action.error).toBeNull();
    given[3]?.answer(ok('again'));
    await again;
    expect([action.value, action.error]).toEqual(['again', null]);
  });

  it('is not changed by an answer that nobody waits for any more', async () => {
    const { given, action } = questions();
    const running = action.run('day');
    action.stop();
    given[0]?.answer(ok('late'));
    await running;
    expect([action.value, action.running]).toEqual([undefined, false]);
  });

  it('is at rest before it begins, forgets its error when it is told to, and keeps what it knows', async () => {
    const { given, action } = questions();
    expect([action.running, action.value, action.error]).toEqual([false, undefined, null]);
    for (const answer of [ok('known'), err({ code: 'storage', message: 'busy' } as const)]) {
      const asked = action.run('day');
      given.at(-1)?.answer(answer);
      await asked;
    }
    action.reset();
    expect([action.value, action.error]).toEqual(['known', null]);
  });
});
