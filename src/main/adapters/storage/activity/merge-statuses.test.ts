import { expect, it } from 'vitest';
import type { StorageStatus } from '../../../../shared/ipc/answers.ts';
import { mergeStatuses } from './merge-statuses.ts';

it('tells the worst state and every notice', () => {
  const ready: StorageStatus = { state: 'ready', notices: [] };
  const memory: StorageStatus = { state: 'memory', notices: ['No disk.'] };
  const failed: StorageStatus = { state: 'failed', notices: ['Broken.'] };
  expect(mergeStatuses([ready, ready])).toEqual(ready);
  expect(mergeStatuses([ready, { state: 'opening', notices: [] }]).state).toBe('opening');
  expect(mergeStatuses([memory, ready])).toEqual(memory);
  expect(mergeStatuses([memory, failed])).toEqual({ state: 'failed', notices: ['No disk.', 'Broken.'] });
});
