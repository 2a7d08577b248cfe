import { describe, expect, it } from 'vitest';
import { incidentTitle } from './incident-title.ts';
import { noAnswer } from './no-answer.ts';
import type { Incident } from './types.ts';

type Told = Parameters<typeof incidentTitle>[0];

const part = (check: string): Incident['parts'][number] => ({
  id: check,
  check,
  startedAtMs: 0,
  startKnownFrom: 'seen',
  endedAtMs: null,
  endKnownFrom: null,
  failures: 1,
  firstError: null,
});
const incident = (checks: string[], told: Partial<Told> = {}): Told => ({
  leadingCheck: checks[0] ?? '',
  parts: checks.map(part),
  firstError: null,
  endedAtMs: null,
  gone: [],
  ...told,
});
const error = (firstError: string, ...checks: string[]): Told => incident(checks, { firstError });

describe('the title of an incident', () => {
  const id = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg';
  it.each([
    [error('block processing too long: 31.2s > 30s', 'C'), 'C-Chain on mine: blocks are taking too long'],
    [
      error('not connected to enough stake: connected to 60.000000%; required at least 80.000000%', 'P'),
      'P-Chain on mine: connected to 60% of the stake; 80% required',
    ],
    [
      error(
        'network layer is unhealthy reason: no messages from network received in 1m0.1s > 1m0s',
        'network',
        'C',
        'C',
      ),
      'Network and 1 more check on mine: no messages from the network',
    ],
    [
      error(
        'remaining available disk space percentage (29%) is below warning threshold available space percentage (50%)',
        'diskspace',
      ),
      'Disk space on mine: 29% of the disk is free; 50% required',
    ],
    [error(`odd\n${id}`, 'own'), 'own on mine: odd node-4'],
    [error('x'.repeat(500), 'own'), `own on mine: ${'x'.repeat(79)}…`],
    [incident(['own']), 'own on mine is failing'],
    [incident(['own'], { endedAtMs: 5 }), 'own on mine failed'],
    [incident([noAnswer], { firstError: 'timeout' }), 'mine isn’t responding'],
    [incident([noAnswer], { endedAtMs: 5 }), 'mine didn’t respond'],
    [
      incident(['C', 'P', 'X'], { firstError: 'not enough stake', gone: ['node-4', 'node-5'] }),
      'C-Chain and 2 more checks on mine: node-4 and node-5 didn’t respond',
    ],
  ])('%#: %j is %s', (told, title) => {
    expect(incidentTitle(told, { node: 'mine', nodes: new Map([[id, 'node-4']]) })).toBe(title);
  });
});
