import { runDocument, pageDocument, attemptDocument } from '../documents.ts';
import type { RunStore, StoredRun } from '../../../core/ports.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { insertRow, integer, json, jsonOrNull, readable, text, updateRow } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/** The user's queries with their pages and attempts. */
export function createRunStore(database: SqlDatabase): Synchronous<RunStore> {
  /** Runs that were found to be unreadable. */
  const unreadable = new Set<string>();

  const list: Synchronous<RunStore>['list'] = (query) => {
    const { words, without, states, asked, fromMs, beforeMs, offset, limit } = query;
    const chosen = [
      JSON.stringify(words.map((forms) => forms.map((form) => form.split('…', 2)))),
      JSON.stringify([...without, ...unreadable]),
      ...[states.length, JSON.stringify(states), asked, asked, fromMs, fromMs, beforeMs, beforeMs],
    ];
    const found = database.all(
      `SELECT run_id, run_json FROM run WHERE ${isChosen} ORDER BY started_at_ms DESC, id DESC LIMIT ? OFFSET ?`,
      [...chosen, checkLimit(limit), offset],
    );
    const runs = found.map((row) => readable(row, 'run_json', runDocument));
    const left = found.filter((_row, at) => runs[at] === null);
    for (const row of left) unreadable.add(text(row, 'run_id'));
    // The places of the others are those that they have without it.
    if (left.length > 0) return list(query);
    const count = database.get(`SELECT count(*) AS total FROM run WHERE ${isChosen}`, chosen);
    return {
      runs: runs.filter((run) => run !== null),
      totalCount: integer(count, 'total'),
      unreadableCount: unreadable.size,
    };
  };

  return {
    create(run) {
      const row = { run_id: run.id, started_at_ms: run.startedAtMs, ...contentOf(run) };
      database.transaction((writer) => insertRow(writer, 'run', row));
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
          const content = { page_json: JSON.stringify(page), body_text: rawText };
          insertRow(writer, 'run_page', { run_ref: ref, page_index: page.index, ...content });
        }
        updateRow(writer, 'run', ref, contentOf(run));
        for (const attempt of attempts)
          insertRow(writer, 'run_attempt', { run_ref: ref, attempt_json: JSON.stringify(attempt) });
      });
    },

    read(id) {
      const row = database.get('SELECT run_json FROM run WHERE run_id = ?', [id]);
      return jsonOrNull(row, 'run_json', runDocument);
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

    list,

    remove(id) {
      database.transaction((writer) => writer.run('DELETE FROM run WHERE run_id = ?', [id]));
    },

    settleRunning() {
      const sql = `UPDATE run SET run_json = json_set(run_json, '$.state', 'partial'),
          search_text = replace(search_text, char(10) || 'running' || char(10), char(10) || 'partial' || char(10))
        WHERE ${document} ->> '$.state' = 'running'`;
      database.transaction((writer) => writer.run(sql));
    },
  };
}

/** What is searched has each line between line breaks, so that a form of a word can be a whole line. */
function contentOf(run: StoredRun) {
  const searched = ['', run.searchText, run.state, run.baseUrl.toLowerCase(), ''];
  return { search_text: searched.join('\n'), run_json: JSON.stringify(run) };
}

/** Null where it is no JSON, which SQLite refuses to look into. */
const document = 'iif(json_valid(run_json), run_json, NULL)';

/** A form of a word has one or two parts; the second comes somewhere after the first. */
const isChosen = `NOT EXISTS (
    SELECT 1 FROM json_each(?) AS word WHERE NOT EXISTS (
      SELECT 1 FROM json_each(word.value) AS form
      WHERE instr(search_text, form.value ->> 0) > 0 AND (
        form.value ->> 1 IS NULL
        OR instr(
          substr(search_text, instr(search_text, form.value ->> 0) + length(form.value ->> 0)),
          form.value ->> 1
        ) > 0
      )
    )
  )
  AND run_id NOT IN (SELECT value FROM json_each(?))
  AND (? = 0 OR ${document} ->> '$.state' IN (SELECT value FROM json_each(?)))
  AND (? IS NULL OR coalesce(${document} ->> '$.target.endpointId', ${document} ->> '$.target.callId') = ?)
  AND (? IS NULL OR started_at_ms >= ?) AND (? IS NULL OR started_at_ms < ?)` as const;
