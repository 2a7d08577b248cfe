import type { Chance } from './chance.ts';
import type { Deed, Door, Happening, History } from './history.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const user = (atMs: number, deed: Deed): Happening => ({ atMs, it: 'user', deed });

/** A kind of trouble: what happens, by chance. */
export type Trouble = (chance: Chance, history: History) => Happening[];

export const someTime = (chance: Chance, { durationMs }: History): number =>
  chance.from(5 * second, durationMs);
const someNode = (chance: Chance, { nodes }: History): number =>
  chance.from(0, Math.max(0, nodes.length - 1));
/** How long a trouble lasts: mostly some time, now and then a moment. */
export const span = (chance: Chance): number => chance.pick([2, 20, 90, 240, 600]) * second;

const doors: readonly [() => Door, ...(() => Door)[]] = [
  () => ({ kind: 'refuse' }),
  () => ({ kind: 'accept-close' }),
  () => ({ kind: 'close-after-request' }),
  () => ({ kind: 'reset' }),
  () => ({ kind: 'silent' }),
  () => ({ kind: 'banner' }),
  () => ({ kind: 'garbage' }),
  () => ({ kind: 'tls' }),
  () => ({ kind: 'dns' }),
  () => ({ kind: 'captive' }),
  () => ({ kind: 'half-body' }),
];

export function doorOf(chance: Chance, isNode: boolean): Door {
  if (chance.happens(0.55)) return chance.pick(doors)();
  const status = chance.pick([401, 403, 404, 407, 429, 500, 502, 503, 520, 530]);
  const slow: Door = { kind: 'slow', ms: chance.pick([2, 6, 14, 40]) * second };
  if (isNode) {
    return chance.pick<Door>([
      slow,
      { kind: 'status', status, headers: {} },
      { kind: 'idle-end', afterMs: [4 * second, 9 * second] },
      { kind: 'idle-end', afterMs: [chance.from(3, 70) * second] },
      { kind: 'no-get' },
      { kind: 'two-backends' },
    ]);
  }
  const headers = chance.pick<Record<string, string>>([
    {},
    { 'retry-after': '7' },
    { 'retry-after': 'soon' },
    { 'ratelimit-reset': '12:00:00', date: 'Mon, 20 Nov 2023 12:00:01 GMT' },
    { 'ratelimit-remaining': '-1', 'ratelimit-reset': '30' },
  ]);
  return chance.pick<Door>([
    slow,
    { kind: 'status', status, headers },
    { kind: 'status', status: 429, headers },
  ]);
}

const doorOfNode: Trouble = (chance, history) => {
  const [atMs, host] = [someTime(chance, history), `node${someNode(chance, history)}`];
  const end = { atMs: atMs + span(chance), it: 'door', host, door: { kind: 'plain' } } as const;
  return [{ atMs, it: 'door', host, door: doorOf(chance, true) }, end];
};

const outage: Trouble = (chance, history) => {
  const [atMs, node] = [someTime(chance, history), someNode(chance, history)];
  const becomes = chance.pick(['dead', 'dead', 'hung', 'stalled'] as const);
  return [
    { atMs, it: 'node', node, becomes },
    { atMs: atMs + span(chance), it: 'node', node, becomes: 'alive' },
  ];
};

const failingCheck: Trouble = (chance, history) => {
  const node = someNode(chance, history);
  const check = chance.from(0, Math.max(0, (history.nodes[node]?.checks ?? 1) - 1));
  const atMs = someTime(chance, history);
  return [
    { atMs, it: 'check', node, check, fails: true },
    { atMs: atMs + span(chance), it: 'check', node, check, fails: false },
  ];
};

const ownNetwork: Trouble = (chance, history) => {
  const [atMs, isTold, hangs] = [someTime(chance, history), chance.happens(0.4), chance.happens(0.5)];
  return [
    { atMs, it: 'network', isUp: false, isTold, hangs },
    { atMs: atMs + span(chance), it: 'network', isUp: true, isTold },
  ];
};

export const nodeTroubles: readonly [Trouble, ...Trouble[]] = [
  doorOfNode,
  doorOfNode,
  outage,
  failingCheck,
  failingCheck,
  // A check fails, the node restarts, the check still fails.
  (chance, history) => {
    const [begin] = failingCheck(chance, history);
    if (begin?.it !== 'check') return [];
    const { atMs, node } = begin;
    const deadMs = atMs + chance.from(60, 300) * second;
    const backMs = deadMs + chance.pick([2, 20, 60]) * second;
    return [
      begin,
      { atMs: deadMs, it: 'node', node, becomes: 'dead' },
      { atMs: backMs, it: 'node', node, becomes: 'alive' },
      { ...begin, atMs: backMs + chance.from(180, 420) * second, fails: false },
    ];
  },
  (chance, history) => {
    const [atMs, node] = [someTime(chance, history), someNode(chance, history)];
    return [{ atMs, it: 'checks', node, count: chance.pick([0, 2, 20, 200]) }];
  },
  // A check fails and is gone; the node goes on without it.
  (chance, history) => {
    const [begin] = failingCheck(chance, history);
    if (begin?.it !== 'check') return [];
    const { atMs, node, check } = begin;
    return [begin, { atMs: atMs + chance.from(60, 240) * second, it: 'checks', node, count: check }];
  },
  // A node on this computer sleeps with it; nobody tells the app, and its clock goes on.
  (chance, history) => {
    const atMs = someTime(chance, history);
    history.clock.standsStillAsleep = false;
    Object.assign(history.nodes[someNode(chance, history)] ?? {}, { isLocal: true });
    return [{ atMs, it: 'sleep', forMs: chance.pick([5, 20, 90]) * minute, isTold: false }];
  },
  ownNetwork,
  ownNetwork,
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someNode(chance, history)];
    return [0, 1, 2, 3].map((count) =>
      user(atMs + count * chance.from(1, 20) * second, { does: 'poll-now', which }),
    );
  },
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someNode(chance, history)];
    const undoAfterMs = chance.pick([null, 3 * second, 8 * second]);
    const isAddedAgain = chance.happens(0.5);
    return [
      user(atMs, { does: 'remove-node', which, undoAfterMs }),
      user(atMs + (isAddedAgain ? chance.from(1, 9) * second : minute), { does: 'add-node', which }),
    ];
  },
  (chance, history) => [
    user(someTime(chance, history), { does: 'pause-alerts', forMs: chance.pick([2, 20, 90]) * minute }),
  ],
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someNode(chance, history)];
    return [user(atMs, { does: 'plan', which, forMs: chance.pick([2, 20, 90]) * minute })];
  },
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someNode(chance, history)];
    const intervalMs = chance.pick([null, 15 * second, 60 * second, 600 * second]);
    return [user(atMs, { does: 'set-interval', which, intervalMs })];
  },
  // A node moves, and may come back.
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someNode(chance, history)];
    const plan = history.nodes[which];
    if (plan === undefined) return [];
    const to = history.nodes.push({ ...plan, isLocal: chance.happens(0.4) }) - 1;
    const back = user(atMs + span(chance), { does: 'move-node', which: to, to: which });
    return [user(atMs, { does: 'move-node', which, to }), ...(chance.happens(0.5) ? [back] : [])];
  },
  (chance, history) =>
    (['acknowledge', 'hour', 'tomorrow', 'end', 'wake'] as const).flatMap((action) =>
      chance.happens(0.5) ? [user(someTime(chance, history), { does: 'act', action })] : [],
    ),
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someNode(chance, history)];
    return [
      user(atMs, { does: 'pause-node', which }),
      user(atMs + span(chance), { does: 'resume-node', which }),
    ];
  },
];

/** Outages days apart, while old days are removed, with starts in between, some with a wrong clock. */
export const pastTroubles: readonly [Trouble, ...Trouble[]] = [
  (chance, history) => {
    const happenings: Happening[] = [];
    let atMs = chance.from(2, 4) * minute;
    for (let days = 0; days < 3; days += 1) {
      happenings.push({ atMs, it: 'check', node: 0, check: 0, fails: true });
      happenings.push({ atMs: atMs + 90 * second, it: 'check', node: 0, check: 0, fails: false });
      happenings.push({
        atMs: atMs + 6 * minute,
        it: 'sleep',
        forMs: chance.from(15, 100) * hour,
        isTold: true,
      });
      happenings.push({
        atMs: atMs + 6 * minute + 20 * second,
        it: 'restart',
        offMs: 5 * second,
        clockMs: 0,
      });
      atMs += 8 * minute;
    }
    history.durationMs = Math.max(history.durationMs, atMs);
    return [...happenings, user(atMs, { does: 'look' })];
  },
  (chance, history) => {
    const atMs = someTime(chance, history);
    const clockMs = chance.pick([-day, 2 * day, 730 * day]);
    const backMs = atMs + 2 * minute;
    history.durationMs = Math.max(history.durationMs, backMs + 2 * minute);
    return [
      ...(chance.happens(0.6) ? [user(atMs - 4 * second, { does: 'pause-node', which: 0 })] : []),
      { atMs, it: 'restart', offMs: 3 * second, clockMs },
      { atMs: backMs, it: 'clock', stepMs: -clockMs },
    ];
  },
  failingCheck,
];

export const machineTroubles: readonly [Trouble, ...Trouble[]] = [
  (chance, history) => [{ atMs: someTime(chance, history), it: 'crash', afterWrites: chance.from(0, 6) }],
  (chance, history) => [
    { atMs: someTime(chance, history), it: 'restart', offMs: chance.pick([1, 60]) * second, clockMs: 0 },
  ],
  (chance, history) => [
    {
      atMs: someTime(chance, history),
      it: 'sleep',
      forMs: chance.pick([20 * second, 10 * minute, 9 * hour]),
      isTold: chance.happens(0.5),
    },
  ],
  (chance, history) => [
    { atMs: someTime(chance, history), it: 'clock', stepMs: chance.pick([-hour, 5 * minute, 2 * day]) },
  ],
  (chance, history) => {
    const atMs = someTime(chance, history);
    return [
      user(atMs, { does: 'set-window', to: chance.pick(['hidden', 'closed']) }),
      user(atMs + span(chance), { does: 'set-window', to: 'shown' }),
    ];
  },
  (chance, history) => {
    const atMs = someTime(chance, history);
    return [
      { atMs, it: 'disk', isFull: true },
      { atMs: atMs + span(chance), it: 'disk', isFull: false },
    ];
  },
  (chance, history) => {
    const atMs = chance.happens(0.5) ? 0 : someTime(chance, history);
    const which = chance.pick(['nodes', 'services'] as const);
    return [
      { atMs, it: 'store', which, takesMs: chance.pick([20, 300, 3_000]) },
      { atMs: atMs + span(chance), it: 'store', which, takesMs: 0 },
    ];
  },
];
