import { runDocument, pageDocument, attemptDocument } from '../documents.ts';
import type { RunStore } from '../../../core/ports.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { integer, text, json } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/** The user's queries with their pages and attempts. */
export function createRunStore(database: SqlDatabase): Synchronous<RunStore> {
  return {
    create(run) {
      const sql = 'INSERT INTO run (run_id, started_at_ms, search_text, run_json) VALUES (?, ?, ?, ?)';
      const params = [run.id, run.startedAtMs, run.searchText, JSON.stringify(run)];
      database.transaction((writer) => writer.run(sql, params));
    },

    save(run, pages, attempts) {
      database.transaction((writer) => {
        const row = writer.get(
          "SELECT id, run_json ->> 'pageCount' AS page_count FROM run WHERE run_id = ?",
          [run.id],
        );
        if (row === undefined) throw new SqlFailure('missing-parent', '');
        const ref = integer(row, 'id');
        for (const [position, { rawText, ...page }] of pages.entries()) {
          if (page.index !== integer(row, 'page_count') + position) {
            throw new SqlFailure('defect', 'a page does not follow the pages stored before');
          }
          writer.run('INSERT INTO run_page (run_ref, page_index, page_json, body_text) VALUES (?, ?, ?, ?)', [
            ref,
            page.index,
            JSON.stringify(page),
            rawText,
          ]);
        }
        writer.run('UPDATE run SET run_json = ? WHERE id = ?', [JSON.stringify(run), ref]);
        for (const attempt of attempts) {
          writer.run('INSERT INTO run_attempt (run_ref, attempt_json) VALUES (?, ?)', [
            ref,
            JSON.stringify(attempt),
          ]);
        }
      });
    },

    read(id) {
      const row = database.get('SELECT run_json FROM run WHERE run_id = ?', [id]);
      return row === undefined ? null : json(row, 'run_json', runDocument);
    },

    readPage(id, index) {
      const row = database.get(
        `SELECT page_json, body_text FROM run_page JOIN run ON run.id = run_ref
         WHERE run_id = ? AND page_index = ?`,
        [id, index],
      );
      if (row === undefined) return null;
      const page = json(row, 'page_json', pageDocument);
      return { ...page, rawText: text(row, 'body_text') };
    },

    readAttempts: (id) =>
      database
        .all(
          'SELECT attempt_json FROM run_attempt JOIN run ON run.id = run_ref WHERE run_id = ? ORDER BY run_attempt.id',
          [id],
        )
        .map((row) => json(row, 'attempt_json', attemptDocument)),

    list(query) {
      const limit = checkLimit(query.limit);
      const after = query.cursor === null ? beforeAll : placeIn(query.cursor);
      const chosen = [JSON.stringify(query.words), JSON.stringify(query.without)] as const;
      // One more than requested, to know whether there is a next page.
      const found = database.all(
        `SELECT id, started_at_ms, run_json FROM run WHERE (started_at_ms, id) < (?, ?) AND ${isChosen}
         ORDER BY started_at_ms DESC, id DESC LIMIT ?`,
        [...after, ...chosen, limit + 1],
      );
      const count = database.get(`SELECT count(*) AS total FROM run WHERE ${isChosen}`, chosen);
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      return {
        runs: shown.map((row) => json(row, 'run_json', runDocument)),
        nextCursor:
          found.length > limit && last !== undefined
            ? `${integer(last, 'started_at_ms')} ${integer(last, 'id')}`
            : null,
        totalCount: count === undefined ? 0 : integer(count, 'total'),
      };
    },

    remove(id) {
      database.transaction((writer) => writer.run('DELETE FROM run WHERE run_id = ?', [id]));
    },

    settleRunning() {
      const sql = `UPDATE run SET run_json = json_set(run_json, '$.state', 'partial') WHERE run_json ->> 'state' = 'running'`;
      database.transaction((writer) => writer.run(sql));
    },
  };
}

const isChosen = `NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(search_text, value) = 0)
  AND run_id NOT IN (SELECT value FROM json_each(?))` as const;

/** Position in the list: by newest start, then newest entry. */
type Place = readonly [startedAtMs: number, rowId: number];

/** Before all stored entries. */
const beforeAll: Place = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

function placeIn(cursor: string): Place {
  if (!/^-?\d+ \d+$/.test(cursor))
    throw new SqlFailure('value', 'the place to go on from is not one of ours');
  const [startedAtMs = 0, rowId = 0] = cursor.split(' ').map(Number);
  return [startedAtMs, rowId];
}
