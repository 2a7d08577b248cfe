import { expect, it } from 'vitest';
import type { StorageStatus } from '../../../../shared/ipc/answers.ts';
import { mergeStatuses } from './merge-statuses.ts';

it('tells the worst state and every notice, once', () => {
  const ready: StorageStatus = { state: 'ready', notKept: false, notices: [] };
  const memory: StorageStatus = { state: 'memory', notKept: false, notices: ['No disk.'] };
  const failed: StorageStatus = { state: 'failed', notKept: false, notices: ['Broken.'] };
  expect(mergeStatuses([ready, ready])).toEqual(ready);
  expect(mergeStatuses([ready, { state: 'opening', notKept: false, notices: [] }]).state).toBe('opening');
  expect(mergeStatuses([memory, ready, memory])).toEqual(memory);
  expect(mergeStatuses([ready, { ...ready, notKept: true }]).notKept).toBe(true);
  expect(mergeStatuses([memory, failed])).toEqual({
    state: 'failed',
    notKept: false,
    notices: ['No disk.', 'Broken.'],
  });
});
