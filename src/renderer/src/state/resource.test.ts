import { cleanup, screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { err, ok, type Result } from '../../../shared/errors.ts';
import type { ReceivedAnswer } from '../../../shared/health/types.ts';
import LastAnswer from '../features/nodes/checks/LastAnswer.svelte';
import { renderInApp, testNowMs } from '../testing/render.ts';

afterEach(cleanup);

/** A fold whose content is read while it is open. Answers come when the test gives them. */
async function setUp() {
  const given: ((result: Result<ReceivedAnswer | null>) => void)[] = [];
  const window = await renderInApp(
    LastAnswer,
    { id: 'n1' },
    {
      prepare: (bridge) =>
        bridge.answer('nodes.received', () => new Promise((give) => void given.push(give))),
    },
  );
  const { app, bridge, user } = window;
  const [status] = app.nodes;
  if (status === undefined) throw new Error('the sample watches a node');
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  return {
    ...window,
    asked: () => bridge.argsOf('nodes.received'),
    text: () => screen.queryByLabelText('The node’s response')?.textContent ?? null,
    press: async () => {
      await user.click(screen.getByText('Last response, as received'));
      await turn();
    },
    show: async (id: string) => {
      await window.rerender({ id });
      await turn();
    },
    give: async (index: number, body: string | null) => {
      given[index]?.(
        body === null
          ? err({ code: 'storage', message: 'busy' })
          : ok({ atMs: testNowMs, httpStatus: 200, body, length: body.length }),
      );
      await turn();
    },
    polled: async (id = 'n1') => {
      bridge.emit('node.changed', { ...status, polling: false, node: { ...status.node, id } });
      await turn();
    },
  };
}

it('an answer is read where it is shown, and again once it is old', async () => {
  const { asked, text, press, give, polled } = await setUp();
  expect(asked()).toEqual([]);
  await press();
  expect(screen.queryByText(/No answer/)).toBeNull();
  await give(0, 'first');
  expect(text()).toBe('first');
  await polled('n2');
  expect(asked()).toEqual([{ id: 'n1' }]);
  await polled();
  // What is shown stays until the new one arrives.
  expect([asked(), text()]).toEqual([[{ id: 'n1' }, { id: 'n1' }], 'first']);
  await give(1, 'second');
  expect(text()).toBe('second');
});

it('an answer is kept while it is hidden, until it is old', async () => {
  const { asked, text, press, give, polled } = await setUp();
  await press();
  await give(0, 'first');
  for (let times = 0; times < 2; times += 1) {
    await press();
    expect(text()).toBeNull();
    await press();
    expect([asked().length, text()]).toEqual([1, 'first']);
  }
  await press();
  await polled();
  expect(asked()).toHaveLength(1);
  await press();
  expect(asked()).toHaveLength(2);
});

it('a burst of changes causes one more read, after what is settling', async () => {
  const { app, asked, text, press, give, polled } = await setUp();
  const settled = Promise.withResolvers<void>();
  vi.spyOn(app, 'settle').mockReturnValue(settled.promise);
  await press();
  for (let times = 0; times < 5; times += 1) await polled();
  await give(0, 'first');
  expect([asked().length, text()]).toEqual([1, 'first']);
  settled.resolve();
  await expect.poll(() => asked().length).toBe(2);
  await give(1, 'second');
  expect([asked().length, text()]).toEqual([2, 'second']);
});

it.each([true, false])(
  'what became old before it was hidden is not kept, and not read while it is (answered by then: %s)',
  async (isAnswered) => {
    const { app, asked, text, press, give, polled } = await setUp();
    const settled = Promise.withResolvers<void>();
    vi.spyOn(app, 'settle').mockReturnValue(settled.promise);
    await press();
    await polled();
    if (isAnswered) await give(0, 'old');
    await press();
    if (!isAnswered) await give(0, 'old');
    settled.resolve();
    await press();
    expect(asked()).toEqual([{ id: 'n1' }, { id: 'n1' }]);
    await give(1, 'new');
    expect(text()).toBe('new');
  },
);

it('another subject shows nothing of the one before, whose late answer is ignored', async () => {
  const { asked, text, press, show, give } = await setUp();
  await press();
  await give(0, 'of n1');
  await show('n2');
  expect(text()).toBeNull();
  await show('n3');
  await give(1, 'of n2');
  expect(text()).toBeNull();
  // Kept.
  await show('n1');
  await give(2, 'of n3');
  expect([asked(), text()]).toEqual([[{ id: 'n1' }, { id: 'n2' }, { id: 'n3' }], 'of n1']);
});

it('a failure is shown instead of what it could not renew, and nothing is kept of either', async () => {
  const { asked, text, press, give, polled } = await setUp();
  await press();
  await give(0, 'first');
  await polled();
  await give(1, null);
  expect(screen.getByRole('alert')).toBeTruthy();
  await press();
  await press();
  expect(asked()).toHaveLength(3);
  await give(2, 'third');
  expect([screen.queryByRole('alert'), text()]).toEqual([null, 'third']);
});
