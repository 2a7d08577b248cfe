import { describe, expect, it } from 'vitest';
import { unwrap } from '../../shared/errors.ts';
import type { FileTask } from '../../shared/file-task.ts';
import { passing, periodMs, startMs } from './health/testing/past-world.ts';
import { createRecordingWorld } from './health/testing/recording-world.ts';

const span = { fromMs: startMs, toMs: startMs + 100 * periodMs };

async function createWorld() {
  const world = await createRecordingWorld();
  await world.node.repeat(100, () => ({ C: passing() }));
  const told: (FileTask | null)[] = [];
  world.events.on('recordingTask.changed', (task) => told.push(task));
  return { ...world, told, save: () => world.service.save({ id: world.node.id, ...span }) };
}

describe('a recording that is saved or opened', () => {
  it.each(['save', 'open'] as const)('(%s) tells how far it is, from nothing to all', async (kind) => {
    const { service, told, save } = await createWorld();
    if (kind === 'open') unwrap(await save());
    told.length = 0;
    unwrap(await (kind === 'save' ? save() : service.open()));
    expect(told[0]).toEqual({ kind, done: 0, share: 0 });
    expect(told.at(-1)).toBeNull();
    const shares = told.flatMap((task) => (task === null ? [] : [task.share]));
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.length).toBeGreaterThan(10);
    expect(shares.at(-1)).toBeGreaterThan(0.9);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
    expect(service.tasks.current).toBeNull();
  });

  it.each(['save', 'open'] as const)('(%s) leaves nothing behind when it is called off', async (kind) => {
    const { service, files, save, events } = await createWorld();
    if (kind === 'open') unwrap(await save());
    const before = files.files.size;
    const end = events.on('recordingTask.changed', (task) => {
      if ((task?.done ?? 0) > 20) service.tasks.cancel();
    });
    const result = await (kind === 'save' ? save() : service.open());
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(files.files.size).toBe(before);
    expect(service.list()).toEqual([]);
    end();
    // The next one is not called off.
    unwrap(await save());
    expect(unwrap(await service.open())?.reportCount).toBe(100);
  });

  it('is the only one, from when its place is asked for', async () => {
    const { service, save } = await createWorld();
    const first = save();
    expect(await service.open()).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    unwrap(await first);
    expect(unwrap(await service.open())).not.toBeNull();
  });

  it('ends when no place is chosen, or the file is none', async () => {
    const { service, files, save } = await createWorld();
    files.put('bad.jsonl.gz', 'hello\n');
    expect(await service.open()).toMatchObject({ ok: false, error: { code: 'bad-response' } });
    expect(service.tasks.current).toBeNull();
    files.refuse();
    expect(unwrap(await save())).toBeNull();
    expect(service.tasks.current).toBeNull();
  });

  it('is not called off by a word that came when none was under way', async () => {
    const { service, save } = await createWorld();
    service.tasks.cancel();
    expect(unwrap(await save())?.reportCount).toBe(100);
  });
});
