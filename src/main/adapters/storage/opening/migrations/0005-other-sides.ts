/** Who took part in a row besides its counterparty, by whom it may look like an address that the user knows. */
export const otherSides = `
-- Facets as a JSON list; null for none, and in rows that no rule may hide.
ALTER TABLE activity_row ADD COLUMN other_sides_json TEXT;

-- Of rows that are there: what sidesOf of look-alike.ts finds besides the counterparty, which in such rows has sent the native value.
CREATE TEMP TABLE other_side AS
  WITH part AS MATERIALIZED (
    SELECT activity_row.id AS row_id, counterparty_ref, lower(watch_address.address) AS mine, arrays.path,
      CASE element.type WHEN 'object' THEN element.value ELSE '{}' END AS part_json
    FROM activity_row
      JOIN watch_address ON watch_address.id = address_ref
      JOIN activity_body ON row_ref = activity_row.id
      CROSS JOIN (SELECT '$.internalTransactions' AS path UNION ALL SELECT '$.erc20Transfers'
        UNION ALL SELECT '$.erc721Transfers' UNION ALL SELECT '$.erc1155Transfers') AS arrays
      CROSS JOIN json_each(iif(json_valid(transaction_json), transaction_json, '{}'), arrays.path) AS element
    WHERE is_own_doing = 0 AND status <> 1
  ), moved AS (
    SELECT row_id, counterparty_ref, mine, lower(part_json ->> '$.from.address') AS from_address,
      lower(part_json ->> '$.to.address') AS to_address
    FROM part
    -- Internal calls without a value, taken back, or that only lend code move nothing.
    WHERE path <> '$.internalTransactions' OR (
      (part_json ->> '$.value' IS NULL OR trim(part_json ->> '$.value', '0') <> '' OR part_json ->> '$.value' = '')
      AND coalesce(part_json ->> '$.isReverted', 0) = 0
      AND upper(coalesce(part_json ->> '$.internalTxType', '')) NOT IN ('CALLCODE', 'DELEGATECALL', 'STATICCALL'))
  )
  SELECT DISTINCT row_id, json_array(iif(from_address = mine, to_address, from_address), NULL) AS content_json
  FROM moved
  WHERE (from_address = mine) <> (to_address = mine)
    AND iif(from_address = mine, to_address, from_address)
      IS NOT (SELECT content_json ->> '$[0]' FROM activity_facet WHERE id = counterparty_ref);
INSERT OR IGNORE INTO activity_facet (family, content_json) SELECT DISTINCT 0, content_json FROM other_side;
UPDATE activity_row SET other_sides_json = sides.refs
  FROM (SELECT row_id, json_group_array(activity_facet.id) AS refs FROM other_side
    JOIN activity_facet ON family = 0 AND activity_facet.content_json = other_side.content_json GROUP BY row_id) AS sides
  WHERE activity_row.id = sides.row_id;
DROP TABLE other_side;

-- Those that look like an address that the user knows are hidden for it, unless the user has decided otherwise.
UPDATE activity_row SET reasons = reasons | 2
  WHERE other_sides_json IS NOT NULL AND decision IS NULL AND reasons <> 32
    AND NOT EXISTS (SELECT 1 FROM json_each(tokens_json) AS moved
      JOIN activity_facet ON activity_facet.id = moved.value ->> '$[0]'
      JOIN token_decision ON token_json = content_json -> '$[0]' WHERE token_decision.decision = 0)
    AND EXISTS (
      WITH known AS (SELECT lower(address) AS address FROM watched UNION SELECT lower(address) FROM book_entry)
      SELECT 1 FROM json_each(other_sides_json) AS side
        JOIN activity_facet ON activity_facet.id = side.value
        JOIN known ON substr(known.address, 1, 6) = substr(content_json ->> '$[0]', 1, 6)
          AND substr(known.address, -4) = substr(content_json ->> '$[0]', -4)
      WHERE content_json ->> '$[0]' GLOB '0x*' AND length(content_json ->> '$[0]') = 42
        AND content_json ->> '$[0]' NOT IN (SELECT address FROM known));
`;
