import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
import type { AlertCounts } from '../../shared/alerts/types.ts';
import { tomorrowMs } from '../../shared/alerts/quiet.ts';
import { timeWords } from '../../shared/alerts/words.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { NodeState, NodeStatus } from '../../shared/health/types.ts';
import { nodeStateWords } from '../../shared/health/words.ts';
import { counted } from '../../shared/text.ts';
import { hourMs } from '../../shared/time.ts';

export interface TrayOptions {
  /** Makes a tray icon; may fail or show nothing, which nobody can know on Linux. */
  make: (image: NativeImage) => Tray;
  buildMenu: (items: MenuItemConstructorOptions[]) => Menu;
  toImage: (pixels: Buffer, size: number) => NativeImage;
  /** Opens the window, at a link if there is one. */
  open: (link: string | null) => void;
  quit: () => void;
  /** Pauses all alerts until then; null resumes them. Throws why it could not. */
  pause: (untilMs: number | null) => void;
  /** Shows why something was not done: the window may be closed. */
  refuse: (message: string, detail: string) => void;
  now: () => number;
}

export interface TrayFacts {
  nodes: readonly NodeStatus[];
  alerts: AlertCounts;
  /** The newest activity, and where it leads. */
  newest: { words: string; atMs: number; link: string } | null;
  /** Null while alerts are not paused. */
  pausedUntilMs: number | null;
  /** Names, amounts and addresses are hidden. */
  isPrivate: boolean;
}

export type TrayShape = 'circle' | 'square' | 'triangle' | 'ring';

/** In a menu a single & marks the letter after it. */
const plain = (label: string): string => label.replaceAll('&', '&&');

/** The worst state first. */
const order: readonly NodeState[] = ['unreachable', 'unhealthy', 'stalled', 'starting', 'unknown', 'healthy'];

const looks: Readonly<Record<NodeState, readonly [shape: TrayShape, rgb: number]>> = {
  healthy: ['circle', 0x2e9e5b],
  unhealthy: ['square', 0xd13b3b],
  unreachable: ['square', 0xd13b3b],
  stalled: ['triangle', 0xd98a00],
  starting: ['triangle', 0xd98a00],
  unknown: ['ring', 0x8a9099],
};

const size = 32;
const longestLabel = 100;
const mostNodes = 20;

const urgency = ({ node, state }: NodeStatus): number => (node.paused ? order.length : order.indexOf(state));

export function worstState(nodes: readonly NodeStatus[]): NodeState {
  const states = nodes.filter(({ node }) => !node.paused).map(({ state }) => state);
  return order.find((state) => states.includes(state)) ?? 'unknown';
}

/** An icon in the system's tray: the worst state of the nodes by shape and colour. Nothing depends on its being there. */
export function createTray({ make, buildMenu, toImage, open, quit, now, ...options }: TrayOptions) {
  let tray: Tray | null = null;
  let facts: TrayFacts | null = null;
  let shown = '';

  function pause(untilMs: number | null): void {
    try {
      options.pause(untilMs);
    } catch (cause) {
      if (!(cause instanceof AppFailure)) throw cause;
      options.refuse(`Alerts are ${untilMs === null ? 'still' : 'not'} paused.`, cause.error.message);
    }
  }

  function draw(): void {
    if (facts === null) return;
    const { nodes, alerts, isPrivate } = facts;
    const newest = isPrivate ? null : facts.newest;
    const pausedUntilMs = (facts.pausedUntilMs ?? 0) > now() ? facts.pausedUntilMs : null;
    const state = worstState(nodes);
    const lines = linesOf(nodes, isPrivate);
    const items: MenuItemConstructorOptions[] = [
      ...lines.map(({ label, link }) => ({ label: plain(label), click: () => open(link) })),
      ...(alerts.open === 0
        ? []
        : [{ label: `Show open alerts (${alerts.open})`, click: () => open('watchkeeper://alerts') }]),
      ...(newest === null
        ? []
        : [
            { type: 'separator' as const },
            {
              label: plain(`${timeWords(newest.atMs, now())}: ${newest.words}`.slice(0, longestLabel)),
              click: () => open(newest.link),
            },
          ]),
      { type: 'separator' },
      ...(pausedUntilMs === null
        ? [
            { label: 'Pause alerts for 1 h', click: () => pause(now() + hourMs) },
            { label: 'Pause alerts until 8:00 tomorrow', click: () => pause(tomorrowMs(now())) },
          ]
        : [
            {
              label: `Resume alerts (paused until ${timeWords(pausedUntilMs, now())})`,
              click: () => pause(null),
            },
          ]),
      { type: 'separator' },
      { label: 'Open Watchkeeper', click: () => open(null) },
      { label: 'Quit', click: quit },
    ];
    // With their words, which change with the day too; without what they do.
    const next = JSON.stringify([state, lines, newest, items]);
    if (tray !== null && next === shown) return;
    shown = next;
    const image = toImage(pixelsOf(...looks[state]), size);
    if (tray === null) {
      tray = make(image);
      tray.on('click', () => open(null));
    } else tray.setImage(image);
    tray.setToolTip(`Watchkeeper: ${nodes.length === 0 ? 'no node' : nodeStateWords[state]}`);
    tray.setContextMenu(buildMenu(items));
  }

  return {
    show(now: TrayFacts): void {
      facts = now;
      draw();
    },
    /** The shell may have been started again and have lost it. */
    again(): void {
      tray?.destroy();
      tray = null;
      draw();
    },
  };
}

function linesOf(nodes: readonly NodeStatus[], isPrivate: boolean): { label: string; link: string | null }[] {
  const wordsOf = ({ node, state }: NodeStatus): string => (node.paused ? 'Paused' : nodeStateWords[state]);
  if (!isPrivate) {
    const urgent = new Set(nodes.toSorted((a, b) => urgency(a) - urgency(b)).slice(0, mostNodes));
    const left = nodes.length - urgent.size;
    const lines = nodes
      .filter((status) => urgent.has(status))
      .map((status) => ({
        label: `${status.node.name}: ${wordsOf(status)}`,
        link: `watchkeeper://nodes/${status.node.id}`,
      }));
    return left === 0
      ? lines
      : [...lines, { label: counted(left, 'more node'), link: 'watchkeeper://nodes' }];
  }
  const counts = Map.groupBy(nodes, wordsOf);
  return [...counts].map(([words, some]) => ({ label: `${words}: ${some.length}`, link: null }));
}

/** Premultiplied BGRA, as `nativeImage.createFromBitmap` takes it. */
export function pixelsOf(shape: TrayShape, rgb: number): Buffer {
  const pixels = Buffer.alloc(size * size * 4);
  const middle = (size - 1) / 2;
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const [dx, dy] = [x - middle, y - middle];
      const distance = Math.hypot(dx, dy);
      const isInside = {
        circle: distance <= 13,
        ring: distance <= 13 && distance >= 9,
        square: Math.max(Math.abs(dx), Math.abs(dy)) <= 12,
        triangle: y >= 3 && y <= 28 && Math.abs(dx) <= (y - 3) * 0.56,
      }[shape];
      if (isInside) pixels.writeUInt32LE(0xff000000 + rgb, (y * size + x) * 4);
    }
  }
  return pixels;
}
