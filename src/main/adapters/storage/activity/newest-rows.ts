import { integer } from '../sqlite/row.ts';
import type { SqlReader } from '../sqlite/sql.ts';

/** Places that SQL finds by stepping over all newer rows: as long as that takes a few milliseconds. */
export const nearRows = 5_000;

interface RowCounts {
  all: number;
  hidden: number;
  /** Not complete, and shown. */
  partial: number;
  hiddenPartial: number;
}

/** The newest rows of watched addresses and how many there are, without the index of rows: what the app starts with. */
export class NewestRows {
  readonly #reader: SqlReader;
  #counted: { at: number; counts: RowCounts } | null = null;

  constructor(reader: SqlReader) {
    this.#reader = reader;
  }

  ids(showHidden: boolean, offset: number, limit: number): number[] {
    return this.#reader
      .prepare(
        `SELECT activity_row.id AS id FROM activity_row
           CROSS JOIN watched ON watched.id = activity_row.address_ref
         WHERE (reasons = 0 OR ?)
         ORDER BY timestamp_ms DESC, block_number DESC, block_index DESC, activity_row.id DESC
         LIMIT ? OFFSET ?`,
      )
      .all(showHidden ? 1 : 0, limit, offset)
      .map((row) => integer(row, 'id'));
  }

  /** Counted again only when anything was written since. */
  counts(): RowCounts {
    const at = this.#number('SELECT total_changes() AS total');
    if (this.#counted?.at === at) return this.#counted.counts;
    const counts = {
      all: this.#number(
        `SELECT coalesce(sum(row_count), 0) AS total FROM activity_list
           JOIN watched ON watched.id = address_ref
         WHERE list = 0`,
      ),
      hidden: this.#number(`${countRows} AND reasons <> 0`),
      partial: this.#number(`${countRows} AND is_complete = 0 AND reasons = 0`),
      hiddenPartial: this.#number(`${countRows} AND is_complete = 0 AND reasons <> 0`),
    };
    this.#counted = { at, counts };
    return counts;
  }

  #number(sql: `SELECT ${string}`): number {
    const row = this.#reader.prepare(sql).get();
    return row === undefined ? 0 : integer(row, 'total');
  }
}

// With each of the conditions above there is an index that begins with the address.
const countRows = 'SELECT count(*) AS total FROM activity_row WHERE address_ref IN (SELECT id FROM watched)';
