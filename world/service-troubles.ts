import { listIds } from '../src/shared/activity/types.ts';
import type { Deed, Happening, Oddity } from './history.ts';
import {
  atAddress,
  atService,
  doorOf,
  forAWhile,
  oneOf,
  someTime,
  span,
  user,
  type Trouble,
} from './troubles.ts';
import { second, minute } from './time.ts';

const oddities: readonly [Oddity, ...Oddity[]] = [
  ...(['token-number', 'token-object', 'array-twice', 'no-array', 'chains-object', 'odd-chain'] as const),
  ...(['odd-row', 'blank-side', 'duplicate-row', 'shuffled'] as const),
];

export const serviceTroubles: readonly [Trouble, ...Trouble[]] = [
  atService((atMs, which, chance) => {
    const [host, door] = [`service${which}`, doorOf(chance, false)];
    return forAWhile(chance, { atMs, it: 'door', host, door }, { door: { kind: 'plain' } });
  }),
  atService((atMs, service, chance) => [
    { atMs, it: 'grow', service, transactions: chance.pick([1, 5, 120]) },
  ]),
  atService((atMs, service, chance) => [
    { atMs, it: 'reorganise', service, blocks: chance.pick([1, 20, 80, 500]) },
  ]),
  atService((atMs, service, chance) => {
    const [list, blocks] = [chance.pick(listIds), chance.pick([1, 30])];
    return forAWhile(chance, { atMs, it: 'lag', service, list, blocks }, { blocks: 0 });
  }),
  atService((atMs, service) => [{ atMs, it: 'expire-tokens', service }]),
  (chance, history) => [
    {
      atMs: chance.happens(0.5) ? 0 : someTime(chance, history),
      it: 'odd',
      service: oneOf(chance, history.services.length),
      how: chance.pick(oddities),
      pages: chance.from(1, 3),
    },
  ],
  (chance, history) => {
    const which = oneOf(chance, history.addresses);
    const poison: Happening = {
      atMs: 0,
      it: 'poison',
      service: oneOf(chance, history.services.length),
      transactions: chance.pick([1, 2, 10]),
      status: chance.pick([403, 404, 500]),
      areOldest: chance.happens(0.5),
    };
    return [poison, user(someTime(chance, history), { does: 'complete-all', which })];
  },
  atAddress((atMs, which, chance) => [
    user(atMs, { does: 'fetch', which, what: chance.pick(['newer', 'older', 'all']) }),
  ]),
  // A check hangs, and the user stops it.
  atAddress((atMs, which, chance, { services, settings }) => {
    const service = oneOf(chance, services.length);
    const checkMs = settings.checkMinutes * minute;
    const nearMs = Math.ceil(atMs / checkMs) * checkMs;
    const host = `service${service}`;
    return [
      { atMs: nearMs - 5 * second, it: 'door', host, door: { kind: 'slow', ms: 20 * second } },
      { atMs: nearMs + 40 * second, it: 'door', host, door: { kind: 'plain' } },
      user(nearMs + chance.from(2, 15) * second, { does: 'stop', which }),
      { atMs: nearMs + 2 * minute, it: 'grow', service, transactions: 3 },
    ];
  }),
  atAddress((atMs, which) => [user(atMs, { does: 'stop', which })]),
  atAddress((atMs, which) => [user(atMs, { does: 'audit', which })]),
  (chance, history) => {
    const [list, share] = [chance.pick(listIds), chance.pick([0, 0.5, 0.999])];
    const atMs = someTime(chance, history);
    return [user(atMs, { does: 'distrust', which: oneOf(chance, history.addresses), list, share })];
  },
  atAddress((atMs, which, chance) => {
    const undoAfterMs = chance.pick([null, 2 * second, 8 * second]);
    const againMs = atMs + chance.from(1, 9) * second;
    const remove = { does: 'remove-address', which } as const;
    const add = { does: 'add-address', which } as const;
    return [
      user(atMs, { ...remove, keep: chance.happens(0.3), undoAfterMs }),
      ...(chance.happens(0.5) ? [user(againMs, add)] : []),
      ...(chance.happens(0.3)
        ? [user(againMs + chance.from(1, 5) * second, { ...remove, keep: false, undoAfterMs: null })]
        : []),
      user(atMs + minute, add),
    ];
  }),
  // Another service, soon after something else was begun.
  (chance, history) => {
    const atMs = chance.happens(0.5) ? chance.from(1, 60) * second : someTime(chance, history);
    const which = oneOf(chance, history.addresses);
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
  atAddress((atMs, which, chance) => [
    user(atMs, { does: 'ask', which, pages: chance.pick(['one', 'all', 'all']) }),
    user(atMs + chance.from(0, 2) * second, { does: 'look-up', which }),
    user(atMs + chance.from(5, 300) * second, { does: 'look-up', which }),
  ]),
  // A service hangs, and the user wants something of it.
  atService((atMs, service, chance, { addresses }) => {
    const [host, which] = [`service${service}`, oneOf(chance, addresses)];
    const wishMs = atMs + chance.from(0, 3) * second;
    const wish = user(wishMs, { does: 'fetch', which, what: chance.pick(['newer', 'all']) });
    const endMs = atMs + chance.pick([40, 90, 240]) * second;
    return [
      { atMs, it: 'door', host, door: { kind: 'silent' } },
      wish,
      { atMs: endMs, it: 'door', host, door: { kind: 'plain' } },
    ];
  }),
  // All lists are fetched; later the newest transaction is gone, or its block gets one more, and nothing else has changed.
  atService((atMs, service, chance, history) => {
    const which = oneOf(chance, history.addresses);
    const fetch = user(atMs, { does: 'fetch', which, what: 'all' });
    if (chance.happens(0.5))
      return [fetch, { atMs: atMs + chance.from(2, 4) * minute, it: 'take-back', service }];
    const growMs = atMs + 2 * minute;
    // Of a busy address, nothing below the newest block is asked for again.
    Object.assign(history.services[service] ?? {}, { transactions: 150, blocks: 310 });
    history.durationMs = Math.max(history.durationMs, growMs + 3 * minute);
    return [
      fetch,
      { atMs: growMs, it: 'grow', service, transactions: 1, inNewestBlock: true },
      user(growMs + minute, { does: 'fetch', which, what: 'newer' }),
    ];
  }),
  // The newest blocks are replaced, and the user wants all details before the lists are asked again.
  atService((beforeMs, service, chance, history) => {
    const atMs = beforeMs + minute;
    Object.assign(history.services[service] ?? {}, { transactions: 260, blocks: 530 });
    history.durationMs = Math.max(history.durationMs, atMs + 2 * minute);
    return [
      { atMs, it: 'reorganise', service, blocks: chance.pick([300, 500]) },
      user(atMs + second, { does: 'complete-all', which: oneOf(chance, history.addresses) }),
    ];
  }),
  // An address is paused while it is fetched, or what fails of it is to be tried again; some are resumed.
  atAddress((atMs, which, chance, { services }) => {
    const host = `service${oneOf(chance, services.length)}`;
    const pauseMs = atMs + chance.pick([0, 2, 8]) * second;
    return [
      ...(chance.happens(0.5) ? [{ atMs, it: 'door', host, door: doorOf(chance, false) } as const] : []),
      user(atMs, { does: 'fetch', which, what: chance.pick(['newer', 'all']) }),
      user(pauseMs, { does: 'pause-address', which }),
      { atMs: atMs + span(chance), it: 'door', host, door: { kind: 'plain' } },
      ...(chance.happens(0.5) ? [user(pauseMs + span(chance), { does: 'resume-address', which })] : []),
    ];
  }),
  // All lists are fetched, and the address is removed by mistake.
  atAddress((atMs, which) => [
    user(atMs, { does: 'fetch', which, what: 'all' }),
    user(atMs + 2 * minute, { does: 'remove-address', which, keep: false, undoAfterMs: 3 * second }),
  ]),
];
