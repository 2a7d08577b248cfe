import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { ActivityExportStatus } from '../../../../shared/activity/types.ts';
import { AppFailure, errorOf, refuse, type AppError } from '../../../../shared/errors.ts';
import type { ActivityStore } from '../../activity-ports.ts';
import type { Clock, Emit, FileSaver, Log } from '../../ports.ts';
import { fileNameOf } from '../../file-name.ts';
import { exportFrame, type ActivityExportFormat, type exportText } from './export-text.ts';

export interface ActivityExportDeps {
  emit: Emit;
  store: ActivityStore;
  files: FileSaver;
  /** The current names, for `exportText`. */
  names: () => string;
  /** `exportText` in another thread; rejects when it cannot be run there. */
  textOf(...args: Parameters<typeof exportText>): Promise<string>;
  clock: Clock;
  log: Log;
}

/** Rows that are read and written at a time: the storage thread can do other work in between. */
const sliceSize = 100;

/** So that the threads that read and write have something to do at any time. */
const pagesUnderWay = 4;

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
    const { head, between, foot } = exportFrame[format];
    yield head;
    let toldAtMs = this.#deps.clock.monotonicMs();
    const { totalCount } = scan;
    const pages: Promise<string>[] = [];
    for (let from = 0, asked = 0; from < totalCount; from += sliceSize) {
      for (; asked < totalCount && pages.length < pagesUnderWay; asked += sliceSize)
        pages.push(this.#read(scan, asked, format));
      const text = (await pages.shift()) ?? '';
      if (this.#cancelled) throw new Cancelled();
      yield from === 0 ? text : between + text;
      this.#status = { ...this.#status, rowsWritten: Math.min(from + sliceSize, totalCount) };
      const nowMs = this.#deps.clock.monotonicMs();
      if (nowMs - toldAtMs >= tellEveryMs) {
        toldAtMs = nowMs;
        this.#deps.emit('activityExport.changed', this.#status);
      }
    }
    yield foot;
  }

  #read({ scanId }: Scan, from: number, format: ActivityExportFormat): Promise<string> {
    const { store, names } = this.#deps;
    const page = store
      .readScan({ scanId, from, limit: sliceSize })
      .then(({ rowsJson, texts }) => this.#deps.textOf(rowsJson, texts, format, names()));
    // The error is handled where the page is awaited; this only prevents an unhandled rejection.
    page.catch(() => undefined);
    return page;
  }

  #set(status: ActivityExportStatus): void {
    this.#status = status;
    this.#deps.emit('activityExport.changed', status);
  }

  #errorOf(cause: unknown): AppError {
    return errorOf(cause, this.#deps.log, 'activity.export', 'The file could not be written.');
  }
}
