import type { Migration } from './migration.ts';

/**
 * Five lists of each address on each chain, what is proven of them, and rows that can be filtered: the columns of a row
 * lie apart from its long JSON. Rows of the older layout get their columns here; `old-rows.ts` moves their JSON and finds
 * out the rest afterwards, in slices. Texts of strangers are JSON strings, as in the other tables.
 */
export const activityLists: Migration = {
  version: 3,
  sql: `
ALTER TABLE watch_address ADD COLUMN tags_json TEXT NOT NULL DEFAULT '[]';
ALTER TABLE watch_address ADD COLUMN colour TEXT;
ALTER TABLE watch_address ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0 CHECK (is_paused IN (0, 1));
-- Not watched any more, but its data is kept for when it is added again.
ALTER TABLE watch_address ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1));
ALTER TABLE watch_chains ADD COLUMN new_since_json TEXT NOT NULL DEFAULT '{}';

CREATE TABLE book_entry (
  address TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  note TEXT,
  changed_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE activity_list (
  id INTEGER PRIMARY KEY,
  address_ref INTEGER NOT NULL REFERENCES watch_address (id) ON DELETE CASCADE,
  chain_ref INTEGER NOT NULL REFERENCES chain (id),
  -- Place in the list of lists; 0 is the list of transactions.
  list INTEGER NOT NULL,
  covered_json TEXT NOT NULL,
  reached_start INTEGER NOT NULL CHECK (reached_start IN (0, 1)),
  resume_json TEXT,
  checked_at_ms INTEGER,
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

ALTER TABLE activity_row RENAME TO activity_row_old;

-- block_index is -(2^53 - 1) where the service gave none, which sorts after all others. kind is null in a row of the
-- older layout whose facets are not known yet. is_hidden follows from decision, the decisions about tokens, rules (bits)
-- and the counterparty, and is kept in step with them.
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
  kind INTEGER,
  direction INTEGER,
  status INTEGER,
  counterparty_ref INTEGER,
  method_ref INTEGER,
  -- [[facet, largest amount in base units], …]
  tokens_json TEXT NOT NULL DEFAULT '[]',
  rules INTEGER NOT NULL DEFAULT 0,
  value_then TEXT,
  value_currency_json TEXT,
  message_json TEXT,
  decision INTEGER CHECK (decision IN (0, 1)),
  is_hidden INTEGER NOT NULL DEFAULT 0 CHECK (is_hidden IN (0, 1)),
  -- 0 reorganised, 1 gone.
  reorg INTEGER,
  note_json TEXT,
  UNIQUE (tx_hash, list_ref)
) STRICT;

CREATE TABLE activity_body (
  row_ref INTEGER PRIMARY KEY REFERENCES activity_row (id) ON DELETE CASCADE,
  transaction_json TEXT NOT NULL
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

INSERT INTO activity_list (id, address_ref, chain_ref, list, covered_json, reached_start, resume_json, checked_at_ms,
    row_count, newest_timestamp_ms, oldest_timestamp_ms)
  SELECT id, address_ref, chain_ref, 0, covered_json, reached_start, resume_json, checked_at_ms, row_count,
    (SELECT max(timestamp_ms) FROM activity_row_old WHERE sync_ref = activity_sync.id),
    (SELECT min(timestamp_ms) FROM activity_row_old WHERE sync_ref = activity_sync.id)
  FROM activity_sync;

INSERT INTO activity_row (id, list_ref, address_ref, chain_ref, tx_hash, block_number, block_index, timestamp_ms,
    is_complete, fetched_at_ms, seen_at_ms)
  SELECT id, sync_ref, address_ref, chain_ref, tx_hash, block_number, block_index, timestamp_ms, is_complete,
    fetched_at_ms, fetched_at_ms
  FROM activity_row_old;

DROP INDEX activity_row_by_sync;
DROP INDEX activity_row_by_address;
DROP INDEX activity_row_by_chain;
DROP INDEX activity_row_by_time;
CREATE INDEX activity_row_by_time ON activity_row (timestamp_ms, block_number, block_index);
CREATE INDEX activity_row_by_block ON activity_row (list_ref, block_number);
-- What of the screen's counts is not the number of all rows.
CREATE INDEX activity_row_partial ON activity_row (address_ref, is_hidden) WHERE is_complete = 0;
CREATE INDEX activity_row_hidden ON activity_row (address_ref) WHERE is_hidden = 1;
CREATE INDEX activity_row_by_message ON activity_row (message_json) WHERE message_json IS NOT NULL;
`,
};
