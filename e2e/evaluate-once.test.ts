import type { ElectronApplication } from 'playwright/test';
import { expect, test } from 'vitest';
import { evaluateOnce } from './evaluate-once.ts';

type Call = (electron: unknown, argument: unknown) => unknown;

/** An app in this process whose answers are lost the first times. */
function appThatLoses(lost: number): Pick<ElectronApplication, 'evaluate'> {
  let left = lost;
  const evaluate = async (pageFunction: Call, argument: unknown): Promise<unknown> => {
    const answer = await pageFunction({ name: 'electron' }, argument);
    if (left-- > 0) throw new Error('electronApplication.evaluate: Resulting promise was garbage collected.');
    return answer;
  };
  return { evaluate };
}

test('an answer that was lost is asked for again, and the function has run once', async () => {
  Reflect.set(globalThis, 'countedCalls', 0);
  const evaluate = evaluateOnce(appThatLoses(2));
  const answer = await evaluate((electron, added: number) => {
    const count = Number(Reflect.get(globalThis, 'countedCalls')) + added;
    Reflect.set(globalThis, 'countedCalls', count);
    return [count, Reflect.get(electron, 'name')];
  }, 3);
  expect(answer).toEqual([3, 'electron']);
  expect(Reflect.get(globalThis, 'countedCalls')).toBe(3);
  expect(await evaluate(() => 'another')).toBe('another');
  Reflect.deleteProperty(globalThis, 'countedCalls');
  Reflect.deleteProperty(globalThis, 'watchkeeperAnswers');
});

test('what the function throws is thrown', async () => {
  const evaluate = evaluateOnce(appThatLoses(0));
  await expect(
    evaluate(() => {
      throw new Error('of the function');
    }),
  ).rejects.toThrow('of the function');
  Reflect.deleteProperty(globalThis, 'watchkeeperAnswers');
});

test('the function runs in a turn of its own, not in the middle of another one', async () => {
  const evaluate = evaluateOnce(appThatLoses(0));
  const order: string[] = [];
  Reflect.set(globalThis, 'order', order);
  const answer = evaluate(() => {
    Reflect.get(globalThis, 'order').push('function');
  });
  await Promise.resolve();
  order.push('what was under way');
  await answer;
  expect(order).toEqual(['what was under way', 'function']);
  Reflect.deleteProperty(globalThis, 'order');
  Reflect.deleteProperty(globalThis, 'watchkeeperAnswers');
});
