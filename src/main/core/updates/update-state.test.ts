import { expect, it } from 'vitest';
import type { UpdateState } from '../../../shared/updates.ts';
import { nextUpdateState, type UpdateEvent } from './update-state.ts';

const error = { code: 'timeout', message: 'late' } as const;
const version = '1.2.3';
const idle: UpdateState = { at: 'idle' };
const asking: UpdateState = { at: 'asking', version: null };
const askingAgain: UpdateState = { at: 'asking', version };
const newest: UpdateState = { at: 'newest', askedAtMs: 7 };
const available: UpdateState = { at: 'available', version };
const downloading: UpdateState = { at: 'downloading', version, share: null };
const ready: UpdateState = { at: 'ready', version };
const failed: UpdateState = { at: 'failed', version: null, error };
const all = [idle, asking, askingAgain, newest, available, downloading, ready, failed];

/** For each event: what becomes of each state that it changes. In all others it has no place. */
const table: [event: UpdateEvent, changes: [from: UpdateState, to: UpdateState][]][] = [
  [
    { kind: 'ask' },
    [
      [available, askingAgain],
      ...[idle, newest, failed].map((from): [UpdateState, UpdateState] => [from, asking]),
    ],
  ],
  [{ kind: 'answered', version, atMs: 7 }, [asking, askingAgain].map((from) => [from, available])],
  [{ kind: 'answered', version: null, atMs: 7 }, [asking, askingAgain].map((from) => [from, newest])],
  [{ kind: 'download' }, [[available, downloading]]],
  [{ kind: 'progressed', share: 0.5 }, [[downloading, { at: 'downloading', version, share: 0.5 }]]],
  [{ kind: 'downloaded' }, [[downloading, ready]]],
  [
    { kind: 'failed', error },
    [
      [asking, failed],
      [askingAgain, { at: 'available', version, error }],
      [downloading, { at: 'failed', version, error }],
    ],
  ],
  [{ kind: 'cancel' }, [[downloading, available]]],
  [{ kind: 'off' }, all.map((from) => [from, idle])],
];

it.each(table)('%o has its place in some states, and none in others', (event, changes) => {
  for (const state of all) {
    const change = changes.find(([from]) => from === state);
    if (change === undefined) expect(nextUpdateState(state, event)).toBe(state);
    else expect(nextUpdateState(state, event)).toEqual(change[1]);
  }
});
