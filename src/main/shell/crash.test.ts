import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { startAgainAfterCrash } from './crash.ts';

interface Crashing {
  again?: { execPath: string; args: string[] } | null;
}

function crashing({ again = { execPath: '/opt/app', args: ['--x'] } }: Crashing = {}) {
  const process = new EventEmitter();
  const app = { isPackaged: true, relaunch: vi.fn() };
  const end = vi.fn();
  const dialog = { showErrorBox: vi.fn() };
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn(() => 'ref') };
  const clock = { nowMs: 0 };
  startAgainAfterCrash({
    ...{ app, dialog, process, log, end },
    clock: { monotonicMs: () => clock.nowMs },
    startAgain: () => again,
  });
  return { process, app, dialog, log, clock, end };
}

it('starts again after a crash, without a dialog that somebody would have to press', () => {
  const { process, app, dialog, log, clock, end } = crashing();
  clock.nowMs = 60_000;
  const error = new Error('odd');
  // As where the terminal is gone to which it is told.
  log.error.mockImplementation(() => {
    if (log.error.mock.calls.length < 9) process.emit('uncaughtException', new Error('write EIO'));
    return 'ref';
  });
  process.emit('uncaughtException', error);
  expect(log.error).toHaveBeenCalledWith('app.crashed', error);
  expect(app.relaunch.mock.calls).toEqual([[{ execPath: '/opt/app', args: ['--x'] }]]);
  expect(end).toHaveBeenCalledOnce();
  expect(dialog.showErrorBox).not.toHaveBeenCalled();
});

it.each([
  ['within its first minute', 59_999, {}],
  ['as sample data', 60_000, { again: null }],
])('ends and says so where it crashes %s', (_when, ranMs, options) => {
  const { process, app, dialog, clock, end } = crashing(options);
  clock.nowMs = ranMs;
  process.emit('uncaughtException', new Error('odd'));
  expect(app.relaunch).not.toHaveBeenCalled();
  expect(dialog.showErrorBox.mock.calls[0]?.[1]).toContain('for “ref');
  expect(end).toHaveBeenCalledOnce();
});

it('goes on after a rejection that nobody took, and logs it', () => {
  const { process, log, end } = crashing();
  process.emit('unhandledRejection', 'odd');
  expect(log.error).toHaveBeenCalledWith('app.rejection-unhandled', 'odd');
  expect(end).not.toHaveBeenCalled();
});
