import type { Migration } from './migration.ts';

/**
 * The user's queries with their pages as they came. A body is kept as the text that was received: JSON holds no U+0000
 * and decoded UTF-8 no lone surrogate, so nothing of it is lost. Page tokens are JSON strings, as other texts of
 * strangers.
 */
export const exploreRuns: Migration = {
  version: 2,
  sql: `
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  target_json TEXT NOT NULL,
  origin TEXT NOT NULL,
  search_text TEXT NOT NULL,
  state INTEGER NOT NULL,
  started_at_ms INTEGER NOT NULL,
  fetched_at_ms INTEGER,
  page_count INTEGER NOT NULL CHECK (page_count >= 0),
  row_count INTEGER,
  byte_length INTEGER NOT NULL,
  has_more INTEGER NOT NULL CHECK (has_more IN (0, 1)),
  error_json TEXT,
  walk_json TEXT NOT NULL
) STRICT;

CREATE INDEX run_by_start ON run (started_at_ms, id);

CREATE TABLE run_page (
  run_ref INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  page_index INTEGER NOT NULL,
  fetched_at_ms INTEGER NOT NULL,
  http_status INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  byte_length INTEGER NOT NULL,
  notes_json TEXT NOT NULL,
  -- Positions of decoded rows that an earlier page holds.
  repeated_json TEXT NOT NULL,
  body_text TEXT NOT NULL,
  PRIMARY KEY (run_ref, page_index)
) STRICT;

CREATE TABLE run_attempt (
  id INTEGER PRIMARY KEY,
  run_ref INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  at_ms INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  http_status INTEGER,
  byte_length INTEGER NOT NULL,
  row_count INTEGER,
  outcome TEXT NOT NULL,
  page_token_json TEXT,
  next_page_token_json TEXT
) STRICT;

CREATE INDEX run_attempt_by_run ON run_attempt (run_ref, id);
`,
};
