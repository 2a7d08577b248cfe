import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
import { describe, expect, it } from 'vitest';
import type { NodeState, NodeStatus } from '../../shared/health/types.ts';
import { timeWords } from '../../shared/alerts/words.ts';
import { AppFailure } from '../../shared/errors.ts';
import { sampleNodes } from '../../renderer/src/testing/sample-health.ts';
import { createTray, worstState } from './tray.ts';

const [sample] = sampleNodes(0);

function node(name: string, state: NodeState, paused = false): NodeStatus {
  if (sample === undefined) throw new Error('there are sample nodes');
  return { ...sample, state, node: { ...sample.node, id: name, name, paused } };
}

function createWorld() {
  const time = { nowMs: noonMs, isDiskFull: false };
  const made: string[] = [];
  const images: Buffer[] = [];
  const opened: (string | null)[] = [];
  let menu: MenuItemConstructorOptions[] = [];
  const tray = createTray({
    make: () => {
      made.push('tray');
      const on = () => undefined;
      // What the tray uses of Electron's.
      return {
        on,
        setImage: () => made.push('image'),
        setToolTip: on,
        setContextMenu: on,
        destroy: on,
      } as unknown as Tray;
    },
    buildMenu: (items) => {
      menu = items;
      return {} as Menu;
    },
    toImage: (pixels) => {
      images.push(pixels);
      return {} as NativeImage;
    },
    open: (link) => opened.push(link),
    quit: () => opened.push('quit'),
    pause: (untilMs) => {
      if (time.isDiskFull) throw new AppFailure({ code: 'storage', message: 'The disk is full.' });
      opened.push(`pause ${untilMs === null ? untilMs : timeWords(untilMs, noonMs)}`);
    },
    refuse: (...words) => opened.push(words.join(' ')),
    now: () => time.nowMs,
  });
  const click = (label: string) =>
    menu.find((item) => item.label === label)?.click?.({} as never, undefined, {});
  return { tray, time, made, images, opened, click, labels: () => menu.flatMap(({ label }) => label ?? []) };
}

const noonMs = new Date(2026, 5, 3, 12).getTime();
const idle = { newest: null, pausedUntilMs: null, isPrivate: false, openAlerts: 0 };
const pauses = ['Pause alerts for 1 h', 'Pause alerts until 8:00 tomorrow'];

describe('the tray', () => {
  it('says of the newest activity that it was yesterday, also where nothing else has changed since', () => {
    const { tray, time, labels } = createWorld();
    const newest = { words: 'Treasury received 1 AVAX', atMs: noonMs, link: 'watchkeeper://address' };
    const facts = { ...idle, newest, nodes: [] };
    tray.show(facts);
    expect(labels()[0]).toBe('12:00: Treasury received 1 AVAX');
    time.nowMs += 24 * 3_600_000;
    tray.show(facts);
    expect(labels()[0]).toBe('2026-06-03 12:00: Treasury received 1 AVAX');
  });

  it('writes an & in names so that it is none of a menu, which marks a key with it', () => {
    const { tray, labels } = createWorld();
    const newest = { words: 'Tom & Co received 1 A&B', atMs: noonMs, link: 'watchkeeper://address' };
    tray.show({ ...idle, newest, nodes: [node('R&D', 'healthy')] });
    expect(labels().slice(0, 2)).toEqual(['R&&D: Healthy', '12:00: Tom && Co received 1 A&&B']);
  });

  it('has the nodes with their states, opens what is chosen, and changes only with them', () => {
    const { tray, made, opened, click, labels } = createWorld();
    const facts = { ...idle, nodes: [node('a', 'healthy'), node('b', 'unreachable')] };
    tray.show(facts);
    tray.show({ ...facts });
    expect(made).toEqual(['tray']);
    expect(labels()).toEqual(['a: Healthy', 'b: Unreachable', ...pauses, 'Open Watchkeeper', 'Quit']);
    for (const label of ['b: Unreachable', 'Open Watchkeeper', 'Quit']) click(label);
    expect(opened).toEqual(['watchkeeper://nodes/b', null, 'quit']);
    tray.show({ ...facts, openAlerts: 2 });
    click('Show open alerts (2)');
    expect(opened.at(-1)).toBe('watchkeeper://alerts');
    tray.again();
    expect(made).toEqual(['tray', 'image', 'tray']);
  });

  it('leaves out none that is worse than what it has, and says how many it leaves out', () => {
    const { tray, opened, click, labels } = createWorld();
    const many = Array.from({ length: 23 }, (_, at) =>
      node(`n${at}`, at === 22 ? 'unreachable' : 'healthy', at === 1),
    );
    tray.show({ ...idle, nodes: many });
    const kept = [0, ...Array.from({ length: 18 }, (_, at) => at + 2)].map((at) => `n${at}: Healthy`);
    expect(labels().slice(0, 21)).toEqual([...kept, 'n22: Unreachable', '3 more nodes']);
    click('3 more nodes');
    expect(opened).toEqual(['watchkeeper://nodes']);
  });

  it('has the newest activity, which leads to its transaction', () => {
    const { tray, opened, click, labels } = createWorld();
    const newest = { words: 'Treasury sent 5 AVAX', atMs: noonMs - 60_000, link: 'watchkeeper://x' };
    tray.show({ ...idle, nodes: [] });
    tray.show({ ...idle, nodes: [], newest });
    expect(labels()[0]).toBe('11:59: Treasury sent 5 AVAX');
    click('11:59: Treasury sent 5 AVAX');
    expect(opened).toEqual(['watchkeeper://x']);
  });

  it('pauses all alerts, says until when, and resumes them; a pause that is over is none', () => {
    const { tray, opened, click, labels } = createWorld();
    const show = (pausedUntilMs: number) => tray.show({ ...idle, nodes: [], pausedUntilMs });
    show(noonMs);
    for (const label of pauses) click(label);
    show(noonMs + 3_600_000);
    expect(labels()).toEqual(['Resume alerts (paused until 13:00)', 'Open Watchkeeper', 'Quit']);
    click('Resume alerts (paused until 13:00)');
    expect(opened).toEqual(['pause 13:00', 'pause 2026-06-04 08:00', 'pause null']);
  });

  it('says why alerts are not paused, or still are, where that cannot be stored', () => {
    const { tray, time, opened, click } = createWorld();
    time.isDiskFull = true;
    tray.show({ ...idle, nodes: [] });
    click('Pause alerts for 1 h');
    tray.show({ ...idle, nodes: [], pausedUntilMs: noonMs + 3_600_000 });
    click('Resume alerts (paused until 13:00)');
    expect(opened).toEqual([
      'Couldn’t pause alerts. The disk is full.',
      'Couldn’t resume alerts. The disk is full.',
    ]);
  });

  it('names nothing while names are hidden', () => {
    const { tray, labels } = createWorld();
    const nodes = [node('a', 'healthy'), node('b', 'healthy'), node('c', 'unhealthy', true)];
    const newest = { words: 'Treasury sent 5 AVAX', atMs: noonMs, link: 'watchkeeper://x' };
    tray.show({ ...idle, nodes, newest, isPrivate: true });
    expect(labels()).toEqual(['Healthy: 2', 'Paused: 1', ...pauses, 'Open Watchkeeper', 'Quit']);
  });

  it('shows the worst state of what is watched', () => {
    expect(worstState([node('a', 'healthy'), node('b', 'stalled'), node('c', 'unhealthy', true)])).toBe(
      'stalled',
    );
    expect(worstState([])).toBe('unknown');
  });

  it('has a shape for each state, whatever its colour', () => {
    const { tray, images } = createWorld();
    const states: NodeState[] = ['unreachable', 'unhealthy', 'stalled', 'starting', 'unknown', 'healthy'];
    for (const state of states) tray.show({ ...idle, nodes: [node('a', state)] });
    const shapes = images.map((pixels) => pixels.filter((_, at) => at % 4 === 3));
    for (const [at, shape] of shapes.entries()) {
      expect(shape.filter((alpha) => alpha === 0xff).length).toBeGreaterThan(200);
      for (const other of shapes.slice(at + 1))
        expect(
          shape.filter((alpha, place) => Math.abs(alpha - (other[place] ?? 0)) > 128).length,
        ).toBeGreaterThan(60);
    }
    expect(shapes).toHaveLength(6);
  });
});
