import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredEpisode } from '../../../core/health-ports.ts';
import type { DriverName } from '../sqlite/driver.ts';
import { samplePoll } from '../testing/sample-data.ts';
import { createUpkeepWorld, startMs } from '../testing/upkeep-world.ts';

const driverNames: DriverName[] = ['node:sqlite', 'libsql'];

describe.each(driverNames)('a row of a node that cannot be read, with %s', (name) => {
  let world: ReturnType<typeof createUpkeepWorld>;
  const damage = (sql: string) => world.database.transaction((writer) => writer.exec(sql));

  beforeEach(() => {
    world = createUpkeepWorld(name);
  });

  it.each([
    ['of a later version', `json_set(episode_json, '$.startKnownFrom', 'otherwise')`],
    ['no JSON', `'{"passes"'`],
  ])('(%s) leaves out that failure alone, and the upkeep tells it once', (_what, damaged) => {
    const episode = (id: string, startedAtMs: number): StoredEpisode => ({
      id,
      check: id,
      startedAtMs,
      startKnownFrom: 'seen',
      endedAtMs: null,
      endKnownFrom: null,
      failuresSeen: 1,
      failuresReported: null,
      firstError: null,
      lastError: null,
      passes: 0,
    });
    const all = ['a', 'b', 'c'].map((id, at) => episode(id, startMs + at));
    const health = world.health();
    health.recordPoll(samplePoll({ polledAtMs: startMs, episodes: all }));
    damage(`UPDATE health_episode SET episode_json = ${damaged} WHERE episode_id = 'b'`);
    const [a, , c] = all;
    expect(health.currentEpisodes('n1')).toEqual([a, c]);
    expect(health.readEpisodes('n1', null, 2)).toEqual([c, a]);
    const limits = { nowMs: startMs, keepDays: 400, keepBytesPerNode: 1e9, recoverAfter: 1 };
    expect(() => health.maintain(limits)).toThrow(
      /1 part of the history .* \(first: One, 2024-10-04 00:00 UTC\)/,
    );
    expect(health.maintain(limits)).toBe(false);
  });

  it.each(['last_report_json', 'no_report_json'])(
    'does not keep its next poll from being stored (%s)',
    (column) => {
      world.record(startMs);
      damage(`UPDATE health_node SET ${column} = '{"state"'`);
      expect(world.health().latest('n1').lastReport?.polledAtMs ?? null).toBe(
        column === 'no_report_json' ? startMs : null,
      );
      world.record(startMs + 1_000);
      expect(world.health().latest('n1').poll?.polledAtMs).toBe(startMs + 1_000);
    },
  );

  it('is shown as it is stored where it is a note about an incident, and hides no other one', () => {
    const health = world.health();
    for (const episodeId of ['a', 'b']) health.putIncidentMark('n1', { episodeId, note: episodeId });
    damage(`UPDATE health_incident_mark SET note_json = '"a' WHERE episode_id = 'a'`);
    expect(health.readIncidentMarks('n1')).toEqual([
      { episodeId: 'a', note: '"a' },
      { episodeId: 'b', note: 'b' },
    ]);
  });
});
