import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withNoise } from '../testing/noise.ts';
import { createErrorLog, createManualTimers, fixedClock } from '../testing/ports.ts';
import { storageMessage } from '../testing/sample-data.ts';
import { openStore } from './open-store.ts';
import { workerUrl } from '../testing/worker-url.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'watchkeeper-backup-damage-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

const open = () =>
  openStore({
    directory,
    workerUrl,
    clock: fixedClock(0),
    timers: createManualTimers(),
    log: createErrorLog().log,
    // Too large to be checked as a whole at the start.
    thoroughUpToBytes: 0,
  });

it('one that broke off halfway does not stand in the way of the next', async () => {
  const store = await open();
  writeFileSync(join(directory, 'store.backup.unfinished.sqlite'), 'half');
  await store.backup();
  expect(store.status.notices).toEqual([]);
  await store.close();
});

it('damage that only a backup meets is told, and has the store set aside at the next start', async () => {
  const store = await open();
  const bodyText = 'x'.repeat(10_000);
  for (let n = 0; n < 200; n += 1)
    await store.answers.write({ key: `${n}`, endpointId: 'e', paramsJson: '{}', bodyText, fetchedAtMs: 1 });
  await store.close();
  const path = join(directory, 'store.sqlite');
  const bytes = readFileSync(path);
  writeFileSync(path, withNoise(bytes, bytes.length / 2, bytes.length / 2, 1));

  const damaged = await open();
  expect(damaged.status.notices).toEqual([]);
  expect(await storageMessage(damaged.backup())).toMatch(/damaged/);
  expect(damaged.status.notices).toEqual([expect.stringMatching(/damaged.*checks it at the next start/s)]);
  await damaged.close();

  const next = await open();
  expect(next.status.notices).toEqual([expect.stringMatching(/set aside as/)]);
  await next.close();
});
