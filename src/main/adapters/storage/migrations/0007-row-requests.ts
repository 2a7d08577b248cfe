import type { Migration } from './migration.ts';

/** A row of a list knows the request that brought it, which is stored once for all the rows of its page. */
export const rowRequests: Migration = {
  version: 7,
  sql: `
CREATE TABLE activity_request (
  id INTEGER PRIMARY KEY,
  list_ref INTEGER NOT NULL REFERENCES activity_list (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  UNIQUE (list_ref, url)
) STRICT;

-- Null where it is a whole answer, or was stored by an older layout.
ALTER TABLE activity_body ADD COLUMN request_ref INTEGER;
`,
};
