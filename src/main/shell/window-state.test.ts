import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { keepState, parseWindowState, placeWindow, preferredWindow, smallestWindow } from './window-state.ts';

const display = { x: 0, y: 0, width: 1920, height: 1040 };
const second = { x: 1920, y: 0, width: 1280, height: 1000 };
const at = (x: number, y: number, width = 1000, height = 700) => ({
  bounds: { x, y, width, height },
  maximized: false,
});

describe('placeWindow', () => {
  it('opens in the middle at the preferred size the first time', () => {
    const { bounds } = placeWindow(null, [display]);
    expect(bounds).toEqual({ x: 320, y: 100, ...preferredWindow });
  });

  it('opens where it was, on any display', () => {
    expect(placeWindow(at(100, 50), [display]).bounds).toEqual(at(100, 50).bounds);
    expect(placeWindow(at(2000, 50), [display, second]).bounds).toEqual(at(2000, 50).bounds);
  });

  it.each([
    ['a display that is gone', at(2000, 50)],
    ['above the screen', at(100, -200)],
    ['below the screen', at(100, 1030)],
    ['all but off the left', at(-950, 50)],
  ])('comes back to the first display from %s', (_where, stored) => {
    const { bounds } = placeWindow(stored, [display]);
    expect(bounds).toEqual({ x: 460, y: 170, width: 1000, height: 700 });
  });

  it('is never larger than its display and never too small to use', () => {
    expect(placeWindow(at(0, 0, 9000, 9000), [display]).bounds).toEqual(display);
    expect(placeWindow(at(0, 0, 150, 100), [display]).bounds).toMatchObject(smallestWindow);
  });

  it('keeps that it was maximized', () => {
    expect(placeWindow({ ...at(0, 0), maximized: true }, [display]).maximized).toBe(true);
  });
});

describe('keepState', () => {
  it('stores the place of a window that closes, and lets it close where that cannot be stored', () => {
    const { bounds } = at(10, 20);
    const window = Object.assign(new EventEmitter(), {
      ...{ isMinimized: () => false, getNormalBounds: () => bounds, isMaximized: () => true },
    });
    const written: unknown[] = [];
    const log = { info: () => undefined, warn: () => undefined, error: vi.fn(() => 'ref') };
    const disk = { isFull: false };
    const write = (state: object): void => {
      if (disk.isFull) throw new Error('ENOSPC');
      written.push(state);
    };
    keepState(window, { store: { read: () => null, write }, log });
    window.emit('close');
    disk.isFull = true;
    window.emit('close');
    expect(written).toEqual([{ bounds, maximized: true }]);
    expect(log.error).toHaveBeenCalledOnce();
  });
});

describe('parseWindowState', () => {
  it.each([undefined, null, 'wide', {}, { bounds: { x: 'left' } }, { ...at(0, 0, -5, 10) }, at(0.5, 0)])(
    'takes %j as nothing stored',
    (stored) => {
      expect(parseWindowState(stored)).toBeNull();
    },
  );

  it('reads what was written', () => {
    expect(parseWindowState(JSON.parse(JSON.stringify(at(1, 2))))).toEqual(at(1, 2));
  });
});
