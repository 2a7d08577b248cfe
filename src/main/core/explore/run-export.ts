import { tableOf } from '../../../shared/explore/answer-table.ts';
import type { RunSummary } from '../../../shared/explore/types.ts';
import type { ArgsOf, ResultOf } from '../../../shared/ipc/contract.ts';
import type { FileSaver } from '../ports.ts';
import { fileNameOf } from '../file-name.ts';
import { csvLine } from '../../../shared/csv.ts';
import { notFound } from '../../../shared/errors.ts';
import { flattenRow } from './export-rows.ts';
import type { ReadRunPage, RunService } from './run-service.ts';

export interface RunExportDeps {
  runs: RunService;
  files: FileSaver;
}

/** Writes the stored pages of a query to a file that the user chooses. Sends no requests. */
export class RunExport {
  readonly #deps: RunExportDeps;

  constructor(deps: RunExportDeps) {
    this.#deps = deps;
  }

  /** Null when the user cancelled the save dialog. The file is written completely or not changed at all. */
  async export({ runId, format }: ArgsOf<'runs.export'>): Promise<ResultOf<'runs.export'>> {
    const { runs, files } = this.#deps;
    const run = await runs.summary(runId);
    if (run.pageCount === 0) notFound('There’s nothing to save yet.');
    const name = run.target.kind === 'endpoint' ? run.target.endpointId : run.target.callId;
    const path = await files.choose(fileNameOf(name, run.startedAtMs, format), format);
    if (path === null) return null;
    const counter = { rows: 0 };
    await files.write(path, format === 'csv' ? this.#csv(run, counter) : this.#json(run, counter));
    return { path, rowCount: counter.rows };
  }

  /**
   * A list becomes one line per row, with the raw text of an element that could not be read, or not all of it, in a
   * column of its own; a first pass collects the columns, so that only one page at a time is in memory. A single
   * record becomes one line per field. Of any other answer than a list, words tell what could not be read.
   */
  async *#csv(run: RunSummary, counter: { rows: number }): AsyncGenerator<string> {
    const columns = new Set<string>();
    let [isTable, hasUnreadable] = [true, false];
    const rowsOf = ({ rows, data }: ReadRunPage) => rows ?? tableOf(run.target, data);
    const wordsOf = ({ rows, notes }: ReadRunPage) => (rows === null ? notes : []);
    for await (const page of this.#pages(run)) {
      const rows = rowsOf(page);
      if (rows === null) isTable = false;
      for (const row of rows ?? []) for (const name of flattenRow(row).keys()) columns.add(name);
      hasUnreadable ||= [...page.unreadableTexts, ...page.oddTexts, ...wordsOf(page)].some(
        (text) => text !== null,
      );
    }
    if (!isTable) {
      yield csvLine(['field', 'value']);
      for await (const page of this.#pages(run)) {
        counter.rows += 1;
        for (const field of flattenRow(page.data)) yield csvLine(field);
        for (const words of wordsOf(page)) yield csvLine([unreadableColumn, words]);
      }
      return;
    }
    const names = [...columns];
    yield csvLine(hasUnreadable ? [...names, unreadableColumn] : names);
    for await (const page of this.#pages(run)) {
      let lines = '';
      for (const [position, row] of (rowsOf(page) ?? []).entries()) {
        const cells = flattenRow(row);
        const known = names.map((name) => cells.get(name) ?? '');
        lines += csvLine(hasUnreadable ? [...known, page.oddTexts[position] ?? ''] : known);
        counter.rows += 1;
      }
      for (const text of page.unreadableTexts) {
        lines += csvLine([...names.map(() => ''), text]);
        counter.rows += 1;
      }
      for (const words of wordsOf(page)) lines += csvLine([...names.map(() => ''), words]);
      yield lines;
    }
  }

  /** One object: the query, and its pages with each answer exactly as it was received. */
  async *#json(run: RunSummary, counter: { rows: number }): AsyncGenerator<string> {
    const { target, baseUrl, state, startedAtMs, fetched, hasMore } = run;
    const head = { target, baseUrl, state, hasMore, startedAtMs, fetched };
    yield `{\n"query": ${JSON.stringify(head, null, 2)},\n"pages": [`;
    for await (const page of this.#pages(run)) {
      const { index, fetchedAtMs, httpStatus, notes, repeatedRows, unreadableTexts, rows, rawText } = page;
      const about = { page: index + 1, fetchedAtMs, httpStatus, notes, repeatedRows };
      counter.rows += rows === null ? 1 : rows.length + unreadableTexts.length;
      const fields = JSON.stringify(about).slice(1, -1);
      yield `${index === 0 ? '' : ','}\n{${fields}, "unreadableRows": ${unreadableTexts.length}, "answer": ${rawText}}`;
    }
    yield '\n]\n}\n';
  }

  /** Only the pages that existed when the export began; more may be arriving. */
  async *#pages(run: RunSummary): AsyncGenerator<ReadRunPage> {
    for (let index = 0; index < run.pageCount; index += 1)
      yield await this.#deps.runs.readPage(run.id, index);
  }
}

/** The column of CSV with elements that could not be read, as they were received. */
const unreadableColumn = 'could not be read';
