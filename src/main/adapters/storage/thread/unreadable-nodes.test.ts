import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../sqlite/database.ts';
import { loadDriver } from '../sqlite/load-driver.ts';
import { createErrorLog, createManualTimers, fixedClock } from '../testing/ports.ts';
import { sampleNode } from '../testing/sample-data.ts';
import { openStore } from './open-store.ts';
import { workerUrl } from '../testing/worker-url.ts';

let directory: string;
const asides = () => readdirSync(directory).filter((name) => name.startsWith('store.corrupt-'));
const open = () =>
  openStore({
    directory,
    workerUrl,
    clock: fixedClock(0),
    timers: createManualTimers(),
    log: createErrorLog().log,
    drivers: ['node:sqlite'],
    busyTimeoutMs: 0,
  });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'watchkeeper-unreadable-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

it.each([
  ['its backup takes its place', true],
  ['an empty one does where the backup cannot be read either', false],
])('a sound store whose nodes cannot be read is set aside; %s', async (_what, isBackedUp) => {
  const store = await open();
  await store.health.putNode(sampleNode());
  if (isBackedUp) await store.backup();
  await store.close();
  const file = join(directory, 'store.sqlite');
  const database = openDatabase(loadDriver(['node:sqlite']), file, {
    access: 'read-write',
    busyTimeoutMs: 0,
  });
  database.transaction((writer) =>
    writer.run(`UPDATE health_node SET node_json = json_remove(node_json, '$.tags')`),
  );
  database.close();

  const unread = await open();
  if (!isBackedUp) await unread.backup();
  await expect(unread.health.listNodes()).rejects.toThrow('set aside if need be');
  expect(asides()).toEqual([]);
  await unread.close();

  // As by Try again.
  const next = await open();
  expect(next.status).toMatchObject({ state: 'ready', notices: [expect.stringMatching(/set aside as/)] });
  expect(await next.health.listNodes()).toEqual(isBackedUp ? [sampleNode()] : []);
  expect(asides()).toHaveLength(isBackedUp ? 1 : 2);
  await next.close();
  const last = await open();
  expect(last.status.notices).toEqual([]);
  await last.close();
});
