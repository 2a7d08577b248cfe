import type { ElectronApplication } from 'playwright/test';

type Evaluate = ElectronApplication['evaluate'];

/** What Playwright says when V8 has collected the promise of an answer, which the main process does now and then. */
const lostAnswer = /promise was garbage collected/i;

/** Runs in the main process. */
function answerOnce(electron: unknown, [id, source, argument]: [number, string, unknown]): unknown {
  // A name of this file alone.
  const answers = ((globalThis as { watchkeeperAnswers?: Map<number, unknown> }).watchkeeperAnswers ??=
    new Map());
  if (!answers.has(id)) {
    const turn = new Promise((begin) => void setImmediate(begin));
    // oxlint-disable-next-line no-eval -- a function of a test travels as text, as Playwright sends it
    const answer = turn.then(() => (0, eval)(`(${source})`)(electron, argument));
    answers.set(id, answer);
  }
  return answers.get(id);
}

/**
 * `evaluate` of an app, safe in the two cases where Playwright's is not:
 * - The function runs in a turn of its own. What a debugger sends runs in the middle of whatever runs at the moment: a socket
 *   that was closed there, while Node took in what it had read, ended the main process.
 * - No answer is lost: the main process keeps it, and is asked for it again. The function runs once, however often it is asked.
 *
 * What the function throws is thrown.
 */
export function evaluateOnce(app: Pick<ElectronApplication, 'evaluate'>): Evaluate {
  const evaluate = app.evaluate.bind(app);
  let asked = 0;
  const once = async (pageFunction: unknown, argument?: unknown): Promise<unknown> => {
    const call: [number, string, unknown] = [++asked, String(pageFunction), argument];
    for (let left = 5; ; left--) {
      try {
        return await evaluate(answerOnce, call);
      } catch (error) {
        if (left === 0 || !lostAnswer.test(String(error))) throw error;
      }
    }
  };
  // The same calls as Playwright's, whose types name each form of function and argument.
  return once as Evaluate;
}
