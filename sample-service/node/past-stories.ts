import type { NodePast, PastPhase, PastStory } from './past.ts';

/** The past of the sample nodes, for the demo. Times are seconds before now. */

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 364 * day;

/** The check fails in one round of three. */
function flaps(agoSeconds: number, check: string, times: number): PastStory {
  const flap: PastPhase[] = [{ forSeconds: 30, checks: { [check]: { failing: true } } }, { forSeconds: 60 }];
  return { agoSeconds, phases: Array.from({ length: times }, () => flap).flat() };
}

function fails(agoSeconds: number, check: string, forSeconds: number): PastStory {
  return { agoSeconds, phases: [{ forSeconds, checks: { [check]: { failing: true } } }] };
}

/** The node stops, starts again and has to catch up. */
function restarts(agoSeconds: number, downSeconds: number, note?: string): PastStory {
  return {
    agoSeconds,
    phases: [
      { forSeconds: downSeconds, down: true },
      { forSeconds: 4 * minute, checks: { bootstrapped: { failing: true } } },
    ],
    ...(note === undefined ? {} : { note }),
  };
}

/** The network is lost, and with it every chain, until a restart. */
function loses(agoSeconds: number, note: string): PastStory {
  const network = { network: { failing: true }, router: { failing: true } };
  return {
    agoSeconds,
    phases: [
      { forSeconds: 2 * minute, checks: { network: { failing: true } } },
      { forSeconds: 21 * minute, checks: { ...network, chains: { failing: true } } },
      { forSeconds: 3 * minute, down: true },
      { forSeconds: 5 * minute, checks: { bootstrapped: { failing: true } } },
      { forSeconds: 6 * minute, checks: { L1: { failing: true } } },
    ],
    note,
  };
}

/** One check holds back all others while the node reports healthy, until a restart. */
function hangs(agoSeconds: number, note: string): PastStory {
  return {
    agoSeconds,
    phases: [
      { forSeconds: 14 * minute, checks: { database: { durationSeconds: 14 * minute } } },
      { forSeconds: 30, down: true },
      { forSeconds: 3 * minute, checks: { bootstrapped: { failing: true } } },
    ],
    note,
  };
}

const disk = (from: number, to: number) => ({
  availableDiskBytes: { $ramp: [from * 1e10, to * 1e10] },
  availableDiskPercentage: { $ramp: [from, to] },
});

/** A week in which the disk fills up, the warning, the end below three percent, and a larger disk. */
function fillsUp(agoSeconds: number, note: string): PastStory {
  const error =
    'remaining available disk space percentage (9%) is below warning threshold available space percentage (10%)';
  return {
    agoSeconds,
    phases: [
      { forSeconds: 7 * day, checks: { diskspace: { message: disk(64, 10) } } },
      { forSeconds: 11 * hour, checks: { diskspace: { error, message: disk(9, 3) } } },
      { forSeconds: 50 * minute, down: true },
      { forSeconds: 9 * minute, checks: { bootstrapped: { failing: true } } },
    ],
    note,
  };
}

/** By node name. */
export const pastOfNode: ReadonlyMap<string, NodePast> = new Map([
  [
    'harbor-1',
    {
      forSeconds: year,
      stories: [
        restarts(331 * day, 3 * minute, 'Planned: release 1.13.4.'),
        flaps(287 * day, 'X', 7),
        fails(244 * day, 'P', 6 * minute),
        loses(201 * day, 'The provider lost a router. Nothing to be done but wait.'),
        restarts(158 * day, 4 * minute, 'Planned: release 1.14.0.'),
        hangs(97 * day, 'Deadlock after a snapshot; reported upstream.'),
        restarts(53 * day, 3 * minute, 'Planned: release 1.14.2.'),
        flaps(17 * day, 'L1', 5),
        fails(4 * day + 9 * hour, 'C', 7 * minute),
      ],
    },
  ],
  [
    'harbor-2',
    {
      forSeconds: 213 * day,
      stories: [
        loses(201 * day - 90, 'The same router as at harbor-1.'),
        restarts(157 * day, 4 * minute, 'Planned: release 1.14.0.'),
        flaps(120 * day, 'C', 9),
        fillsUp(71 * day, 'The archive had outgrown its disk. Moved to one of twice the size.'),
        restarts(52 * day, 3 * minute, 'Planned: release 1.14.2.'),
        flaps(23 * day, 'X', 6),
        loses(6 * day + 15 * hour, 'Firewall rules were rolled out to the wrong group, and taken back.'),
        fails(38 * minute, 'C', 5 * minute),
      ],
    },
  ],
  [
    'harbor-3',
    {
      forSeconds: 61 * day,
      stories: [
        restarts(51 * day, 3 * minute, 'Planned: release 1.14.2.'),
        hangs(29 * day, 'Deadlock again, as at harbor-1.'),
        flaps(6 * day + 3 * hour, 'X', 4),
        // It is up again when the demo starts.
        {
          agoSeconds: 95 * minute,
          phases: [{ forSeconds: 95 * minute, down: true }],
          note: 'Planned: a new machine, synced from scratch.',
        },
      ],
    },
  ],
]);
