import type { Migration } from './migration.ts';

/**
 * A year of exact history in little room: polls of the last hour as rows, older ones in compressed blocks, and for each day
 * that is over what strips and uptime need. What the first layout stored is packed by the upkeep, which empties
 * `health_old_poll`, `health_old_run` and `health_text`.
 */
export const healthHistory: Migration = {
  version: 4,
  sql: `
-- interval_ms 0: chosen by the app.
ALTER TABLE health_node ADD COLUMN tags_json TEXT NOT NULL DEFAULT '[]';
ALTER TABLE health_node ADD COLUMN header_names_json TEXT NOT NULL DEFAULT '[]';
ALTER TABLE health_node ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0 CHECK (is_paused IN (0, 1));
ALTER TABLE health_node ADD COLUMN previous_node_id_json TEXT NOT NULL DEFAULT 'null';
ALTER TABLE health_node ADD COLUMN tag_checks_json TEXT NOT NULL DEFAULT '[]';

ALTER TABLE health_poll RENAME TO health_old_poll;
ALTER TABLE health_run RENAME TO health_old_run;

-- Of the runs so far: the latest time that the node gave, and the latest moment at which the check passed.
ALTER TABLE health_check ADD COLUMN last_ran_at_ms INTEGER;
ALTER TABLE health_check ADD COLUMN last_pass_at_ms INTEGER;
UPDATE health_check SET
  last_ran_at_ms = (SELECT max(ran_at_ms) FROM health_old_run WHERE check_ref = health_check.id),
  last_pass_at_ms = (SELECT ran_at_ms FROM health_old_run WHERE check_ref = health_check.id AND state = 0
    ORDER BY ran_at_ms DESC LIMIT 1);

-- Polls that are not packed yet; id is the order of recording. first_at_ms is the earliest moment that the poll tells of,
-- the times of runs are those that the node gave.
CREATE TABLE health_recent (
  id INTEGER PRIMARY KEY,
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  polled_at_ms INTEGER NOT NULL,
  first_at_ms INTEGER NOT NULL,
  first_ran_at_ms INTEGER,
  last_ran_at_ms INTEGER,
  state INTEGER NOT NULL,
  is_change INTEGER NOT NULL CHECK (is_change IN (0, 1)),
  reason_json TEXT NOT NULL,
  reported_node_id_json TEXT NOT NULL,
  runs_json TEXT NOT NULL,
  messages_json TEXT NOT NULL,
  report_json TEXT
) STRICT;

CREATE INDEX health_recent_by_node ON health_recent (node_ref, polled_at_ms, id);

-- Polls of one node within one hour, packed.
CREATE TABLE health_block (
  id INTEGER PRIMARY KEY,
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  from_ms INTEGER NOT NULL,
  to_ms INTEGER NOT NULL,
  first_at_ms INTEGER NOT NULL,
  first_ran_at_ms INTEGER,
  last_ran_at_ms INTEGER,
  poll_count INTEGER NOT NULL,
  report_count INTEGER NOT NULL,
  byte_count INTEGER NOT NULL,
  core BLOB NOT NULL,
  texts BLOB NOT NULL
) STRICT;

-- Holds all that searches look at, so that they do not read the blocks themselves.
CREATE INDEX health_block_by_node ON health_block (node_ref, from_ms, to_ms, first_at_ms, first_ran_at_ms,
  last_ran_at_ms, poll_count, report_count, byte_count);

-- What a day (UTC, by its number since 1970) comes to. Without content, or stale, it has yet to be computed.
CREATE TABLE health_day (
  id INTEGER PRIMARY KEY,
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  is_stale INTEGER NOT NULL CHECK (is_stale IN (0, 1)),
  -- 0: its single runs are forgotten.
  has_runs INTEGER NOT NULL CHECK (has_runs IN (0, 1)),
  byte_count INTEGER NOT NULL,
  cells BLOB,
  timeline BLOB,
  moments BLOB
) STRICT;

CREATE UNIQUE INDEX health_day_by_node ON health_day (node_ref, day, is_stale, has_runs, byte_count);

-- Spans in which the node itself says that a check failed all the time; check_ref 0 is the node as a whole.
CREATE TABLE health_claim (
  id INTEGER PRIMARY KEY,
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  check_ref INTEGER NOT NULL,
  from_ms INTEGER NOT NULL,
  to_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX health_claim_by_check ON health_claim (node_ref, check_ref, to_ms);

INSERT INTO health_claim (node_ref, check_ref, from_ms, to_ms)
  SELECT node_ref, check_ref, started_at_ms, first_failed_at_ms FROM (
    SELECT node_ref, check_ref, started_at_ms,
      (SELECT min(ran_at_ms) FROM health_old_run AS run WHERE run.check_ref = episode.check_ref
        AND run.ran_at_ms >= started_at_ms AND run.state = 1) AS first_failed_at_ms
    FROM health_episode AS episode WHERE is_start_seen = 0
  ) WHERE first_failed_at_ms > started_at_ms;

-- What the user has said about incidents.
CREATE TABLE health_incident_mark (
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  episode_id TEXT NOT NULL,
  lead_episode_id TEXT,
  note_json TEXT NOT NULL,
  PRIMARY KEY (node_ref, episode_id)
) STRICT, WITHOUT ROWID;
`,
};
