import type { Chance } from './chance.ts';
import type { Deed, Door, Happening, History } from './history.ts';
import { second, minute, hour, day } from './time.ts';

export const user = (atMs: number, deed: Deed): Happening => ({ atMs, it: 'user', deed });

/** A kind of trouble: what happens, by chance. */
export type Trouble = (chance: Chance, history: History) => Happening[];

export const someTime = (chance: Chance, { durationMs }: History): number =>
  chance.from(5 * second, durationMs);
export const oneOf = (chance: Chance, count: number): number => chance.from(0, Math.max(0, count - 1));
/** How long a trouble lasts: mostly some time, now and then a moment. */
export const span = (chance: Chance): number => chance.pick([2, 20, 90, 240, 600]) * second;

type At = (atMs: number, which: number, chance: Chance, history: History) => Happening[];

const sometimes =
  (countOf: (history: History) => number) =>
  (make: At): Trouble =>
  (chance, history) =>
    make(someTime(chance, history), oneOf(chance, countOf(history)), chance, history);

const atSomeTime =
  (make: (atMs: number, chance: Chance) => Happening[]): Trouble =>
  (chance, history) =>
    make(someTime(chance, history), chance);

/** At some time, at one of all. */
const atNode = sometimes(({ nodes }) => nodes.length);
export const atAddress = sometimes(({ addresses }) => addresses);
export const atService = sometimes(({ services }) => services.length);

/** What begins, and is otherwise after a while. */
export function forAWhile<K extends Happening['it']>(
  chance: Chance,
  begins: Extract<Happening, { it: K }>,
  ends: Partial<Extract<Happening, { it: K }>>,
): Happening[] {
  return [begins, { ...begins, ...ends, atMs: begins.atMs + span(chance) }];
}

const doors = [
  ...(['refuse', 'accept-close', 'close-after-request', 'reset', 'silent', 'banner', 'garbage'] as const),
  ...(['tls', 'dns', 'captive', 'half-body'] as const),
] as const;

export function doorOf(chance: Chance, isNode: boolean): Door {
  if (chance.happens(0.55)) return { kind: chance.pick(doors) };
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

const doorOfNode = atNode((atMs, which, chance) => {
  const host = `node${which}`;
  const end = { atMs: atMs + span(chance), it: 'door', host, door: { kind: 'plain' } } as const;
  return [{ atMs, it: 'door', host, door: doorOf(chance, true) }, end];
});

const failingCheck: Trouble = (chance, history) => {
  const node = oneOf(chance, history.nodes.length);
  const check = oneOf(chance, history.nodes[node]?.checks ?? 1);
  const atMs = someTime(chance, history);
  return forAWhile(chance, { atMs, it: 'check', node, check, fails: true }, { fails: false });
};

/** A check begins to fail; then what `more` says. */
const failing =
  (more: (begin: Happening & { it: 'check' }, chance: Chance) => Happening[]): Trouble =>
  (chance, history) => {
    const [begin] = failingCheck(chance, history);
    return begin?.it === 'check' ? [begin, ...more(begin, chance)] : [];
  };

const ownNetwork = atSomeTime((atMs, chance) => {
  const [isTold, hangs] = [chance.happens(0.4), chance.happens(0.5)];
  return [
    { atMs, it: 'network', isUp: false, isTold, hangs },
    { atMs: atMs + span(chance), it: 'network', isUp: true, isTold },
  ];
});

/** A node is started several times within minutes; meanwhile its health interface may be switched off. */
export const restarts = atNode((atMs, node, chance) => {
  const host = `node${node}`;
  const isOff = chance.happens(0.5);
  const happenings: Happening[] = isOff
    ? [{ atMs, it: 'door', host, door: { kind: 'status', status: 404, headers: {} } }]
    : [];
  let timeMs = atMs;
  for (let times = chance.from(1, 6); times > 0; times -= 1) {
    timeMs += chance.from(6, 60) * second;
    happenings.push({
      atMs: timeMs,
      it: 'node',
      node,
      becomes: chance.pick(['dead', 'dead', 'hung'] as const),
    });
    timeMs += chance.from(2, 40) * second;
    happenings.push({ atMs: timeMs, it: 'node', node, becomes: 'alive' });
  }
  if (isOff) happenings.push({ atMs: timeMs + 60 * second, it: 'door', host, door: { kind: 'plain' } });
  return happenings;
});

export const nodeTroubles: readonly [Trouble, ...Trouble[]] = [
  doorOfNode,
  doorOfNode,
  atNode((atMs, node, chance) => {
    const becomes = chance.pick(['dead', 'dead', 'hung', 'stalled'] as const);
    return forAWhile(chance, { atMs, it: 'node', node, becomes }, { becomes: 'alive' });
  }),
  failingCheck,
  failingCheck,
  // The node restarts, and the check still fails.
  failing((begin, chance) => {
    const { atMs, node } = begin;
    const deadMs = atMs + chance.from(60, 300) * second;
    const backMs = deadMs + chance.pick([2, 20, 60]) * second;
    return [
      { atMs: deadMs, it: 'node', node, becomes: 'dead' },
      { atMs: backMs, it: 'node', node, becomes: 'alive' },
      { ...begin, atMs: backMs + chance.from(180, 420) * second, fails: false },
    ];
  }),
  atNode((atMs, node, chance) => [{ atMs, it: 'checks', node, count: chance.pick([0, 2, 20, 200]) }]),
  // The check is gone, and the node goes on without it.
  failing(({ atMs, node, check: count }, chance) => [
    { atMs: atMs + chance.from(60, 240) * second, it: 'checks', node, count },
  ]),
  // A node on this computer sleeps with it; nobody tells the app, and its clock goes on.
  atNode((atMs, which, chance, history) => {
    history.clock.standsStillAsleep = false;
    Object.assign(history.nodes[which] ?? {}, { isLocal: true });
    return [{ atMs, it: 'sleep', forMs: chance.pick([5, 20, 90]) * minute, isTold: false }];
  }),
  ownNetwork,
  ownNetwork,
  atNode((atMs, which, chance) =>
    [0, 1, 2, 3].map((count) =>
      user(atMs + count * chance.from(1, 20) * second, { does: 'poll-now', which }),
    ),
  ),
  atNode((atMs, which, chance) => {
    const undoAfterMs = chance.pick([null, 3 * second, 8 * second]);
    const againMs = atMs + (chance.happens(0.5) ? chance.from(1, 9) * second : minute);
    return [
      user(atMs, { does: 'remove-node', which, undoAfterMs }),
      user(againMs, { does: 'add-node', which }),
    ];
  }),
  atSomeTime((atMs, chance) => [
    user(atMs, { does: 'pause-alerts', forMs: chance.pick([2, 20, 90]) * minute }),
  ]),
  atNode((atMs, which, chance) => [
    user(atMs, { does: 'plan', which, forMs: chance.pick([2, 20, 90]) * minute }),
  ]),
  atNode((atMs, which, chance) => {
    const intervalMs = chance.pick([null, 15 * second, 60 * second, 600 * second]);
    return [user(atMs, { does: 'set-interval', which, intervalMs })];
  }),
  // A node moves, and may come back.
  atNode((atMs, which, chance, history) => {
    const plan = history.nodes[which];
    if (plan === undefined) return [];
    const to = history.nodes.push({ ...plan, isLocal: chance.happens(0.4) }) - 1;
    const back = user(atMs + span(chance), { does: 'move-node', which: to, to: which });
    return [user(atMs, { does: 'move-node', which, to }), ...(chance.happens(0.5) ? [back] : [])];
  }),
  (chance, history) =>
    (['acknowledge', 'hour', 'tomorrow', 'end', 'wake'] as const).flatMap((action) =>
      chance.happens(0.5) ? [user(someTime(chance, history), { does: 'act', action })] : [],
    ),
  atNode((atMs, which, chance) => [
    user(atMs, { does: 'pause-node', which }),
    user(atMs + span(chance), { does: 'resume-node', which }),
  ]),
];

/** Outages days apart, while old days are removed, with starts in between, some with a wrong clock. */
export const pastTroubles: readonly [Trouble, ...Trouble[]] = [
  (chance, history) => {
    const firstMs = chance.from(2, 4) * minute;
    const happenings = [0, 1, 2].flatMap((days): Happening[] => {
      const atMs = firstMs + days * 8 * minute;
      const fails = { it: 'check', node: 0, check: 0 } as const;
      return [
        { atMs, ...fails, fails: true },
        { atMs: atMs + 90 * second, ...fails, fails: false },
        { atMs: atMs + 6 * minute, it: 'sleep', forMs: chance.from(15, 100) * hour, isTold: true },
        { atMs: atMs + 6 * minute + 20 * second, it: 'restart', offMs: 5 * second, clockMs: 0 },
      ];
    });
    const endMs = firstMs + 24 * minute;
    history.durationMs = Math.max(history.durationMs, endMs);
    return [...happenings, user(endMs, { does: 'look' })];
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
  atSomeTime((atMs, chance) => [{ atMs, it: 'crash', afterWrites: chance.from(0, 6) }]),
  atSomeTime((atMs, chance) => [{ atMs, it: 'restart', offMs: chance.pick([1, 60]) * second, clockMs: 0 }]),
  atSomeTime((atMs, chance) => {
    const forMs = chance.pick([20 * second, 10 * minute, 9 * hour]);
    const isTold = chance.happens(0.5);
    return [{ atMs, it: 'sleep', forMs, isTold, endIsUntold: isTold && chance.happens(0.2) }];
  }),
  atSomeTime((atMs, chance) => [{ atMs, it: 'clock', stepMs: chance.pick([-hour, 5 * minute, 2 * day]) }]),
  atSomeTime((atMs, chance) => [
    user(atMs, { does: 'set-window', to: chance.pick(['hidden', 'closed']) }),
    user(atMs + span(chance), { does: 'set-window', to: 'shown' }),
  ]),
  atSomeTime((atMs, chance) => forAWhile(chance, { atMs, it: 'disk', isFull: true }, { isFull: false })),
  (chance, history) => {
    const atMs = chance.happens(0.5) ? 0 : someTime(chance, history);
    const which = chance.pick(['nodes', 'services'] as const);
    const takesMs = chance.pick([20, 300, 3_000]);
    return forAWhile(chance, { atMs, it: 'store', which, takesMs }, { takesMs: 0 });
  },
];
