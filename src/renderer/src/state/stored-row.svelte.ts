import { everything } from '../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../shared/activity/types.ts';
import type { AppError } from '../../../shared/errors.ts';
import { call } from '../bridge.ts';

/** As many of my addresses can take part in one transaction and be asked for at once. */
const maxRows = 50;

/** The stored row of one transaction, hidden or not: for a transaction that no list brings, and for news of its marks. */
export class StoredRow {
  row = $state.raw<ActivityRow | null>(null);
  error = $state.raw<AppError | null>(null);
  /** The row, or that there is none, is known. */
  loaded = $state(false);
  #wanted: { chainId: string; txHash: string; rowId: number | null } | null = null;
  #reading: Promise<void> | null = null;
  #isOutdated = false;

  /**
   * Reads it; with `rowId` exactly this row, else that of whichever watched address has one. Asked for again while it is
   * being read, it is read once more, so that swarms of changes do not keep the news away.
   */
  async load(chainId: string, txHash: string, rowId: number | null): Promise<void> {
    this.#wanted = { chainId, txHash, rowId };
    if (this.#reading === null) this.#reading = this.#read();
    else this.#isOutdated = true;
    await this.#reading;
  }

  /** Forgets it, and an answer that is under way. */
  clear(): void {
    this.#wanted = null;
    this.row = null;
    this.error = null;
    this.loaded = false;
  }

  async #read(): Promise<void> {
    await this.#readOnce();
    while (this.#takeOutdated()) await this.#readOnce();
    this.#reading = null;
  }

  #takeOutdated(): boolean {
    const isOutdated = this.#isOutdated;
    this.#isOutdated = false;
    return isOutdated;
  }

  async #readOnce(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === null) return;
    const { chainId, txHash, rowId } = wanted;
    const result = await call('activity.rows', {
      filter: { ...everything, text: txHash, showHidden: true },
      offset: 0,
      anchor: null,
      limit: maxRows,
    });
    // Asked for something else, or for nothing any more.
    if (wanted !== this.#wanted) return;
    this.loaded = true;
    this.error = result.ok ? null : result.error;
    if (!result.ok) return;
    const hash = txHash.toLowerCase();
    this.row =
      result.value.rows.find((row) =>
        rowId === null ? row.chainId === chainId && row.txHash.toLowerCase() === hash : row.id === rowId,
      ) ?? null;
  }
}
