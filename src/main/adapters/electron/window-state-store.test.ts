import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openWindowStateStore } from './window-state-store.ts';

// electron-store asks the package `electron` where the app keeps its files, and that looks for the runtime.
vi.hoisted(() => {
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = '/nowhere';
});

it('keeps the place; where it cannot be read, there is none, and the log says why', () => {
  const folder = mkdtempSync(join(tmpdir(), 'watchkeeper-window-'));
  const log = { info: () => undefined, warn: () => undefined, error: vi.fn(() => 'ref') };
  const store = openWindowStateStore(folder, log);
  store.write({ maximized: true });
  expect(store.read()).toEqual({ maximized: true });
  rmSync(join(folder, 'window.json'));
  mkdirSync(join(folder, 'window.json'));
  expect(store.read()).toBeNull();
  expect(log.error).toHaveBeenCalledOnce();
  rmSync(folder, { recursive: true });
});
