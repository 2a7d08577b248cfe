import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { eventChannels, invokeChannels } from '../../src/shared/ipc/channels.ts';
import { expect, test } from '../fixtures.ts';
import { projectDir } from '../running-app.ts';

const preloadDir = join(projectDir, 'out', 'preload');

interface BuiltBridge {
  invoke(channel: string, args?: unknown): unknown;
  listen(channel: string, listener: (payload: unknown) => void): () => void;
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

test('the built bridge is one script that requires only Electron and has exactly the listed channels', async () => {
  expect(await readdir(preloadDir)).toEqual(['index.cjs']);
  const text = await readFile(join(preloadDir, 'index.cjs'), 'utf8');
  // Every schema of the library carries "_zod", also in a minified build.
  expect(text).not.toMatch(/zod|safeParse/i);
  expect(text).not.toMatch(/^\s*(import|export)\b|\bimport\(/m);
  const names = [...text.matchAll(/(["'`])([a-zA-Z]+\.[a-zA-Z]+)\1/g)].map(([, , name]) => name);
  expect(names.toSorted()).toEqual([...invokeChannels, ...eventChannels].toSorted());

  const { required, exposed } = await runPreload();
  expect(required).toEqual(['electron']);
  expect([...exposed.keys()]).toEqual(['watchkeeper']);
});

test('the built bridge passes listed names on, refuses all others, and keeps the event object', async () => {
  const { bridge, invoked, listeners } = await runPreload();
  for (const channel of invokeChannels) bridge.invoke(channel);
  expect(invoked).toEqual([...invokeChannels]);
  for (const channel of ['secret.get', 'toString', '', ...eventChannels]) {
    expect(() => bridge.invoke(channel)).toThrow('No such channel.');
  }
  expect(invoked).toHaveLength(invokeChannels.length);

  for (const channel of eventChannels) {
    const heard: unknown[][] = [];
    const stop = bridge.listen(channel, (...parts) => heard.push(parts));
    listeners.get(channel)?.({ sender: 'a handle on the main process' }, 'payload');
    expect(heard).toEqual([['payload']]);
    stop();
    expect(listeners.size).toBe(0);
  }
  for (const channel of ['ELECTRON_BROWSER_REQUIRE', '', ...invokeChannels]) {
    expect(() => bridge.listen(channel, () => undefined)).toThrow('No such channel.');
  }
});
