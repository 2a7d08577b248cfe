/** Of each list: what the user still waits for, and how often its proof was taken back. */
export const wishesAndDoubts = `
-- 'newer', 'holes', 'older' or 'all'; null for nothing.
ALTER TABLE activity_list ADD COLUMN owed TEXT;
ALTER TABLE activity_list ADD COLUMN doubt_count INTEGER NOT NULL DEFAULT 0;
`;
