import { describe, expect, it, vi } from 'vitest';
import { Removals, type Removal } from './removals.ts';

function setUp(finish: () => unknown = () => undefined) {
  const error = vi.fn(() => 'ref');
  let ids = 0;
  const removals = new Removals({
    random: { id: () => `id ${(ids += 1)}`, fraction: () => 0 },
    log: { info: vi.fn(), warn: vi.fn(), error },
  });
  const removal = { putBack: vi.fn(), finish: vi.fn(finish) } satisfies Removal;
  return { removals, removal, error, ...removals.offer(removal) };
}

describe('a removal', () => {
  it('is put back, or finished, once', async () => {
    const { removals, removal, undoId } = setUp();
    await removals.settle(undoId, true);
    expect([removal.putBack, removal.finish].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    await expect(removals.settle(undoId, true)).rejects.toThrow('can no longer be undone');
    await removals.settle(removals.offer(removal).undoId, false);
    expect([removal.putBack, removal.finish].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it('that cannot be finished is put back, and says why', async () => {
    const { removals, removal, undoId } = setUp(() => Promise.reject(new Error('disk full')));
    await expect(removals.settle(undoId, false)).rejects.toThrow('disk full');
    expect(removal.putBack).toHaveBeenCalledOnce();
  });

  it('is finished once no window offers to undo it, or put back where that fails', async () => {
    const { removals, removal, error } = setUp(() => Promise.reject(new Error('disk full')));
    const other = { putBack: vi.fn(), finish: vi.fn() };
    removals.offer(other);
    await removals.finishOffered();
    expect(error).toHaveBeenCalledOnce();
    expect([removal.putBack, other.finish].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    await removals.finishAll();
    expect([removal, other].map(({ finish }) => finish.mock.calls.length)).toEqual([1, 1]);
  });

  it('that cannot be put back stays one: it may be put back later, and is finished at the end', async () => {
    const { removals, removal, undoId } = setUp();
    removal.putBack.mockImplementationOnce(() => {
      throw new Error('the same address was added');
    });
    await expect(removals.settle(undoId, true)).rejects.toThrow('the same address');
    await removals.settle(undoId, true);
    await expect(removals.settle(undoId, true)).rejects.toThrow('can no longer be undone');
    expect(removal.putBack).toHaveBeenCalledTimes(2);
    const other = { putBack: vi.fn(() => Promise.reject(new Error('taken'))), finish: vi.fn() };
    await expect(removals.settle(removals.offer(other).undoId, true)).rejects.toThrow('taken');
    await removals.finishAll();
    expect(other.finish).toHaveBeenCalledOnce();
  });

  it('that is being put back at the end is not finished after that', async () => {
    const { removals, removal, undoId } = setUp();
    const disk = Promise.withResolvers<void>();
    removal.putBack.mockImplementationOnce(() => disk.promise);
    const undone = removals.settle(undoId, true);
    const ended = removals.finishAll();
    disk.resolve();
    await Promise.all([undone, ended]);
    expect(removal.finish).not.toHaveBeenCalled();
  });

  it('that is offered while another is finished at the end is finished as well', async () => {
    const disk = Promise.withResolvers<void>();
    const { removals } = setUp(() => disk.promise);
    const ended = removals.finishAll();
    const other = { putBack: vi.fn(), finish: vi.fn() };
    const { undoId } = removals.offer(other);
    disk.resolve();
    await ended;
    expect(other.finish).toHaveBeenCalledOnce();
    await expect(removals.settle(undoId, true)).rejects.toThrow('can no longer be undone');
  });

  it('that is being deleted when the app ends is deleted before it has ended', async () => {
    const disk = Promise.withResolvers<void>();
    const { removals, undoId } = setUp(() => disk.promise);
    const deleted = removals.settle(undoId, false);
    let hasEnded = false;
    const ended = removals.finishAll().then(() => (hasEnded = true));
    for (let n = 0; n < 9; n += 1) await Promise.resolve();
    expect(hasEnded).toBe(false);
    disk.resolve();
    await Promise.all([deleted, ended]);
  });

  it('is finished at the end, whatever becomes of another, which the log has', async () => {
    const { removals, removal, error } = setUp(() => Promise.reject(new Error('disk full')));
    const other = { putBack: vi.fn(), finish: vi.fn() };
    removals.offer(other);
    await removals.finishAll();
    expect(other.finish).toHaveBeenCalledOnce();
    expect(removal.putBack).not.toHaveBeenCalled();
    expect(error).toHaveBeenCalledOnce();
    await removals.finishAll();
    expect(other.finish).toHaveBeenCalledOnce();
  });
});
