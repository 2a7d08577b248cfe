import type { ActivityState } from './activity-state.ts';
import { numbersOf, readSlice } from './row-index/index-rows.ts';

/** A deleted address: its name is free at once, and what it has is deleted part by part. */
export const asDeleted = `is_removed = 1, address = 'deleted ' || id, address_json = '{"isLeft":true}',
  chains_json = NULL`;
const isDeleted = "address GLOB 'deleted *'";

const deletePart = ['activity_row', 'activity_record'].map(
  (table) => `DELETE FROM ${table} WHERE rowid IN (
    SELECT element.rowid FROM watch_address
      CROSS JOIN activity_list ON activity_list.address_ref = watch_address.id
      CROSS JOIN ${table} AS element ON element.list_ref = activity_list.id
    WHERE ${isDeleted} LIMIT 1000)`,
);

/** Deletes all that deleted addresses have, and the facets that no row refers to then. Lets other calls run meanwhile. */
export async function deleteRest(state: ActivityState): Promise<void> {
  const { database } = state;
  for (const sql of deletePart)
    while (database.transaction((writer) => writer.run(sql)) > 0) await state.yieldTurn();
  const used = await usedFacets(state);
  database.transaction((writer) => {
    writer.run(`DELETE FROM watch_address WHERE ${isDeleted}`);
    writer.run('DELETE FROM activity_facet WHERE id NOT IN (SELECT value FROM json_each(?))', [
      JSON.stringify([...used]),
    ]);
  });
  state.rowsRemoved();
}

const rowsOfSlice = 4_000;

async function usedFacets(state: ActivityState): Promise<ReadonlySet<number>> {
  const { database, texts } = state;
  const used = new Set<number>();
  // Rows that are written meanwhile may be among those that are read already.
  texts.inUse = used;
  let afterId = 0;
  for (;;) {
    const slice = readSlice(database, afterId, rowsOfSlice);
    if (slice === null) return used;
    const { numbers, tokens } = slice.rows;
    for (const ref of numbers.counterparty) used.add(ref);
    for (const ref of numbers.method) used.add(ref);
    for (const [ref] of tokens.flat()) used.add(ref);
    const sides = database.get(
      `SELECT json_group_array(value) AS refs FROM activity_row CROSS JOIN json_each(other_sides_json)
       WHERE activity_row.id > ? AND activity_row.id <= ?`,
      [afterId, slice.lastId],
    );
    for (const ref of numbersOf(sides ?? { refs: '[]' }, 'refs')) used.add(ref);
    afterId = slice.lastId;
    await state.yieldTurn();
  }
}
