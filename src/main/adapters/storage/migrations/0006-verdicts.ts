import type { Migration } from './migration.ts';

/**
 * A row keeps every reason for which it is hidden (bits; 0 while it is shown), and no rule hides what the user did. What
 * filters look at was found out by older rules, so it is found out again (`old-rows.ts`); until then `kind` is null. The
 * JSON of rows is as it was received from now on; what is there was written from what had been read of it.
 */
export const verdicts: Migration = {
  version: 6,
  replacesTables: true,
  sql: `
CREATE TABLE IF NOT EXISTS activity_row_old (id INTEGER PRIMARY KEY, transaction_json TEXT) STRICT;
INSERT INTO activity_body (row_ref, transaction_json) SELECT id, transaction_json FROM activity_row_old;
DROP TABLE activity_row_old;
DROP TABLE IF EXISTS activity_sync;

ALTER TABLE activity_body ADD COLUMN is_received INTEGER NOT NULL DEFAULT 0 CHECK (is_received IN (0, 1));

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
  is_own_doing INTEGER NOT NULL DEFAULT 0 CHECK (is_own_doing IN (0, 1)),
  has_unread_parts INTEGER NOT NULL DEFAULT 0 CHECK (has_unread_parts IN (0, 1)),
  awaits_price INTEGER NOT NULL DEFAULT 0 CHECK (awaits_price IN (0, 1)),
  value_then TEXT,
  value_currency_json TEXT,
  message_json TEXT,
  decision INTEGER CHECK (decision IN (0, 1)),
  reasons INTEGER NOT NULL DEFAULT 0,
  reorg INTEGER,
  note_json TEXT
) STRICT;

INSERT INTO activity_row_new SELECT id, list_ref, address_ref, chain_ref, tx_hash, block_number, block_index, block_hash,
    timestamp_ms, is_complete, fetched_at_ms, seen_at_ms, NULL, direction, status, counterparty_ref, method_ref,
    tokens_json, rules, 0, 0, 0, value_then, value_currency_json, message_json, decision, is_hidden, reorg, note_json
  FROM activity_row ORDER BY id;

DROP TABLE activity_row;
ALTER TABLE activity_row_new RENAME TO activity_row;

CREATE INDEX activity_row_by_hash ON activity_row (list_ref, substr(tx_hash, 3, 10));
CREATE INDEX activity_row_by_time ON activity_row (timestamp_ms, block_number, block_index);
CREATE INDEX activity_row_by_block ON activity_row (list_ref, block_number);
CREATE INDEX activity_row_partial ON activity_row (address_ref, reasons) WHERE is_complete = 0;
CREATE INDEX activity_row_hidden ON activity_row (address_ref, reasons) WHERE reasons <> 0;
CREATE INDEX activity_row_by_message ON activity_row (message_json) WHERE message_json IS NOT NULL;
CREATE INDEX activity_row_stale ON activity_row (id) WHERE kind IS NULL;
CREATE INDEX activity_row_unpriced ON activity_row (timestamp_ms) WHERE awaits_price = 1;
`,
};
