import type { BrowserWindow } from 'electron';
import * as z from 'zod/mini';
import type { Log } from '../core/ports.ts';

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowState {
  bounds: Rectangle;
  maximized: boolean;
}

/** Stores the window's place between starts. The result of reading is untrusted. */
export interface WindowStateStore {
  read(): unknown;
  write(state: WindowState): void;
}

const size = z.int().check(z.gte(1), z.lte(100_000));
const position = z.int().check(z.gte(-100_000), z.lte(100_000));

const windowStateSchema = z.object({
  bounds: z.object({ x: position, y: position, width: size, height: size }),
  maximized: z.boolean(),
});

export const smallestWindow = { width: 760, height: 520 };
export const preferredWindow = { width: 1280, height: 840 };

/** Parses the stored state; null when it is not a valid one. */
export function parseWindowState(stored: unknown): WindowState | null {
  const parsed = windowStateSchema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}

/**
 * Where to put the window: at its last place if enough of its title bar to grab is on a connected display; otherwise in
 * the middle of the first display. Never larger than the display, and never too small to use.
 */
export function placeWindow(stored: WindowState | null, workAreas: readonly Rectangle[]): WindowState {
  const home = stored === null ? undefined : workAreas.find((area) => canTakeHold(stored.bounds, area));
  const area = home ?? workAreas[0] ?? { x: 0, y: 0, ...preferredWindow };
  const wanted = stored?.bounds ?? preferredWindow;
  const width = Math.min(Math.max(wanted.width, smallestWindow.width), area.width);
  const height = Math.min(Math.max(wanted.height, smallestWindow.height), area.height);
  const middleX = area.x + Math.round((area.width - width) / 2);
  const middleY = area.y + Math.round((area.height - height) / 2);
  const { x, y } = (home && stored?.bounds) ?? { x: middleX, y: middleY };
  return { bounds: { x, y, width, height }, maximized: stored?.maximized ?? false };
}

/** Saves the window's place when it closes; a crash loses only the last move. */
export function keepState(
  window: Pick<BrowserWindow, 'isMinimized' | 'getNormalBounds' | 'isMaximized'> & NodeJS.EventEmitter,
  { store, log }: { store: WindowStateStore; log: Log },
): void {
  window.on('close', () => {
    if (window.isMinimized()) return;
    try {
      store.write({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
    } catch (cause) {
      // It closes also where the disk is full.
      log.error('window.place-not-kept', cause);
    }
  });
}

/** At least 100 by 30 pixels of the top edge are within the area. */
function canTakeHold(bounds: Rectangle, area: Rectangle): boolean {
  const visibleWidth = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  return visibleWidth >= 100 && bounds.y >= area.y && bounds.y + 30 <= area.y + area.height;
}
