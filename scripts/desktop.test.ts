import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { hasDesktop } from './desktop.mjs';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('the demo leaves out what Xfce shows where a part of it is missing, and says what to install', () => {
  const said = vi.spyOn(console, 'log').mockReturnValue();
  const folder = mkdtempSync(join(tmpdir(), 'watchkeeper-desktop-'));
  const add = (program: string) => writeFileSync(join(folder, program), '');
  vi.stubEnv('PATH', folder);
  for (const program of ['xfce4-panel', 'xdotool']) add(program);
  expect(hasDesktop()).toBe(false);
  expect(said.mock.calls.flat().join()).toContain('xfce4-panel, xfce4-notifyd and xdotool');
  add('xfce4-notifyd-config');
  expect(hasDesktop()).toBe(true);
  expect(said).toHaveBeenCalledTimes(1);
  rmSync(folder, { recursive: true });
});
