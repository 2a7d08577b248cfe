import { describe, expect, it, vi } from 'vitest';
import { err, ok } from '../../../shared/errors.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { emptyWorld } from '../testing/sample-world.ts';
import { Messages, type Later } from './messages.svelte.ts';

/** Messages whose time passes when the test says so. */
function setUp() {
  const bridge = new FakeBridge(emptyWorld(testNowMs));
  installBridge(bridge);
  const planned = new Map<() => void, number>();
  const later: Later = (delayMs, then) => {
    planned.set(then, delayMs);
    return () => void planned.delete(then);
  };
  const passTime = () => {
    const due = [...planned.keys()];
    planned.clear();
    for (const then of due) then();
  };
  return { bridge, messages: new Messages(later), planned, passTime };
}

describe('a removal', () => {
  it('is undone as long as the message stands, and is final afterwards', async () => {
    const { bridge, messages, planned, passTime } = setUp();
    let undone = 0;
    messages.removed('Node removed.', { undoId: 'a' }, () => (undone += 1));
    expect([...planned.values()]).toEqual([10_000]);
    expect(messages.undoable).toMatchObject({ text: 'Node removed.' });
    await messages.undo(messages.undoable?.id ?? 0);
    expect(undone).toBe(1);
    expect(messages.list).toMatchObject([{ kind: 'done', text: 'Restored.' }]);

    messages.removed('Name removed.', { undoId: 'b' }, () => (undone += 1));
    passTime();
    await expect.poll(() => messages.list).toEqual([]);
    expect(messages.undoable).toBeNull();
    expect(undone).toBe(1);
    expect(bridge.argsOf('removals.settle')).toEqual([
      { undoId: 'a', putBack: true },
      { undoId: 'b', putBack: false },
    ]);
  });

  it('waits while somebody is at the message', () => {
    const { messages, planned, passTime } = setUp();
    messages.removed('Node removed.', { undoId: 'a' });
    const id = messages.undoable?.id ?? 0;
    messages.hold(id);
    passTime();
    expect(messages.list).toHaveLength(1);
    messages.letGo(id);
    messages.letGo(id);
    expect([...planned.values()]).toEqual([10_000]);
    passTime();
    expect(messages.list).toEqual([]);
  });

  it('waits while the window is out of sight, and then stands for its whole time', () => {
    const { messages, planned, passTime } = setUp();
    messages.removed('Node removed.', { undoId: 'a' });
    messages.setInSight(false);
    messages.done('Export written.');
    passTime();
    expect(messages.list).toHaveLength(2);
    const id = messages.undoable?.id ?? 0;
    messages.hold(id);
    messages.setInSight(true);
    expect([...planned.values()]).toEqual([4_000]);
    messages.letGo(id);
    expect([...planned.values()]).toEqual([4_000, 10_000]);
    passTime();
    expect(messages.list).toEqual([]);
  });

  it('can be undone for its whole time, whatever is done meanwhile: what needs nobody gives way', () => {
    const { bridge, messages } = setUp();
    messages.removed('One.', { undoId: 'a' });
    for (const text of ['w', 'x', 'y', 'z']) messages.done(text);
    expect(messages.list).toMatchObject([{ text: 'One.' }, { text: 'y' }, { text: 'z' }]);
    for (const undoId of ['b', 'c', 'd']) messages.removed(undoId, { undoId });
    messages.done('Last.');
    expect(messages.list.map((message) => 'text' in message && message.text)).toEqual([
      ...['One.', 'b', 'c', 'd', 'Last.'],
    ]);
    expect(bridge.argsOf('removals.settle')).toEqual([]);
  });

  it('gives way to no newer message', () => {
    const { bridge, messages } = setUp();
    messages.removed('One.', { undoId: 'a' });
    for (const text of ['w', 'x', 'y', 'z']) messages.done(text);
    expect(messages.list).toMatchObject([{ text: 'One.' }, { text: 'y' }, { text: 'z' }]);
    expect(bridge.argsOf('removals.settle')).toEqual([]);
  });

  it('tells why it cannot be undone, or could not be finished', async () => {
    const { bridge, messages, passTime } = setUp();
    const error = { code: 'storage', message: 'The disk is full.' } as const;
    bridge.answer('removals.settle', () => err(error));
    messages.removed('One.', { undoId: 'a' });
    passTime();
    await expect.poll(() => messages.list).toMatchObject([{ kind: 'error', error }]);
  });

  it('that could not be undone is offered again, but not one that is gone for good', async () => {
    const { messages } = setUp();
    const errors = [{ code: 'storage', message: 'The disk is full.' } as const, null];
    messages.offerUndo('View removed.', () => {
      const error = errors.shift();
      return Promise.resolve(error ? err(error) : ok(null));
    });
    await messages.undo(messages.undoable?.id ?? 0);
    expect(messages.list).toMatchObject([{ text: 'View removed.' }, { kind: 'error' }]);
    await messages.undo(messages.undoable?.id ?? 0);
    expect(messages.list).toMatchObject([{ kind: 'error' }, { text: 'Restored.' }]);
    messages.offerUndo('Gone.', () => Promise.resolve(err({ code: 'not-found', message: 'Gone.' })));
    await messages.undo(messages.undoable?.id ?? 0);
    expect(messages.undoable).toBeNull();
  });

  it('by the window itself is undone by it', async () => {
    const { messages, planned } = setUp();
    const settled: boolean[] = [];
    messages.offerUndo('View deleted.', (putBack) => Promise.resolve(ok(settled.push(putBack))));
    const id = messages.undoable?.id ?? 0;
    await Promise.all([messages.undo(id), messages.undo(id)]);
    expect(settled).toEqual([true]);
    // Nothing waits any more for the end of the message.
    expect([...planned.values()]).toEqual([4_000]);
  });
});

describe('a message', () => {
  const failure = { code: 'storage', message: 'The disk is full.' } as const;

  it('goes by itself after four seconds, and an error only when it is dismissed', () => {
    vi.useFakeTimers();
    const messages = new Messages();
    messages.error(failure);
    messages.done('One.');
    vi.advanceTimersByTime(2_000);
    const [error, one] = messages.list.map(({ id }) => id);
    messages.hold(one ?? 0);
    messages.letGo(one ?? 0);
    messages.letGo(error ?? 0);
    vi.advanceTimersByTime(3_999);
    expect(messages.list.map(({ kind }) => kind)).toEqual(['error', 'done']);
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(60_000);
    expect(messages.list.map(({ kind }) => kind)).toEqual(['error']);
    messages.dismiss(error ?? 0);
    messages.dismiss(error ?? 0);
    expect(messages.list).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('gives way to no newer one while somebody is at it', () => {
    const { messages } = setUp();
    messages.done('One.');
    messages.hold(messages.list[0]?.id ?? 0);
    for (const text of ['w', 'x', 'y', 'z']) messages.done(text);
    expect(messages.list).toMatchObject([{ text: 'One.' }, { text: 'y' }, { text: 'z' }]);
  });

  it('of a failure gives way to none of success, and to the fourth of a failure', () => {
    const { messages } = setUp();
    const fail = (message: string) => messages.error({ code: 'storage', message });
    fail('The disk is full.');
    for (const text of ['a', 'b', 'c', 'd']) messages.done(text);
    expect(messages.list).toMatchObject([{ kind: 'error' }, { text: 'c' }, { text: 'd' }]);
    for (const text of ['e', 'f', 'g']) fail(text);
    expect(messages.list).toMatchObject(['e', 'f', 'g'].map((message) => ({ error: { message } })));
  });

  it('says what an answer has brought, where there is something to say', async () => {
    const { messages } = setUp();
    const texts = () => messages.list.map((message) => ('text' in message ? message.text : message.error));
    expect(await messages.report(Promise.resolve(ok(1)))).toEqual({ value: 1 });
    await messages.report(Promise.resolve(ok(2)), () => null);
    expect(texts()).toEqual([]);
    await messages.report(Promise.resolve(ok(3)), (value) => `${value} rows.`);
    await messages.report(Promise.resolve(ok(4)), 'Saved.');
    expect(await messages.report(Promise.resolve(err(failure)), 'Saved.')).toBeNull();
    expect(texts()).toEqual(['3 rows.', 'Saved.', failure]);
  });

  it('tells a failure of a form that has been closed, and none that the form shows', () => {
    const { messages } = setUp();
    messages.unlessShown(err(failure), true);
    messages.unlessShown(ok(1), false);
    expect(messages.list).toEqual([]);
    messages.unlessShown(err(failure), false);
    expect(messages.list).toMatchObject([{ kind: 'error', error: failure }]);
  });

  it('says whether something was copied', async () => {
    const { bridge, messages } = setUp();
    await messages.copy('0x1', 'Address copied.');
    bridge.answer('app.copyText', () => err({ code: 'internal', message: 'No clipboard.', ref: 'r' }));
    await messages.copy('0x1', 'Address copied.');
    expect(messages.list).toMatchObject([
      { kind: 'done', text: 'Address copied.' },
      { kind: 'error', error: { code: 'internal', message: 'No clipboard.', ref: 'r' } },
    ]);
    expect(new Set(messages.list.map(({ id }) => id)).size).toBe(2);
  });

  it('of one that is undone leaves the others', async () => {
    const { messages } = setUp();
    messages.done('One.');
    messages.removed('Two.', { undoId: 'b' });
    await messages.undo(messages.undoable?.id ?? 0);
    expect(messages.list).toMatchObject([{ text: 'One.' }, { text: 'Restored.' }]);
  });
});
