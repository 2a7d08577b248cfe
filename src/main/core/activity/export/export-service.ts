import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { ActivityExportStatus, ActivityRow } from '../../../../shared/activity/types.ts';
import { AppFailure, errorOf, refuse, type AppError } from '../../../../shared/errors.ts';
import { csvLine } from '../../../../shared/csv.ts';
import { visibleJson } from '../../../../shared/text.ts';
import type { ActivityStore, ReadRow } from '../../activity-ports.ts';
import type { Clock, Emit, FileSaver, Log } from '../../ports.ts';
import { fileNameOf } from '../../file-name.ts';
import { exportCellsOf, exportColumns, exportObjectOf, type ExportNames } from './export-lines.ts';

export type ActivityExportFormat = 'csv' | 'jsonl' | 'json';

export interface ActivityExportDeps {
  emit: Emit;
  store: ActivityStore;
  files: FileSaver;
  names: ExportNames;
  /** Converts a stored row to the form that the window gets. */
  readRow(row: ReadRow): ActivityRow;
  clock: Clock;
  log: Log;
}

/** Rows that are read and written at a time: the main process can do other work in between. */
const sliceSize = 100;

/** Shortest time between two progress events to the window. */
const tellEveryMs = 200;

/** A snapshot of the rows to export, taken when the export began. */
type Scan = Awaited<ReturnType<ActivityStore['openScan']>>;

class Cancelled extends Error {}

/**
 * Writes all rows that match a filter to a file that the user chooses, in small slices; the file gets its final name
 * only once it is complete. One export at a time.
 */
export class ActivityExport {
  readonly #deps: ActivityExportDeps;
  #status: ActivityExportStatus = {
    state: 'idle',
    rowsWritten: 0,
    totalCount: 0,
    path: null,
    error: null,
  };
  #cancelled = false;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: ActivityExportDeps) {
    this.#deps = deps;
  }

  status(): ActivityExportStatus {
    return this.#status;
  }

  /** Null when the user cancelled the save dialog; otherwise the export has started. */
  async start(args: {
    filter: ActivityFilter;
    format: ActivityExportFormat;
  }): Promise<{ path: string } | null> {
    if (this.#status.state === 'running') refuse('Another export is running.');
    const before = this.#status;
    // Set before the dialog, so that a second call cannot open another one.
    this.#set({ state: 'running', rowsWritten: 0, totalCount: 0, path: null, error: null });
    this.#cancelled = false;
    try {
      const name = fileNameOf('activity', this.#deps.clock.nowMs(), args.format);
      const path = await this.#deps.files.choose(name, args.format);
      if (path === null) {
        this.#set(before);
        return null;
      }
      const scan = await this.#deps.store.openScan(args.filter);
      this.#set({ ...this.#status, path, totalCount: scan.totalCount });
      this.#running = this.#write(path, scan, args.format);
      return { path };
    } catch (cause) {
      const error = this.#errorOf(cause);
      this.#set({ ...this.#status, state: 'failed', error });
      throw new AppFailure(error);
    }
  }

  /** Cancels the export and removes its partial file. Resolves when that is done. */
  async cancel(): Promise<void> {
    this.#cancelled = true;
    await this.#running;
  }

  /** Resolves when no export is running. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Never rejects: the status tells how it ended. */
  async #write(path: string, scan: Scan, format: ActivityExportFormat): Promise<void> {
    try {
      try {
        await this.#deps.files.write(path, this.#pieces(scan, format));
      } finally {
        await this.#deps.store.closeScan(scan.scanId);
      }
      this.#set({ ...this.#status, state: 'done' });
    } catch (cause) {
      if (cause instanceof Cancelled) this.#set({ ...this.#status, state: 'cancelled' });
      else this.#set({ ...this.#status, state: 'failed', error: this.#errorOf(cause) });
    }
  }

  async *#pieces(scan: Scan, format: ActivityExportFormat): AsyncGenerator<string> {
    yield format === 'csv' ? csvLine(exportColumns) : format === 'json' ? '[' : '';
    let toldAtMs = this.#deps.clock.monotonicMs();
    let isFirst = true;
    for await (const rows of this.#pages(scan)) {
      if (this.#cancelled) throw new Cancelled();
      let piece = '';
      for (const stored of rows) {
        piece += this.#textOf(stored, format, isFirst);
        isFirst = false;
      }
      yield piece;
      this.#status = { ...this.#status, rowsWritten: this.#status.rowsWritten + rows.length };
      const nowMs = this.#deps.clock.monotonicMs();
      if (nowMs - toldAtMs >= tellEveryMs) {
        toldAtMs = nowMs;
        this.#deps.emit('activityExport.changed', this.#status);
      }
    }
    if (format === 'json') yield '\n]\n';
  }

  /** The store's thread reads the next page while the current one is being written. */
  async *#pages({ scanId, totalCount }: Scan): AsyncGenerator<readonly ReadRow[]> {
    const read = (from: number) => {
      const page = this.#deps.store.readScan({ scanId, from, limit: sliceSize });
      // The error is handled where the page is awaited; this only prevents an unhandled rejection.
      page.catch(() => undefined);
      return page;
    };
    let ahead = read(0);
    for (let from = 0; from < totalCount; from += sliceSize) {
      const rows = await ahead;
      if (from + sliceSize < totalCount) ahead = read(from + sliceSize);
      yield rows;
    }
  }

  #textOf(stored: ReadRow, format: ActivityExportFormat, isFirst: boolean): string {
    const { names } = this.#deps;
    const row = this.#deps.readRow(stored);
    if (format === 'csv') {
      return exportCellsOf(row, stored.transactionJson, names).map(csvLine).join('');
    }
    const json = visibleJson(JSON.stringify(exportObjectOf(row, stored.transactionJson, names)));
    return format === 'jsonl' ? `${json}\n` : `${isFirst ? '' : ','}\n${json}`;
  }

  #set(status: ActivityExportStatus): void {
    this.#status = status;
    this.#deps.emit('activityExport.changed', status);
  }

  #errorOf(cause: unknown): AppError {
    return errorOf(cause, this.#deps.log, 'activity.export', 'The file could not be written.');
  }
}
