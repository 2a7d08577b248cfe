import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from '../fixtures.ts';
import { projectDir } from '../running-app.ts';

const preloadDir = join(projectDir, 'out', 'preload');

interface BuiltBridge {
  invoke(channel: string, args?: unknown): unknown;
  listen(listener: (...parts: unknown[]) => void): () => void;
}

/** Runs the built script in an empty context with a stand-in for Electron, and keeps what it asks for. */
async function runPreload() {
  const required: string[] = [];
  const exposed = new Map<string, unknown>();
  const invoked: string[] = [];
  const listeners = new Map<string, (event: unknown, payload: unknown) => void>();
  const electron = {
    contextBridge: { exposeInMainWorld: (name: string, value: unknown) => exposed.set(name, value) },
    ipcRenderer: {
      invoke: (channel: string) => void invoked.push(channel),
      on: (channel: string, relay: (event: unknown, payload: unknown) => void) =>
        listeners.set(channel, relay),
      removeListener: (channel: string) => listeners.delete(channel),
    },
  };
  const require = (name: string) => {
    required.push(name);
    if (name !== 'electron') throw new Error(`A sandboxed preload script has no ${name}.`);
    return electron;
  };
  runInNewContext(await readFile(join(preloadDir, 'index.cjs'), 'utf8'), {
    require,
    module: { exports: {} },
  });
  // What the script exposes is typed by the contract; here it is only called.
  const bridge = exposed.get('watchkeeper') as BuiltBridge;
  return { required, exposed, invoked, listeners, bridge };
}

test('the built bridge is one script that requires only Electron and names no channel of anybody else', async () => {
  expect(await readdir(preloadDir)).toEqual(['index.cjs']);
  const text = await readFile(join(preloadDir, 'index.cjs'), 'utf8');
  // Every schema of the library carries "_zod", also in a minified build.
  expect(text).not.toMatch(/zod|safeParse/i);
  expect(text).not.toMatch(/^\s*(import|export)\b|\bimport\(/m);
  const { required, exposed } = await runPreload();
  expect(required).toEqual(['electron']);
  expect([...exposed.keys()]).toEqual(['watchkeeper']);
});

test('the built bridge reaches calls and events of the app alone, and keeps the event object', async () => {
  const { bridge, invoked, listeners } = await runPreload();
  const names = ['app.snapshot', 'secret.get', 'toString', '', 'ELECTRON_BROWSER_REQUIRE'];
  for (const name of names) bridge.invoke(name);
  expect(invoked).toEqual(names.map((name) => `call:${name}`));

  const heard: unknown[][] = [];
  const stop = bridge.listen((...parts) => heard.push(parts));
  expect([...listeners.keys()]).toEqual(['events']);
  listeners.get('events')?.({ sender: 'a handle on the main process' }, 'events as text');
  expect(heard).toEqual([['events as text']]);
  stop();
  expect(listeners.size).toBe(0);
});
