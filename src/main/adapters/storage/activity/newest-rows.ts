import type { ActivityStore } from '../../../core/activity-ports.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { integer } from '../sqlite/row.ts';
import type { SqlReader, SqlRow } from '../sqlite/sql.ts';
import { findAddressRef } from './watchlist.ts';

/** Largest offset that SQL reaches in a few milliseconds by skipping over all newer rows. */
export const nearRows = 5_000;

interface RowCounts {
  all: number;
  /** Rows of addresses that are not watched any more. */
  unwatched: number;
  hidden: number;
  /** Partial rows that are shown. */
  partial: number;
  hiddenPartial: number;
}

/** The newest rows of watched addresses, and counts, without the index of rows: used while that is not loaded. */
export function createNewestRows(reader: SqlReader) {
  let counted: { at: number; counts: RowCounts } | null = null;
  const idsOf = (rows: readonly SqlRow[]) => rows.map((row) => integer(row, 'id'));
  const number = (sql: `SELECT ${string}`) => integer(reader.get(sql), 'total');

  /** Cached until something is written. */
  function counts(): RowCounts {
    const at = number('SELECT total_changes() AS total');
    if (counted?.at === at) return counted.counts;
    const all = number(`${sumRows} AND address_ref IN (SELECT id FROM watched)`);
    const hiddenPartial = number(`${countRows} ${areWatched} AND is_complete = 0 AND reasons > 0`);
    const unwatchedPartial = number(`${countRows} ${areUnwatched} AND is_complete = 0`);
    const found = {
      all,
      unwatched: number(sumRows) - all,
      hidden: number(`${countRows} ${areWatched} AND reasons <> 0`),
      partial: number(countPartial) - unwatchedPartial - hiddenPartial,
      hiddenPartial,
    };
    counted = { at, counts: found };
    return found;
  }

  return {
    counts,

    ids: (showHidden: boolean, offset: number, limit: number): number[] =>
      idsOf(
        reader.all(
          `SELECT activity_row.id AS id FROM activity_row
             CROSS JOIN watched ON watched.id = activity_row.address_ref
           WHERE (reasons = 0 OR ?)
           ORDER BY timestamp_ms DESC, block_number DESC, block_index DESC, activity_row.id DESC
           LIMIT ? OFFSET ?`,
          [showHidden ? 1 : 0, limit, offset],
        ),
      ),

    /** As `ActivityStore.readNews`. */
    newsIds: ({ address, fromMs, seenMs, offset, limit }: Parameters<ActivityStore['readNews']>[0]) =>
      idsOf(
        reader.all(
          `SELECT id FROM activity_row
           WHERE timestamp_ms >= ? AND address_ref = ? AND first_seen_ms >= ? AND reasons = 0
           ORDER BY timestamp_ms DESC, id DESC LIMIT ? OFFSET ?`,
          [fromMs, findAddressRef(reader, address), seenMs, checkLimit(limit), offset],
        ),
      ),

    /** Whether `ids` may have to skip many rows that are not shown. */
    areFarApart(showHidden: boolean): boolean {
      const { unwatched, hidden } = counts();
      return unwatched + (showHidden ? 0 : hidden) > nearRows;
    },
  };
}

const sumRows = 'SELECT coalesce(sum(row_count), 0) AS total FROM activity_list WHERE list = 0';

// For each of the conditions there is an index that begins with the address.
const countRows = 'SELECT count(*) AS total FROM activity_row WHERE';
const areWatched = 'address_ref IN (SELECT id FROM watched)';
const areUnwatched = 'address_ref IN (SELECT id FROM watch_address WHERE is_removed = 1)';

/** Without another condition SQLite counts the index by its pages, which takes a third of the time or less. */
const countPartial = 'SELECT count(*) AS total FROM activity_row WHERE is_complete = 0';
