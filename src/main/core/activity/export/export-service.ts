import type { ArgsOf, ResultOf } from '../../../../shared/ipc/contract.ts';
import type { ActivityStore } from '../../activity-ports.ts';
import { fileNameOf } from '../../file-name.ts';
import { FileTasks } from '../../file-task.ts';
import type { FileSaver, Ports } from '../../ports.ts';
import { exportFrame, type ActivityExportFormat, type exportText } from './export-text.ts';

export interface ActivityExportDeps extends Pick<Ports, 'emit' | 'clock'> {
  store: ActivityStore;
  files: FileSaver;
  /** The current names, for `exportText`. */
  names: () => string;
  /** `exportText` in another thread; rejects when it cannot be run there. */
  textOf(...args: Parameters<typeof exportText>): Promise<string>;
}

/** Rows that are read and written at a time: the storage thread can do other work in between. */
const sliceSize = 100;

/** So that the threads that read and write have something to do at any time. */
const pagesUnderWay = 4;

/** A snapshot of the rows to export, taken when the export began. */
type Scan = Awaited<ReturnType<ActivityStore['openScan']>>;

/** Writes matching rows to a file that the user chooses, in slices; named once complete. One at a time. */
export class ActivityExport {
  readonly task: FileTasks;
  readonly #deps: ActivityExportDeps;
  /** Settles when nothing is written any more. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(deps: ActivityExportDeps) {
    this.#deps = deps;
    this.task = new FileTasks((task) => deps.emit('activityExport.changed', task));
  }

  /** Null when the user cancelled the save dialog; otherwise the file is written. */
  start({ filter, format }: ArgsOf<'activity.export'>): Promise<ResultOf<'activity.export'>> {
    const { files, store, clock } = this.#deps;
    return this.task.during('save', async (signal) => {
      const path = await files.choose(fileNameOf('activity', clock.nowMs(), format), format);
      if (path === null) return null;
      signal.throwIfAborted();
      const scan = await store.openScan(filter);
      const writing = this.#write(path, scan, format);
      this.#writing = Promise.allSettled([writing]);
      await writing;
      return { path, count: scan.totalCount };
    });
  }

  /** Cancels the export and removes its partial file. Resolves when that is done. */
  async cancel(): Promise<void> {
    this.task.cancel();
    await this.#writing;
  }

  async #write(path: string, scan: Scan, format: ActivityExportFormat): Promise<void> {
    const { files, store } = this.#deps;
    try {
      await files.write(path, this.#pieces(scan, format));
    } finally {
      await store.closeScan(scan.scanId);
    }
  }

  async *#pieces(scan: Scan, format: ActivityExportFormat): AsyncGenerator<string> {
    const { head, between, foot } = exportFrame[format];
    yield head;
    const { totalCount } = scan;
    const pages: Promise<string>[] = [];
    for (let from = 0, asked = 0; from < totalCount; from += sliceSize) {
      for (; asked < totalCount && pages.length < pagesUnderWay; asked += sliceSize)
        pages.push(this.#read(scan, asked, format));
      const text = (await pages.shift()) ?? '';
      yield from === 0 ? text : between + text;
      const written = Math.min(from + sliceSize, totalCount);
      this.task.step(written, written / totalCount);
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
}
