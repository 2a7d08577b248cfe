import { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { expect, it, vi } from 'vitest';
import { seekEveryMs } from '../../core/health/poll/schedule.ts';
import { tryConnection } from './open-connection.ts';

it('a far host is not given up for its other address, which still has its turn before a node counts as gone', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect');
  const target = new URL('http://localhost:9/');
  const route = { target, proxy: null, certificate: null };
  const terms = { trusted: createSecureContext, signal: AbortSignal.abort() };
  const cancelled = tryConnection({ ...route, ...terms }, false);
  await expect(cancelled).rejects.toThrow('cancelled');
  const options: unknown = connect.mock.calls[0]?.flat()[0];
  connect.mockRestore();
  expect(options).toMatchObject({ host: 'localhost', autoSelectFamilyAttemptTimeout: 1_500 });
  expect(1_500).toBeLessThan(seekEveryMs);
});
