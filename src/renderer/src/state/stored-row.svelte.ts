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
  #asked = 0;

  /** Reads it; with `rowId` exactly this row, else that of whichever watched address has one. */
  async load(chainId: string, txHash: string, rowId: number | null): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    const result = await call('activity.rows', {
      filter: { ...everything, text: txHash, showHidden: true },
      offset: 0,
      anchor: null,
      limit: maxRows,
    });
    if (asked !== this.#asked) return;
    this.loaded = true;
    this.error = result.ok ? null : result.error;
    if (!result.ok) return;
    const wanted = txHash.toLowerCase();
    this.row =
      result.value.rows.find((row) =>
        rowId === null ? row.chainId === chainId && row.txHash.toLowerCase() === wanted : row.id === rowId,
      ) ?? null;
  }

  /** Forgets it, and an answer that is under way. */
  clear(): void {
    this.#asked += 1;
    this.row = null;
    this.error = null;
    this.loaded = false;
  }
}
