import * as z from 'zod/mini';
import type { Attempt, RunState, RunTarget } from '../../../../shared/explore/types.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { RunStore, StoredRun, StoredRunPage } from '../../../core/ports.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { integer, integerOrNull, choice, json, text } from '../sqlite/row.ts';
import { decodeRunCursor, encodeRunCursor } from '../sqlite/run-cursor.ts';
import { SqlFailure, type SqlDatabase, type SqlReader, type SqlRow, type SqlWriter } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/** Places are the numbers of the column `state`. */
const states: readonly RunState[] = ['running', 'partial', 'complete', 'failed'];

const targetSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('endpoint'),
    endpointId: z.string(),
    params: z.record(z.string(), z.string()),
  }),
  z.strictObject({
    kind: z.literal('node'),
    nodeId: z.string(),
    callId: z.string(),
    tags: z.array(z.string()),
  }),
]);
const countsSchema = z.array(z.tuple([z.string(), z.int()]));
const walkSchema = z.strictObject({
  baseUrl: z.string(),
  nextToken: z.nullable(z.string()),
  range: z.nullable(
    z.strictObject({ startBlock: z.exactOptional(z.string()), endBlock: z.exactOptional(z.string()) }),
  ),
  order: z.enum(['unknown', 'ascending', 'descending', 'none']),
  block: z.nullable(z.string()),
  stored: countsSchema,
  seen: countsSchema,
  restartedAt: z.nullable(z.string()),
});
const errorSchema = z.looseObject({ code: z.string(), message: z.string() });
const tokenSchema = z.string();
const notesSchema = z.array(z.string());
const repeatedSchema = z.array(z.int());

/** The user's queries with their pages and attempts. */
export class SqlRunStore implements Synchronous<RunStore> {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  create(run: StoredRun): void {
    this.#database.transaction((writer) => {
      writer
        .prepare(
          `INSERT INTO run (run_id, target_json, origin, search_text, started_at_ms, state, fetched_at_ms, page_count,
             row_count, byte_length, has_more, error_json, walk_json)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          run.id,
          JSON.stringify(run.target),
          run.origin,
          run.searchText,
          run.startedAtMs,
          ...changingColumns(run),
        );
    });
  }

  save(run: StoredRun, pages: readonly StoredRunPage[], attempts: readonly Attempt[]): void {
    this.#database.transaction((writer) => {
      const { ref, pageCount } = requireRun(writer, run.id);
      for (const [position, page] of pages.entries()) {
        if (page.index !== pageCount + position) {
          throw new SqlFailure('defect', 'a page does not follow the pages stored before');
        }
        savePage(writer, ref, page);
      }
      writer
        .prepare(
          `UPDATE run SET state = ?, fetched_at_ms = ?, page_count = ?, row_count = ?, byte_length = ?, has_more = ?,
             error_json = ?, walk_json = ? WHERE id = ?`,
        )
        .run(...changingColumns(run), ref);
      for (const attempt of attempts) saveAttempt(writer, ref, attempt);
    });
  }

  read(id: string): StoredRun | null {
    const row = this.#database.prepare(`${selectRun} WHERE run_id = ?`).get(id);
    return row === undefined ? null : toRun(row);
  }

  readPage(id: string, index: number): StoredRunPage | null {
    const row = this.#database
      .prepare(
        `SELECT page_index, run_page.fetched_at_ms AS fetched_at_ms, http_status, duration_ms,
           run_page.byte_length AS byte_length, notes_json, repeated_json, body_text
         FROM run_page JOIN run ON run.id = run_ref WHERE run_id = ? AND page_index = ?`,
      )
      .get(id, index);
    if (row === undefined) return null;
    return {
      index: integer(row, 'page_index'),
      rawText: text(row, 'body_text'),
      fetchedAtMs: integer(row, 'fetched_at_ms'),
      httpStatus: integer(row, 'http_status'),
      durationMs: integer(row, 'duration_ms'),
      byteLength: integer(row, 'byte_length'),
      notes: json(row, 'notes_json', (value) => z.parse(notesSchema, value)),
      repeatedRows: json(row, 'repeated_json', (value) => z.parse(repeatedSchema, value)),
    };
  }

  readAttempts(id: string): Attempt[] {
    return this.#database
      .prepare(
        `SELECT run_id, at_ms, duration_ms, http_status, run_attempt.byte_length AS byte_length,
           run_attempt.row_count AS row_count, outcome, page_token_json, next_page_token_json
         FROM run_attempt JOIN run ON run.id = run_ref WHERE run_id = ? ORDER BY run_attempt.id`,
      )
      .all(id)
      .map(toAttempt);
  }

  list(query: { words: string[]; cursor: string | null; limit: number }): {
    runs: StoredRun[];
    nextCursor: string | null;
    totalCount: number;
  } {
    const limit = checkLimit(query.limit);
    const after = query.cursor === null ? beforeAll : decodeRunCursor(query.cursor);
    const words = JSON.stringify(query.words);
    // One more than asked for tells whether there is a next page.
    const found = this.#database
      .prepare(
        `${selectRun} WHERE (started_at_ms, id) < (?, ?) AND ${holdsWords}
         ORDER BY started_at_ms DESC, id DESC LIMIT ?`,
      )
      .all(after.startedAtMs, after.rowId, words, limit + 1);
    const count = this.#database.prepare(`SELECT count(*) AS total FROM run WHERE ${holdsWords}`).get(words);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      runs: shown.map(toRun),
      nextCursor:
        found.length > limit && last !== undefined
          ? encodeRunCursor({ startedAtMs: integer(last, 'started_at_ms'), rowId: integer(last, 'id') })
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
        .prepare('UPDATE run SET state = ? WHERE state = ?')
        .run(states.indexOf('partial'), states.indexOf('running'));
    });
  }
}

/** Above every place that can be stored. */
const beforeAll = { startedAtMs: Number.MAX_SAFE_INTEGER, rowId: Number.MAX_SAFE_INTEGER };

const holdsWords = 'NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(search_text, value) = 0)';

const selectRun =
  `SELECT id, run_id, target_json, origin, search_text, state, started_at_ms, fetched_at_ms, page_count,
    row_count, byte_length, has_more, error_json, walk_json FROM run` as const;

/** The columns that move on, in one order for both statements. */
function changingColumns(run: StoredRun) {
  return [
    states.indexOf(run.state),
    run.fetchedAtMs,
    run.pageCount,
    run.rowCount,
    run.byteLength,
    run.hasMore ? 1 : 0,
    run.error === null ? null : JSON.stringify(run.error),
    JSON.stringify(run.walk),
  ] as const;
}

function requireRun(reader: SqlReader, id: string): { ref: number; pageCount: number } {
  const row = reader.prepare('SELECT id, page_count FROM run WHERE run_id = ?').get(id);
  if (row === undefined) throw new SqlFailure('missing-parent', '');
  return { ref: integer(row, 'id'), pageCount: integer(row, 'page_count') };
}

function savePage(writer: SqlWriter, ref: number, page: StoredRunPage): void {
  writer
    .prepare(
      `INSERT INTO run_page (run_ref, page_index, fetched_at_ms, http_status, duration_ms, byte_length, notes_json,
         repeated_json, body_text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      ref,
      page.index,
      page.fetchedAtMs,
      page.httpStatus,
      page.durationMs,
      page.byteLength,
      JSON.stringify(page.notes),
      JSON.stringify(page.repeatedRows),
      page.rawText,
    );
}

function saveAttempt(writer: SqlWriter, ref: number, attempt: Attempt): void {
  const token = (value: string | null) => (value === null ? null : JSON.stringify(value));
  writer
    .prepare(
      `INSERT INTO run_attempt (run_ref, at_ms, duration_ms, http_status, byte_length, row_count, outcome,
         page_token_json, next_page_token_json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      ref,
      attempt.atMs,
      attempt.durationMs,
      attempt.httpStatus,
      attempt.byteLength,
      attempt.rowCount,
      attempt.outcome,
      token(attempt.pageToken),
      token(attempt.nextPageToken),
    );
}

function toRun(row: SqlRow): StoredRun {
  return {
    id: text(row, 'run_id'),
    // Of the right shape by its schema; that its endpoint still exists is the reader's business.
    target: json(row, 'target_json', (value) => z.parse(targetSchema, value)) as RunTarget,
    origin: text(row, 'origin'),
    searchText: text(row, 'search_text'),
    state: choice(row, 'state', states),
    startedAtMs: integer(row, 'started_at_ms'),
    fetchedAtMs: integerOrNull(row, 'fetched_at_ms'),
    pageCount: integer(row, 'page_count'),
    rowCount: integerOrNull(row, 'row_count'),
    byteLength: integer(row, 'byte_length'),
    hasMore: integer(row, 'has_more') === 1,
    error:
      row['error_json'] === null
        ? null
        : // Written by the app from an `AppError`; code and words are all that a reader cannot do without.
          (json(row, 'error_json', (value) => z.parse(errorSchema, value)) as unknown as AppError),
    walk: json(row, 'walk_json', (value) => z.parse(walkSchema, value)),
  };
}

function toAttempt(row: SqlRow): Attempt {
  const token = (column: string) =>
    row[column] === null ? null : json(row, column, (value) => z.parse(tokenSchema, value));
  return {
    runId: text(row, 'run_id'),
    atMs: integer(row, 'at_ms'),
    durationMs: integer(row, 'duration_ms'),
    httpStatus: integerOrNull(row, 'http_status'),
    byteLength: integer(row, 'byte_length'),
    rowCount: integerOrNull(row, 'row_count'),
    // Written by the app from an `Attempt`; an unknown word would only be shown as it is.
    outcome: text(row, 'outcome') as Attempt['outcome'],
    pageToken: token('page_token_json'),
    nextPageToken: token('next_page_token_json'),
  };
}
