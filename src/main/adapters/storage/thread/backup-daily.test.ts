import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../shared/time.ts';
import { createErrorLog, createManualTimers } from '../testing/ports.ts';
import { workerUrl } from '../testing/worker-url.ts';
import { openStore } from './open-store.ts';

const directory = mkdtempSync(join(tmpdir(), 'watchkeeper-backup-daily-'));
afterEach(() => rmSync(directory, { recursive: true }));

it('a backup is made a day after the last one also where the computer slept for most of it', async () => {
  let atMs = 20_000 * dayMs;
  const clock = { nowMs: () => atMs, monotonicMs: () => 0 };
  const timers = createManualTimers();
  const open = () => openStore({ directory, workerUrl, clock, timers, log: createErrorLog().log });
  const first = await open();
  await first.backup();
  await first.close();
  const store = await open();
  for (const passedMs of [hourMs, hourMs, dayMs - 2 * hourMs]) {
    expect(timers.delaysMs).toEqual([hourMs]);
    atMs += passedMs;
    timers.fire();
  }
  expect(timers.delaysMs).toEqual([60_000]);
  const made = new Promise((resolve) => store.onStatus(resolve));
  timers.fire();
  await made;
  expect(statSync(join(directory, 'store.backup.sqlite')).mtimeMs).toBe(atMs);
  await store.close();
});
