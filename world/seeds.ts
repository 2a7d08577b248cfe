import { chanceOf, type Chance } from './chance.ts';
import type { Happening, History, NodePlan, ServicePlan } from './history.ts';
import {
  machineTroubles,
  nodeTroubles,
  pastTroubles,
  restarts,
  span,
  user,
  type Trouble,
} from './troubles.ts';
import { serviceTroubles } from './service-troubles.ts';
import { second, minute, hour } from './time.ts';

type Theme = 'nodes' | 'past' | 'ledger' | 'all';

/** The history of a seed. Each seed has only some kinds of trouble, so that one does not hide what another would show. */
export function historyOf(seed: string): History {
  const chance = chanceOf('history', seed);
  const theme = chance.pick<Theme>(['nodes', 'nodes', 'past', 'ledger', 'ledger', 'all']);
  const hasNodes = theme !== 'ledger';
  const hasService = theme === 'ledger' || theme === 'all';
  const durationMs = chance.from(6, hasService ? 25 : 20) * minute;
  const history: History = {
    seed,
    durationMs,
    clock: {
      offMs: chance.pick([0, 0, 0, -2 * hour, 23 * hour]),
      standsStillAsleep: chance.happens(0.5),
      drift: chance.pick([0, 0, 1e-5, -1e-5]),
    },
    latencyMs: chance.pick([5, 40, 300]),
    nodes: hasNodes ? listOf(chance.from(1, theme === 'past' ? 1 : 3), () => nodePlan(chance)) : [],
    services: hasService ? listOf(chance.from(1, 2), () => servicePlan(chance)) : [],
    addresses: hasService ? chance.from(1, 2) : 0,
    settings: {
      keepDays: theme === 'past' ? chance.from(1, 7) : 365,
      failAfter: chance.pick([1, 1, 2, 3]),
      recoverAfter: chance.pick([1, 2, 3]),
      checkMinutes: chance.pick([1, 5, 5]),
    },
    happenings: [],
  };
  const kinds: readonly [Trouble, ...Trouble[]] =
    theme === 'past'
      ? pastTroubles
      : [...machineTroubles, ...(hasNodes ? nodeTroubles : []), ...(hasService ? serviceTroubles : [])];
  const add = (happenings: readonly Happening[]): void => void history.happenings.push(...happenings);
  for (const [which] of history.nodes.entries()) add([user(0, { does: 'add-node', which })]);
  for (let which = 0; which < history.addresses; which += 1) {
    add([user(chance.from(0, minute), { does: 'add-address', which })]);
  }
  const chosen = kinds.filter(() => chance.happens(0.3));
  for (const trouble of chosen.length === 0 ? [chance.pick(kinds)] : chosen) {
    for (let count = chance.from(1, 3); count > 0; count -= 1) add(trouble(chance, history));
  }
  // Of its own, so that the rest of a seed stays as it was.
  const shown = chanceOf('channel', seed);
  if (shown.happens(0.15)) {
    const atMs = shown.from(0, durationMs);
    add([
      { atMs, it: 'channel', isDown: true },
      { atMs: atMs + span(shown), it: 'channel', isDown: false },
    ]);
  }
  const again = chanceOf('restarts', seed);
  if (hasNodes && again.happens(0.2)) add(restarts(again, history));
  history.happenings.sort((a, b) => a.atMs - b.atMs);
  return history;
}

function listOf<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

function nodePlan(chance: Chance): NodePlan {
  return {
    isLocal: chance.happens(0.4),
    periodMs: chance.pick([5, 10, 30, 30, 30, 120, 300]) * second,
    checks: chance.pick([1, 3, 6, 6, 12]),
    clockMs: chance.pick([0, 0, 0, 3 * second, -2 * hour, 40 * minute]),
    intervalMs: chance.pick([null, null, null, 15 * second, 60 * second, 600 * second]),
    lateMs: chance.pick([0, 0, 300, 3 * second]),
  };
}

function servicePlan(chance: Chance): ServicePlan {
  const transactions = chance.pick([0, 3, 60, 150, 260]);
  return {
    chains: chance.pick([1, 1, 2]),
    transactions,
    blocks: transactions * chance.pick([2, 50, 4_000, 100_000]) + 10,
    areRecent: chance.happens(0.3),
    callsPerMinute: chance.pick([null, null, 30, 100]),
    tellsLimits: chance.happens(0.7),
    pageRows: chance.pick([100, 100, 37, 10]),
    otherOrder: chance.pick(['descending', 'descending', 'ascending', 'none']),
    spellsDetailsInCapitals: chance.happens(0.1),
  };
}
