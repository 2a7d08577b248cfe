import type { Migration } from './migration.ts';

/**
 * Rows are found by ten digits of their hash within their list. The whole hash of every row in one index took a third of
 * the store and nearly all of the time of writing, because each new row fell on another page of it. That a list has a
 * transaction once is now seen to by `row-writes.ts`, which looks before it adds.
 */
export const rowHashes: Migration = {
  version: 5,
  replacesTables: true,
  sql: `
CREATE TABLE activity_row_new (
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
  seen_at_ms INTEGER,
  kind INTEGER,
  direction INTEGER,
  status INTEGER,
  counterparty_ref INTEGER,
  method_ref INTEGER,
  tokens_json TEXT NOT NULL DEFAULT '[]',
  rules INTEGER NOT NULL DEFAULT 0,
  value_then TEXT,
  value_currency_json TEXT,
  message_json TEXT,
  decision INTEGER CHECK (decision IN (0, 1)),
  is_hidden INTEGER NOT NULL DEFAULT 0 CHECK (is_hidden IN (0, 1)),
  reorg INTEGER,
  note_json TEXT
) STRICT;

INSERT INTO activity_row_new SELECT id, list_ref, address_ref, chain_ref, tx_hash, block_number, block_index, block_hash,
    timestamp_ms, is_complete, fetched_at_ms, seen_at_ms, kind, direction, status, counterparty_ref, method_ref,
    tokens_json, rules, value_then, value_currency_json, message_json, decision, is_hidden, reorg, note_json
  FROM activity_row ORDER BY id;

DROP TABLE activity_row;
ALTER TABLE activity_row_new RENAME TO activity_row;

CREATE INDEX activity_row_by_hash ON activity_row (list_ref, substr(tx_hash, 3, 10));
CREATE INDEX activity_row_by_time ON activity_row (timestamp_ms, block_number, block_index);
CREATE INDEX activity_row_by_block ON activity_row (list_ref, block_number);
CREATE INDEX activity_row_partial ON activity_row (address_ref, is_hidden) WHERE is_complete = 0;
CREATE INDEX activity_row_hidden ON activity_row (address_ref) WHERE is_hidden = 1;
CREATE INDEX activity_row_by_message ON activity_row (message_json) WHERE message_json IS NOT NULL;
`,
};
