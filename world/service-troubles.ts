import { listIds } from '../src/shared/activity/types.ts';
import type { Chance } from './chance.ts';
import type { Deed, Happening, History, Oddity } from './history.ts';
import { doorOf, someTime, span, user, type Trouble } from './troubles.ts';

const second = 1_000;
const minute = 60 * second;

const someAddress = (chance: Chance, { addresses }: History): number =>
  chance.from(0, Math.max(0, addresses - 1));
const someService = (chance: Chance, { services }: History): number =>
  chance.from(0, Math.max(0, services.length - 1));

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
      areOldest: chance.happens(0.5),
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
  (chance, history) => [
    user(someTime(chance, history), { does: 'audit', which: someAddress(chance, history) }),
  ],
  (chance, history) => {
    const [list, share] = [chance.pick(listIds), chance.pick([0, 0.5, 0.999])];
    return [
      user(someTime(chance, history), { does: 'distrust', which: someAddress(chance, history), list, share }),
    ];
  },
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
      ...(chance.happens(0.3)
        ? ([
            { atMs: atMs - second, it: 'unopenable', service: 1, isSo: true },
            { atMs: atMs + 5 * second, it: 'unopenable', service: 1, isSo: false },
          ] as const)
        : []),
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
  // A service hangs, and the user wants something of it.
  (chance, history) => {
    const [atMs, service, which] = [
      someTime(chance, history),
      someService(chance, history),
      someAddress(chance, history),
    ];
    return [
      { atMs, it: 'door', host: `service${service}`, door: { kind: 'silent' } },
      user(atMs + chance.from(0, 3) * second, { does: 'fetch', which, what: chance.pick(['newer', 'all']) }),
      {
        atMs: atMs + chance.pick([40, 90, 240]) * second,
        it: 'door',
        host: `service${service}`,
        door: { kind: 'plain' },
      },
    ];
  },
  // All lists are fetched; later the newest transaction is gone, or its block gets one more, and nothing else has changed.
  (chance, history) => {
    const [atMs, service, which] = [
      someTime(chance, history),
      someService(chance, history),
      someAddress(chance, history),
    ];
    const fetch = user(atMs, { does: 'fetch', which, what: 'all' });
    if (chance.happens(0.5))
      return [fetch, { atMs: atMs + chance.from(2, 4) * minute, it: 'take-back', service }];
    const [plan, growMs] = [history.services[service], atMs + 2 * minute];
    // Of a busy address, nothing below the newest block is asked for again.
    if (plan !== undefined) Object.assign(plan, { transactions: 150, blocks: 310 });
    history.durationMs = Math.max(history.durationMs, growMs + 3 * minute);
    return [
      fetch,
      { atMs: growMs, it: 'grow', service, transactions: 1, inNewestBlock: true },
      user(growMs + minute, { does: 'fetch', which, what: 'newer' }),
    ];
  },
  // The newest blocks are replaced, and the user wants all details before the lists are asked again.
  (chance, history) => {
    const [atMs, service] = [someTime(chance, history) + minute, someService(chance, history)];
    Object.assign(history.services[service] ?? {}, { transactions: 260, blocks: 530 });
    history.durationMs = Math.max(history.durationMs, atMs + 2 * minute);
    return [
      { atMs, it: 'reorganise', service, blocks: chance.pick([300, 500]) },
      user(atMs + second, { does: 'complete-all', which: someAddress(chance, history) }),
    ];
  },
  // An address is paused while it is fetched, or what fails of it is to be tried again; some are resumed.
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someAddress(chance, history)];
    const host = `service${someService(chance, history)}`;
    const pauseMs = atMs + chance.pick([0, 2, 8]) * second;
    return [
      ...(chance.happens(0.5) ? [{ atMs, it: 'door', host, door: doorOf(chance, false) } as const] : []),
      user(atMs, { does: 'fetch', which, what: chance.pick(['newer', 'all']) }),
      user(pauseMs, { does: 'pause-address', which }),
      { atMs: atMs + span(chance), it: 'door', host, door: { kind: 'plain' } },
      ...(chance.happens(0.5) ? [user(pauseMs + span(chance), { does: 'resume-address', which })] : []),
    ];
  },
  // All lists are fetched, and the address is removed by mistake.
  (chance, history) => {
    const [atMs, which] = [someTime(chance, history), someAddress(chance, history)];
    return [
      user(atMs, { does: 'fetch', which, what: 'all' }),
      user(atMs + 2 * minute, { does: 'remove-address', which, keep: false, undoAfterMs: 3 * second }),
    ];
  },
];
