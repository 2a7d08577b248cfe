import { runDocument, pageDocument, attemptDocument } from '../documents.ts';
import type { Attempt } from '../../../../shared/explore/types.ts';
import type { RunStore, StoredRun, StoredRunPage } from '../../../core/ports.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { integer, text, json } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/** The user's queries with their pages and attempts. */
export class SqlRunStore implements Synchronous<RunStore> {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  create(run: StoredRun): void {
    this.#database.transaction((writer) => {
      writer
        .prepare('INSERT INTO run (run_id, started_at_ms, search_text, run_json) VALUES (?, ?, ?, ?)')
        .run(run.id, run.startedAtMs, run.searchText, JSON.stringify(run));
    });
  }

  save(run: StoredRun, pages: readonly StoredRunPage[], attempts: readonly Attempt[]): void {
    this.#database.transaction((writer) => {
      const row = writer
        .prepare("SELECT id, run_json ->> 'pageCount' AS page_count FROM run WHERE run_id = ?")
        .get(run.id);
      if (row === undefined) throw new SqlFailure('missing-parent', '');
      const ref = integer(row, 'id');
      for (const [position, { rawText, ...page }] of pages.entries()) {
        if (page.index !== integer(row, 'page_count') + position) {
          throw new SqlFailure('defect', 'a page does not follow the pages stored before');
        }
        writer
          .prepare('INSERT INTO run_page (run_ref, page_index, page_json, body_text) VALUES (?, ?, ?, ?)')
          .run(ref, page.index, JSON.stringify(page), rawText);
      }
      writer.prepare('UPDATE run SET run_json = ? WHERE id = ?').run(JSON.stringify(run), ref);
      for (const attempt of attempts) {
        writer
          .prepare('INSERT INTO run_attempt (run_ref, attempt_json) VALUES (?, ?)')
          .run(ref, JSON.stringify(attempt));
      }
    });
  }

  read(id: string): StoredRun | null {
    const row = this.#database.prepare('SELECT run_json FROM run WHERE run_id = ?').get(id);
    return row === undefined ? null : json(row, 'run_json', runDocument);
  }

  readPage(id: string, index: number): StoredRunPage | null {
    const row = this.#database
      .prepare(
        `SELECT page_json, body_text FROM run_page JOIN run ON run.id = run_ref
         WHERE run_id = ? AND page_index = ?`,
      )
      .get(id, index);
    if (row === undefined) return null;
    const page = json(row, 'page_json', pageDocument);
    return { ...page, rawText: text(row, 'body_text') };
  }

  readAttempts(id: string): Attempt[] {
    return this.#database
      .prepare(
        'SELECT attempt_json FROM run_attempt JOIN run ON run.id = run_ref WHERE run_id = ? ORDER BY run_attempt.id',
      )
      .all(id)
      .map((row) => json(row, 'attempt_json', attemptDocument));
  }

  list(query: { words: string[]; cursor: string | null; limit: number }): {
    runs: StoredRun[];
    nextCursor: string | null;
    totalCount: number;
  } {
    const limit = checkLimit(query.limit);
    const after = query.cursor === null ? beforeAll : placeIn(query.cursor);
    const words = JSON.stringify(query.words);
    // One more than asked for tells whether there is a next page.
    const found = this.#database
      .prepare(
        `SELECT id, started_at_ms, run_json FROM run WHERE (started_at_ms, id) < (?, ?) AND ${holdsWords}
         ORDER BY started_at_ms DESC, id DESC LIMIT ?`,
      )
      .all(...after, words, limit + 1);
    const count = this.#database.prepare(`SELECT count(*) AS total FROM run WHERE ${holdsWords}`).get(words);
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
  }

  remove(id: string): void {
    this.#database.transaction((writer) => {
      writer.prepare('DELETE FROM run WHERE run_id = ?').run(id);
    });
  }

  settleRunning(): void {
    this.#database.transaction((writer) => {
      writer
        .prepare(
          `UPDATE run SET run_json = json_set(run_json, '$.state', 'partial') WHERE run_json ->> 'state' = 'running'`,
        )
        .run();
    });
  }
}

const holdsWords = 'NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(search_text, value) = 0)';

/** A place in the list: the newest start first, then the newest entry. */
type Place = readonly [startedAtMs: number, rowId: number];

/** Above every place that can be stored. */
const beforeAll: Place = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

function placeIn(cursor: string): Place {
  if (!/^-?\d+ \d+$/.test(cursor))
    throw new SqlFailure('value', 'the place to go on from is not one of ours');
  const [startedAtMs = 0, rowId = 0] = cursor.split(' ').map(Number);
  return [startedAtMs, rowId];
}
