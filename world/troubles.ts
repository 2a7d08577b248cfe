import { listIds } from '../src/shared/activity/types.ts';
import type { Chance } from './chance.ts';
import type { Deed, Door, Happening, History, Oddity } from './history.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const user = (atMs: number, deed: Deed): Happening => ({ atMs, it: 'user', deed });

/** A kind of trouble: what happens, by chance. */
export type Trouble = (chance: Chance, history: History) => Happening[];

const someTime = (chance: Chance, { durationMs }: History): number => chance.from(5 * second, durationMs);
const someNode = (chance: Chance, { nodes }: History): number =>
  chance.from(0, Math.max(0, nodes.length - 1));
const someAddress = (chance: Chance, { addresses }: History): number =>
  chance.from(0, Math.max(0, addresses - 1));
const someService = (chance: Chance, { services }: History): number =>
  chance.from(0, Math.max(0, services.length - 1));
/** How long a trouble lasts: mostly some time, now and then a moment. */
const span = (chance: Chance): number => chance.pick([2, 20, 90, 240, 600]) * second;

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

function doorOf(chance: Chance, isNode: boolean): Door {
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
    const deadMs = atMs + chance.from(60, 180) * second;
    const backMs = deadMs + chance.pick([2, 20, 60]) * second;
    return [
      begin,
      { atMs: deadMs, it: 'node', node, becomes: 'dead' },
      { atMs: backMs, it: 'node', node, becomes: 'alive' },
      { ...begin, atMs: backMs + chance.from(120, 300) * second, fails: false },
    ];
  },
  (chance, history) => {
    const [atMs, node] = [someTime(chance, history), someNode(chance, history)];
    return [{ atMs, it: 'checks', node, count: chance.pick([0, 2, 20, 200]) }];
  },
  (chance, history) => {
    const [atMs, isTold] = [someTime(chance, history), chance.happens(0.5)];
    return [
      { atMs, it: 'network', isUp: false, isTold },
      { atMs: atMs + span(chance), it: 'network', isUp: true, isTold },
    ];
  },
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
      happenings.push({ atMs: atMs + 6 * minute, it: 'sleep', forMs: chance.from(1, 4) * day, isTold: true });
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

const oddities: readonly [Oddity, ...Oddity[]] = [
  ...(['token-number', 'token-object', 'array-twice', 'no-array', 'chains-object', 'odd-chain'] as const),
  ...(['odd-row', 'blank-side', 'duplicate-row', 'shuffled'] as const),
];

export const serviceTroubles: readonly [Trouble, ...Trouble[]] = [
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someService(chance, history)];
    const host = `service${which}`;
    return [
      { atMs, it: 'door', host, door: doorOf(chance, false) },
      { atMs: atMs + span(chance), it: 'door', host, door: { kind: 'plain' } },
    ];
  },
  (chance, history) => [
    {
      atMs: someTime(chance, history),
      it: 'grow',
      service: someService(chance, history),
      transactions: chance.pick([1, 5, 120]),
    },
  ],
  (chance, history) => [
    {
      atMs: someTime(chance, history),
      it: 'reorganise',
      service: someService(chance, history),
      blocks: chance.pick([1, 20, 80, 500]),
    },
  ],
  (chance, history) => {
    const [atMs, service, list] = [
      someTime(chance, history),
      someService(chance, history),
      chance.pick(listIds),
    ];
    return [
      { atMs, it: 'lag', service, list, blocks: chance.pick([1, 30]) },
      { atMs: atMs + span(chance), it: 'lag', service, list, blocks: 0 },
    ];
  },
  (chance, history) => [
    { atMs: someTime(chance, history), it: 'expire-tokens', service: someService(chance, history) },
  ],
  (chance, history) => [
    {
      atMs: chance.happens(0.5) ? 0 : someTime(chance, history),
      it: 'odd',
      service: someService(chance, history),
      how: chance.pick(oddities),
      pages: chance.from(1, 3),
    },
  ],
  (chance, history) => {
    const which = someAddress(chance, history);
    const poison: Happening = {
      atMs: 0,
      it: 'poison',
      service: someService(chance, history),
      transactions: chance.pick([1, 2, 10]),
      status: chance.pick([403, 404, 500]),
    };
    return [poison, user(someTime(chance, history), { does: 'complete-all', which })];
  },
  (chance, history) => [
    user(someTime(chance, history), {
      does: 'fetch',
      which: someAddress(chance, history),
      what: chance.pick(['newer', 'older', 'all']),
    }),
  ],
  (chance, history) => {
    const [atMs, which, service] = [
      someTime(chance, history),
      someAddress(chance, history),
      someService(chance, history),
    ];
    // A check hangs, and the user stops it.
    const checkMs = history.settings.checkMinutes * minute;
    const nearMs = Math.ceil(atMs / checkMs) * checkMs;
    const host = `service${service}`;
    return [
      { atMs: nearMs - 5 * second, it: 'door', host, door: { kind: 'slow', ms: 20 * second } },
      { atMs: nearMs + 40 * second, it: 'door', host, door: { kind: 'plain' } },
      user(nearMs + chance.from(2, 15) * second, { does: 'stop', which }),
      { atMs: nearMs + 2 * minute, it: 'grow', service, transactions: 3 },
    ];
  },
  (chance, history) => [
    user(someTime(chance, history), { does: 'stop', which: someAddress(chance, history) }),
  ],
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someAddress(chance, history)];
    const undoAfterMs = chance.pick([null, 2 * second, 8 * second]);
    const again = chance.from(1, 9) * second;
    return [
      user(atMs, { does: 'remove-address', which, keep: chance.happens(0.3), undoAfterMs }),
      ...(chance.happens(0.5) ? [user(atMs + again, { does: 'add-address', which })] : []),
      ...(chance.happens(0.3)
        ? [
            user(atMs + again + chance.from(1, 5) * second, {
              does: 'remove-address',
              which,
              keep: false,
              undoAfterMs: null,
            }),
          ]
        : []),
      user(atMs + minute, { does: 'add-address', which }),
    ];
  },
  // Another service, soon after something else was begun.
  (chance, history) => {
    const atMs = chance.happens(0.5) ? chance.from(1, 60) * second : someTime(chance, history);
    const which = someAddress(chance, history);
    const before: Deed = chance.pick<Deed>([
      { does: 'fetch', which, what: 'all' },
      { does: 'fetch-chains', which },
    ]);
    // What was removed just before is deleted when the service changes, and that may take long.
    const removed: Happening[] = chance.happens(0.6)
      ? [
          { atMs: atMs - 8 * second, it: 'store', which: 'nodes', takesMs: chance.pick([300, 3_000]) },
          user(atMs - 8 * second, { does: 'remove-node', which: 0, undoAfterMs: null }),
          { atMs: atMs + minute, it: 'store', which: 'nodes', takesMs: 0 },
        ]
      : [];
    return [
      ...removed,
      user(atMs - chance.from(0, 3) * second, before),
      user(atMs, { does: 'use-service', which: 1 }),
      ...(chance.happens(0.5) ? [user(atMs + span(chance), { does: 'use-service', which: 0 })] : []),
    ];
  },
  // Queries and look-ups while other things happen, and again later.
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someAddress(chance, history)];
    return [
      user(atMs, { does: 'ask', which, pages: chance.pick(['one', 'all', 'all']) }),
      user(atMs + chance.from(0, 2) * second, { does: 'look-up', which }),
      user(atMs + chance.from(5, 300) * second, { does: 'look-up', which }),
    ];
  },
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
      isTold: chance.happens(0.7),
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
