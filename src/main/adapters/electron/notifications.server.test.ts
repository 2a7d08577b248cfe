import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { notificationServerAbilities } from './notifications.ts';

afterEach(() => vi.unstubAllEnvs());

it.skipIf(spawnSync('dbus-send', ['--version']).error !== undefined)(
  'a bus that takes the connection and says nothing is one without an answer, and not waited for',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'watchkeeper-bus-'));
    const bus = createServer().listen(join(folder, 'bus'));
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${join(folder, 'bus')}`);
    try {
      expect(await notificationServerAbilities(100)).toBeNull();
    } finally {
      bus.close();
      rmSync(folder, { recursive: true });
    }
  },
);
