/** Since when a row is in the store: what is new to the user cannot be known from the time of the chain. */
export const firstSeen = `
-- When the app first had it, never overwritten; null for one that was stored before this column was.
ALTER TABLE activity_row ADD COLUMN first_seen_ms INTEGER;
`;
