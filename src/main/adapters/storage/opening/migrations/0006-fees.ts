/** What the address of a row paid for it, by which rows can be ordered. */
export const fees = `
-- In base units, as digits; null if another paid it, or if it is not known.
ALTER TABLE activity_row ADD COLUMN fee TEXT;

-- Of rows that are there: gas times its price. A product has more digits than an integer of SQLite, so it is made in two halves.
UPDATE activity_row SET fee = iif(upper = 0, CAST(lower AS TEXT), printf('%d%09d', upper, lower))
  FROM (
    SELECT row_ref, used * (price / 1000000000) + used * (price % 1000000000) / 1000000000 AS upper,
      used * (price % 1000000000) % 1000000000 AS lower
    FROM (
      SELECT row_ref, CAST(used AS INTEGER) AS used, CAST(price AS INTEGER) AS price
      FROM (
        SELECT row_ref, transaction_json ->> '$.nativeTransaction.gasUsed' AS used,
          transaction_json ->> '$.nativeTransaction.gasPrice' AS price
        FROM activity_body JOIN activity_row ON activity_row.id = row_ref
          JOIN watch_address ON watch_address.id = address_ref
        WHERE json_valid(transaction_json)
          AND lower(transaction_json ->> '$.nativeTransaction.from.address') = lower(watch_address.address)
      )
      -- No block has room for so much gas, and no price has so many digits.
      WHERE used GLOB '[0-9]*' AND used NOT GLOB '*[^0-9]*' AND length(used) <= 9
        AND price GLOB '[0-9]*' AND price NOT GLOB '*[^0-9]*' AND length(price) <= 18
    )
  ) AS paid
  WHERE activity_row.id = paid.row_ref;
`;
