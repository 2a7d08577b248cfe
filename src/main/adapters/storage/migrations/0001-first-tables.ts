import type { Migration } from './migration.ts';

/**
 * Texts of strangers that are not JSON themselves (errors, names of checks) are stored as JSON strings: that keeps every
 * character, U+0000 and lone surrogates included, which SQLite's text does not.
 */
export const firstTables: Migration = {
  version: 1,
  sql: `
CREATE TABLE answer (
  key TEXT NOT NULL PRIMARY KEY,
  endpoint_id TEXT NOT NULL,
  params_json TEXT NOT NULL,
  body_text TEXT NOT NULL,
  fetched_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE watch_address (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  label TEXT,
  added_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE watch_chains (
  address_ref INTEGER PRIMARY KEY REFERENCES watch_address (id) ON DELETE CASCADE,
  indexed_json TEXT NOT NULL,
  unindexed_ids_json TEXT NOT NULL,
  fetched_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE chain (
  id INTEGER PRIMARY KEY,
  chain_id TEXT NOT NULL UNIQUE
) STRICT;

-- The walk through one list of one address on one chain. row_count spares counting rows for every page shown.
CREATE TABLE activity_sync (
  id INTEGER PRIMARY KEY,
  address_ref INTEGER NOT NULL REFERENCES watch_address (id) ON DELETE CASCADE,
  chain_ref INTEGER NOT NULL REFERENCES chain (id),
  covered_json TEXT NOT NULL,
  reached_start INTEGER NOT NULL CHECK (reached_start IN (0, 1)),
  resume_json TEXT,
  checked_at_ms INTEGER,
  row_count INTEGER NOT NULL CHECK (row_count >= 0),
  UNIQUE (address_ref, chain_ref)
) STRICT;

CREATE INDEX activity_sync_by_chain ON activity_sync (chain_ref);

-- address_ref and chain_ref repeat what activity_sync says, so that each of the four filters has an index of its own
-- in the order of the screen. block_index is -(2^53 - 1) where the service gave none, which sorts after all others.
CREATE TABLE activity_row (
  id INTEGER PRIMARY KEY,
  sync_ref INTEGER NOT NULL REFERENCES activity_sync (id) ON DELETE CASCADE,
  address_ref INTEGER NOT NULL,
  chain_ref INTEGER NOT NULL,
  tx_hash TEXT NOT NULL,
  block_number INTEGER NOT NULL,
  block_index INTEGER NOT NULL,
  timestamp_ms INTEGER NOT NULL,
  is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1)),
  transaction_json TEXT NOT NULL,
  fetched_at_ms INTEGER NOT NULL,
  UNIQUE (sync_ref, tx_hash)
) STRICT;

CREATE INDEX activity_row_by_sync
  ON activity_row (sync_ref, timestamp_ms, block_number, block_index, tx_hash);
CREATE INDEX activity_row_by_address
  ON activity_row (address_ref, timestamp_ms, block_number, block_index, tx_hash);
CREATE INDEX activity_row_by_chain
  ON activity_row (chain_ref, timestamp_ms, block_number, block_index, tx_hash);
CREATE INDEX activity_row_by_time
  ON activity_row (timestamp_ms, block_number, block_index, tx_hash);

CREATE TABLE health_node (
  id INTEGER PRIMARY KEY,
  node_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  interval_ms INTEGER NOT NULL,
  added_at_ms INTEGER NOT NULL
) STRICT;

-- What is known of a node now: the last poll that brought a report (has_report 1) and, when a later one brought none,
-- that one (0). Kept when history is forgotten.
CREATE TABLE health_latest (
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  has_report INTEGER NOT NULL CHECK (has_report IN (0, 1)),
  polled_at_ms INTEGER NOT NULL,
  state INTEGER NOT NULL,
  reason_json TEXT NOT NULL,
  reported_node_id TEXT,
  report_json TEXT,
  PRIMARY KEY (node_ref, has_report)
) STRICT, WITHOUT ROWID;

-- Errors, reasons and messages, each content once. used_at_ms is the time of its newest use, at most a day late; texts
-- are forgotten by it, so what refers to them does so without a foreign key, which would cost an index on every run.
CREATE TABLE health_text (
  id INTEGER PRIMARY KEY,
  content_hash INTEGER NOT NULL,
  content_json TEXT NOT NULL,
  used_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX health_text_by_hash ON health_text (content_hash);
CREATE INDEX health_text_by_use ON health_text (used_at_ms);

-- The history is by far the largest part: integers only, no row ids, no second index.
CREATE TABLE health_poll (
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  polled_at_ms INTEGER NOT NULL,
  state INTEGER NOT NULL,
  reason_text_ref INTEGER NOT NULL,
  PRIMARY KEY (node_ref, polled_at_ms)
) STRICT, WITHOUT ROWID;

CREATE TABLE health_check (
  id INTEGER PRIMARY KEY,
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  name_json TEXT NOT NULL,
  UNIQUE (node_ref, name_json)
) STRICT;

CREATE TABLE health_run (
  check_ref INTEGER NOT NULL REFERENCES health_check (id) ON DELETE CASCADE,
  ran_at_ms INTEGER NOT NULL,
  state INTEGER NOT NULL,
  duration_ns INTEGER,
  contiguous_failures INTEGER,
  first_failure_at_ms INTEGER,
  error_text_ref INTEGER,
  message_text_ref INTEGER,
  PRIMARY KEY (check_ref, ran_at_ms)
) STRICT, WITHOUT ROWID;

CREATE TABLE health_episode (
  episode_id TEXT NOT NULL PRIMARY KEY,
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  check_ref INTEGER NOT NULL REFERENCES health_check (id) ON DELETE CASCADE,
  started_at_ms INTEGER NOT NULL,
  is_start_seen INTEGER NOT NULL CHECK (is_start_seen IN (0, 1)),
  ended_at_ms INTEGER,
  is_end_seen INTEGER CHECK (is_end_seen IN (0, 1)),
  failures_seen INTEGER NOT NULL,
  failures_reported INTEGER,
  first_error_json TEXT,
  last_error_json TEXT
) STRICT;

CREATE INDEX health_episode_by_node ON health_episode (node_ref, started_at_ms);
CREATE INDEX health_episode_by_check ON health_episode (check_ref, started_at_ms);
CREATE INDEX health_episode_open ON health_episode (node_ref) WHERE ended_at_ms IS NULL;
`,
};
