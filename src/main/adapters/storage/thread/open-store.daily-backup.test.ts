import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../shared/time.ts';
import { createErrorLog, createManualTimers } from '../testing/ports.ts';
import { workerUrl } from '../testing/worker-url.ts';
import { openStore } from './open-store.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'watchkeeper-backup-daily-'));
});
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

it('one that could not be made is tried again an hour later', async () => {
  const timers = createManualTimers();
  const clock = { nowMs: () => 20_000 * dayMs, monotonicMs: () => 0 };
  const store = await openStore({ directory, workerUrl, clock, timers, log: createErrorLog().log });
  const backup = join(directory, 'store.backup.sqlite');
  // Nothing can take the place of a folder.
  mkdirSync(backup);
  timers.fire();
  await expect.poll(() => store.status.notices).toEqual([expect.stringMatching(/^The app couldn’t back up/)]);
  rmSync(backup, { recursive: true });
  await expect.poll(() => timers.delaysMs).toEqual([hourMs]);
  timers.fire();
  await expect.poll(() => store.status.notices).toEqual([]);
  expect(statSync(backup).isFile()).toBe(true);
  await store.close();
  expect(timers.delaysMs).toEqual([]);
});
