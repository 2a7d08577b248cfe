/**
 * Untrusted texts that are not JSON themselves (errors, names of checks, page tokens) are stored as JSON strings, which
 * keep every character, including U+0000 and lone surrogates; SQLite's text does not. Bodies are stored as received:
 * JSON has no U+0000 and decoded UTF-8 no lone surrogates. States and the like are stored as positions in lists in the
 * code, which may only be appended to.
 */
export const firstLayout = `
-- Answers of endpoints.
CREATE TABLE answer (
  key TEXT NOT NULL PRIMARY KEY,
  endpoint_id TEXT NOT NULL,
  params_json TEXT NOT NULL,
  body_text TEXT NOT NULL,
  fetched_at_ms INTEGER NOT NULL
) STRICT;

-- The user's queries with their pages as they came.
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  started_at_ms INTEGER NOT NULL,
  search_text TEXT NOT NULL,
  run_json TEXT NOT NULL
) STRICT;

CREATE INDEX run_by_start ON run (started_at_ms, id);

CREATE TABLE run_page (
  run_ref INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  page_index INTEGER NOT NULL,
  page_json TEXT NOT NULL,
  body_text TEXT NOT NULL,
  PRIMARY KEY (run_ref, page_index)
) STRICT;

CREATE TABLE run_attempt (
  id INTEGER PRIMARY KEY,
  run_ref INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  attempt_json TEXT NOT NULL
) STRICT;

CREATE INDEX run_attempt_by_run ON run_attempt (run_ref, id);

CREATE TABLE watch_address (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  address_json TEXT NOT NULL,
  -- The chains that it was seen on.
  chains_json TEXT,
  -- Not watched any more, but its data is kept for when it is added again.
  is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1))
) STRICT;

CREATE VIEW watched AS SELECT id, address, address_json, chains_json FROM watch_address WHERE is_removed = 0;

CREATE TABLE chain (
  id INTEGER PRIMARY KEY,
  chain_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE book_entry (
  address TEXT NOT NULL PRIMARY KEY,
  entry_json TEXT NOT NULL
) STRICT;

-- The walk through one list of one address on one chain. row_count spares counting rows for every page shown.
CREATE TABLE activity_list (
  id INTEGER PRIMARY KEY,
  address_ref INTEGER NOT NULL REFERENCES watch_address (id) ON DELETE CASCADE,
  chain_ref INTEGER NOT NULL REFERENCES chain (id),
  -- Place in the list of lists; 0 is the list of transactions.
  list INTEGER NOT NULL,
  -- How far the walk has come.
  sync_json TEXT NOT NULL,
  row_count INTEGER NOT NULL CHECK (row_count >= 0),
  is_stopped INTEGER NOT NULL DEFAULT 0 CHECK (is_stopped IN (0, 1)),
  newest_timestamp_ms INTEGER,
  oldest_timestamp_ms INTEGER,
  UNIQUE (address_ref, chain_ref, list)
) STRICT;

-- The ledger: only added to, but consecutive proofs of one run are one.
CREATE TABLE activity_proof (
  id INTEGER PRIMARY KEY,
  list_ref INTEGER NOT NULL REFERENCES activity_list (id) ON DELETE CASCADE,
  run_id TEXT NOT NULL,
  proven_at_ms INTEGER NOT NULL,
  from_block TEXT NOT NULL,
  to_block TEXT NOT NULL
) STRICT;

CREATE INDEX activity_proof_by_list ON activity_proof (list_ref, id);

-- Counterparties with their names, tokens, and methods, each content once.
CREATE TABLE activity_facet (
  id INTEGER PRIMARY KEY,
  family INTEGER NOT NULL,
  content_json TEXT NOT NULL,
  UNIQUE (family, content_json)
) STRICT;

-- The user's word about tokens: 0 show, 1 hide.
CREATE TABLE token_decision (
  token_json TEXT NOT NULL PRIMARY KEY,
  decision INTEGER NOT NULL CHECK (decision IN (0, 1))
) STRICT;

-- What filters and lists look at; the long JSON of a row lies apart from it. address_ref and chain_ref repeat what
-- activity_list says. block_index is -(2^53 - 1) where the service gave none, which sorts after all others. A list has a
-- transaction once, which row-writes.ts sees to: an index of whole hashes took a third of the store and nearly all of the
-- time of writing, because each new row fell on another page of it.
CREATE TABLE activity_row (
  id INTEGER PRIMARY KEY,
  list_ref INTEGER NOT NULL REFERENCES activity_list (id) ON DELETE CASCADE,
  address_ref INTEGER NOT NULL,
  chain_ref INTEGER NOT NULL,
  tx_hash TEXT NOT NULL,
  block_number INTEGER NOT NULL,
  block_index INTEGER NOT NULL,
  block_hash TEXT,
  timestamp_ms INTEGER NOT NULL,
  is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1)),
  fetched_at_ms INTEGER NOT NULL,
  -- When the list of transactions last had it; null for one that it never had.
  seen_at_ms INTEGER,
  kind INTEGER NOT NULL,
  direction INTEGER NOT NULL,
  status INTEGER NOT NULL,
  counterparty_ref INTEGER,
  method_ref INTEGER,
  -- [[facet, largest amount in base units], …]
  tokens_json TEXT NOT NULL,
  -- Bits.
  rules INTEGER NOT NULL,
  is_own_doing INTEGER NOT NULL CHECK (is_own_doing IN (0, 1)),
  has_unread_parts INTEGER NOT NULL CHECK (has_unread_parts IN (0, 1)),
  awaits_price INTEGER NOT NULL CHECK (awaits_price IN (0, 1)),
  value_then TEXT,
  value_currency_json TEXT,
  message_json TEXT,
  decision INTEGER CHECK (decision IN (0, 1)),
  -- Every reason for which it is hidden, as bits; 0 while it is shown. Follows from the user's decisions, rules and the
  -- counterparty, and is kept in step with them.
  reasons INTEGER NOT NULL,
  -- 0 reorganised, 1 gone.
  reorg INTEGER,
  note_json TEXT
) STRICT;

CREATE INDEX activity_row_by_hash ON activity_row (list_ref, substr(tx_hash, 3, 10));
CREATE INDEX activity_row_by_time ON activity_row (timestamp_ms, block_number, block_index);
CREATE INDEX activity_row_by_block ON activity_row (list_ref, block_number);
-- What of the screen's counts is not the number of all rows.
CREATE INDEX activity_row_partial ON activity_row (address_ref, reasons) WHERE is_complete = 0;
CREATE INDEX activity_row_hidden ON activity_row (address_ref, reasons) WHERE reasons <> 0;
CREATE INDEX activity_row_by_message ON activity_row (message_json) WHERE message_json IS NOT NULL;
CREATE INDEX activity_row_unpriced ON activity_row (timestamp_ms) WHERE awaits_price = 1;

-- The request that brought rows of a list, once for all the rows of its page.
CREATE TABLE activity_request (
  id INTEGER PRIMARY KEY,
  list_ref INTEGER NOT NULL REFERENCES activity_list (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  UNIQUE (list_ref, url)
) STRICT;

CREATE TABLE activity_body (
  row_ref INTEGER PRIMARY KEY REFERENCES activity_row (id) ON DELETE CASCADE,
  transaction_json TEXT NOT NULL,
  -- 0: written from what was read of it.
  is_received INTEGER NOT NULL CHECK (is_received IN (0, 1)),
  -- Null where it is a whole answer.
  request_ref INTEGER
) STRICT;

CREATE TABLE activity_version (
  id INTEGER PRIMARY KEY,
  row_ref INTEGER NOT NULL REFERENCES activity_row (id) ON DELETE CASCADE,
  why INTEGER NOT NULL,
  transaction_json TEXT NOT NULL,
  fetched_at_ms INTEGER NOT NULL,
  replaced_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX activity_version_by_row ON activity_version (row_ref, id);

-- Elements of the other lists. Equal elements of one transaction are numbered; content_hash stands for record_json.
CREATE TABLE activity_record (
  list_ref INTEGER NOT NULL REFERENCES activity_list (id) ON DELETE CASCADE,
  tx_hash TEXT NOT NULL,
  content_hash INTEGER NOT NULL,
  number INTEGER NOT NULL,
  block_number INTEGER NOT NULL,
  timestamp_ms INTEGER,
  record_json TEXT NOT NULL,
  fetched_at_ms INTEGER NOT NULL,
  PRIMARY KEY (list_ref, tx_hash, content_hash, number)
) STRICT;

CREATE INDEX activity_record_by_block ON activity_record (list_ref, block_number);

CREATE TABLE health_node (
  id INTEGER PRIMARY KEY,
  node_id TEXT NOT NULL UNIQUE,
  node_json TEXT NOT NULL,
  added_at_ms INTEGER NOT NULL AS (node_json ->> 'addedAtMs'),
  -- The last poll that brought a report, and the one after it that brought none. Kept when history is forgotten.
  last_report_json TEXT,
  no_report_json TEXT
) STRICT;

CREATE TABLE health_check (
  id INTEGER PRIMARY KEY,
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  name_json TEXT NOT NULL,
  -- Of the runs so far: the latest time that the node gave, and the latest moment at which the check passed.
  last_ran_at_ms INTEGER,
  last_pass_at_ms INTEGER,
  UNIQUE (node_ref, name_json)
) STRICT;

CREATE TABLE health_episode (
  episode_id TEXT NOT NULL PRIMARY KEY,
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  -- As a JSON string.
  check_json TEXT NOT NULL,
  started_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER,
  episode_json TEXT NOT NULL
) STRICT;

CREATE INDEX health_episode_by_node ON health_episode (node_ref, started_at_ms, episode_id);
CREATE INDEX health_episode_by_check ON health_episode (node_ref, check_json, started_at_ms, episode_id);
CREATE INDEX health_episode_open ON health_episode (node_ref) WHERE ended_at_ms IS NULL;

-- Polls of one node within one hour; one for each until the hour is over and they are packed. id is the order of recording,
-- first_at_ms the earliest moment that the polls tell of; the times of runs are those that the node gave.
CREATE TABLE health_block (
  id INTEGER PRIMARY KEY,
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  is_packed INTEGER NOT NULL CHECK (is_packed IN (0, 1)),
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
CREATE INDEX health_block_recent ON health_block (node_ref, from_ms) WHERE is_packed = 0;

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

-- Spans in which the node itself says that a check failed all the time; check_json is the JSON text null for the node as a whole.
CREATE TABLE health_claim (
  id INTEGER PRIMARY KEY,
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  check_json TEXT NOT NULL,
  from_ms INTEGER NOT NULL,
  to_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX health_claim_by_check ON health_claim (node_ref, check_json, to_ms);

-- What the user has said about incidents.
CREATE TABLE health_incident_mark (
  node_ref INTEGER NOT NULL REFERENCES health_node (id) ON DELETE CASCADE,
  episode_id TEXT NOT NULL,
  note_json TEXT NOT NULL,
  PRIMARY KEY (node_ref, episode_id)
) STRICT, WITHOUT ROWID;
`;
