import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
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
  openAlerts: number;
  /** The newest activity, and where it leads. */
  newest: { words: string; atMs: number; link: string } | null;
  /** Null while alerts are not paused. */
  pausedUntilMs: number | null;
  /** Names, amounts and addresses are hidden. */
  isPrivate: boolean;
}

type Shape = 'circle' | 'diamond' | 'octagon' | 'half' | 'square' | 'ring';

/** In a menu a single & marks the letter after it. */
const item = (label: string, click: () => void): MenuItemConstructorOptions => ({
  ...{ label: label.replaceAll('&', '&&'), click },
});

/** The worst state first. */
const order: readonly NodeState[] = ['unreachable', 'unhealthy', 'stalled', 'starting', 'unknown', 'healthy'];

/** The shapes of the window's signs, in colours for light and dark panels. */
const looks: Readonly<Record<NodeState, readonly [shape: Shape, rgb: number]>> = {
  healthy: ['circle', 0x2e9e5b],
  unhealthy: ['diamond', 0xd13b3b],
  unreachable: ['octagon', 0xc23fb2],
  stalled: ['square', 0xd98a00],
  starting: ['half', 0xd98a00],
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
      options.refuse(`Couldn’t ${untilMs === null ? 'resume' : 'pause'} alerts.`, cause.error.message);
    }
  }

  function draw(): void {
    if (facts === null) return;
    const { nodes, openAlerts, isPrivate } = facts;
    const newest = isPrivate ? null : facts.newest;
    const pausedUntilMs = (facts.pausedUntilMs ?? 0) > now() ? facts.pausedUntilMs : null;
    const state = worstState(nodes);
    const lines = linesOf(nodes, isPrivate);
    const separator = { type: 'separator' } as const;
    const items: MenuItemConstructorOptions[] = [
      ...lines.map(({ label, link }) => item(label, () => open(link))),
      ...(openAlerts === 0
        ? []
        : [item(`Show open alerts (${openAlerts})`, () => open('watchkeeper://alerts'))]),
      ...(newest === null
        ? []
        : [
            separator,
            item(`${timeWords(newest.atMs, now())}: ${newest.words}`.slice(0, longestLabel), () =>
              open(newest.link),
            ),
          ]),
      separator,
      ...(pausedUntilMs === null
        ? [
            item('Pause alerts for 1 h', () => pause(now() + hourMs)),
            item('Pause alerts until 8:00 tomorrow', () => pause(tomorrowMs(now()))),
          ]
        : [item(`Resume alerts (paused until ${timeWords(pausedUntilMs, now())})`, () => pause(null))]),
      separator,
      item('Open Watchkeeper', () => open(null)),
      item('Quit', quit),
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
    tray.setToolTip(`Watchkeeper: ${nodes.length === 0 ? 'no nodes' : nodeStateWords[state]}`);
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

/** The middle of the icon is at 0, its edges at 16. */
function isInside(shape: Shape, x: number, y: number): boolean {
  const [across, down] = [Math.abs(x), Math.abs(y)];
  const [far, wide, sum] = [Math.hypot(x, y), Math.max(across, down), across + down];
  return {
    circle: far <= 14,
    diamond: sum <= 15.5,
    octagon: wide <= 14 && sum <= 20 && (wide >= 7.5 || Math.abs(across - down) >= 2.5),
    half: far <= 14 && (far >= 11 || x >= 0),
    square: wide <= 13 && (wide >= 10 || (across <= 6 && down <= 2)),
    ring: far <= 14 && far >= 10,
  }[shape];
}

/** Points of a pixel, so that edges are smooth. */
const points = Array.from(
  { length: 16 },
  (_, at) => [((at % 4) + 0.5) / 4, (Math.floor(at / 4) + 0.5) / 4] as const,
);

/** Premultiplied BGRA, as `nativeImage.createFromBitmap` takes it. */
function pixelsOf(shape: Shape, rgb: number): Buffer {
  const colour = [rgb & 0xff, (rgb >> 8) & 0xff, rgb >> 16, 0xff];
  const pixels = Array.from({ length: size * size }, (_, at) => {
    const [left, top] = [(at % size) - size / 2, Math.floor(at / size) - size / 2];
    const covered = points.filter(([x, y]) => isInside(shape, left + x, top + y)).length / points.length;
    return colour.map((value) => Math.round(value * covered));
  });
  return Buffer.from(pixels.flat());
}
