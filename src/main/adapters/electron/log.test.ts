import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLog } from './log.ts';

let folder: string;
beforeEach(async () => {
  // What a terminal would show.
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue();
  folder = await mkdtemp(join(tmpdir(), 'watchkeeper-log-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const clock = { nowMs: () => 7, monotonicMs: () => 0 };

it('has of an error, in the file and for the diagnostics, its places and nothing that it says', async () => {
  const log = openLog(folder, clock);
  log.info('ipc', { channel: 'app.snapshot' });
  log.warn('keychain.failed', { call: 'read' });
  const secret = 'sk-live-7f3a9c52e1';
  const cause = new RangeError(`one ${secret}\n    at ${secret} (/home/${secret}/x.ts:1:2)`);
  const ref = log.error('node.record', cause);
  log.error('node.put', secret);
  const entries = log.recent();
  expect(entries).toMatchObject([
    { atMs: 7, event: 'keychain.failed', fields: { call: 'read' }, error: [] },
    { atMs: 7, event: 'node.record', fields: { ref } },
    { event: 'node.put', error: ['thrown: string'] },
  ]);
  const [name, first = '', ...others] = entries[1]?.error ?? [];
  expect(name).toBe('RangeError');
  expect(first).toMatch(/^at .* ?\(log\.test\.ts:\d+:\d+\)$/);
  expect(others.length).toBeGreaterThan(0);
  expect(JSON.stringify(entries)).not.toContain(secret);
  expect(JSON.stringify(entries)).not.toContain('/src/');
  const file = await readFile(join(folder, 'logs', 'main.log'), 'utf8');
  expect(file).toContain(`node.record ref="${ref}" RangeError at `);
  expect(file).not.toContain(secret);
});

it('keeps no more than fifty of them', () => {
  const log = openLog(folder, clock);
  for (let count = 0; count < 60; count += 1) log.warn('a.warning', { count });
  expect(log.recent().map(({ fields }) => fields['count'])).toEqual(
    Array.from({ length: 50 }, (_, at) => at + 10),
  );
});

it('goes on where the terminal that it writes to is gone', () => {
  for (const stream of [process.stdout, process.stderr])
    expect(() => stream.emit('error', new Error('write EIO'))).not.toThrow();
});
