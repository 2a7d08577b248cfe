/** Alerts, and the messages about them until a channel has taken them. */
export const alerts = `
CREATE TABLE alert (
  id INTEGER PRIMARY KEY,
  alert_key TEXT NOT NULL UNIQUE,
  started_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER,
  alert_json TEXT NOT NULL
) STRICT;
CREATE INDEX alert_by_start ON alert (ended_at_ms IS NOT NULL, started_at_ms);
-- In the order in which they were made.
CREATE TABLE alert_message (
  id INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL UNIQUE,
  is_waiting INTEGER NOT NULL,
  message_json TEXT NOT NULL
) STRICT;
CREATE INDEX alert_message_waiting ON alert_message (id) WHERE is_waiting = 1;
`;
