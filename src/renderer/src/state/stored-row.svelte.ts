import type { ActivityRow } from '../../../shared/activity/types.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { ArgsOf } from '../../../shared/ipc/contract.ts';
import { call } from '../bridge.ts';
import { filterFor } from './filter-choice.ts';
import { whenOutdated } from './kept-answers.ts';

/** One transaction has a row for each watched address in it; more than this are not read. */
const maxRows = 50;

interface Wanted {
  chainId: string;
  txHash: string;
  rowId: number | null;
}

function questionOf({ chainId, txHash }: Wanted): ArgsOf<'activity.rows'> {
  const filter = { ...filterFor({ address: null, chainId }), text: txHash, showHidden: true };
  return { filter, offset: 0, anchor: null, limit: maxRows };
}

/** The stored row of one transaction, hidden or not: for a transaction opened without a list, and to follow its marks. */
export class StoredRow {
  row = $state.raw<ActivityRow | null>(null);
  error = $state.raw<AppError | null>(null);
  /** It is known whether there is a row. */
  loaded = $state(false);
  #wanted: Wanted | null = null;
  #reading: Promise<void> | null = null;
  #isOutdated = false;

  readonly #settle: () => Promise<void>;

  /** `settle` resolves when changed rows may be read again. */
  constructor(settle: () => Promise<void> = () => Promise.resolve()) {
    this.#settle = settle;
  }

  /** Follows what is stored; returns a function that stops this. */
  follow(): () => void {
    const asked = () => this.#wanted && questionOf(this.#wanted);
    return whenOutdated('activity.rows', asked, () => this.#wanted && void this.#load(this.#wanted));
  }

  /**
   * Reads it; with `rowId` exactly this row, else that of whichever watched address has one. Calls during a read cause one
   * more read when it ends, so that a burst of changes cannot delay the answer for ever.
   */
  async load(chainId: string, txHash: string, rowId: number | null): Promise<void> {
    await this.#load({ chainId, txHash, rowId });
  }

  async #load(wanted: Wanted): Promise<void> {
    this.#wanted = wanted;
    if (this.#reading === null) this.#reading = this.#read();
    else this.#isOutdated = true;
    await this.#reading;
  }

  /** Forgets the row, and ignores an answer that is still to come. */
  clear(): void {
    this.#wanted = null;
    this.row = null;
    this.error = null;
    this.loaded = false;
  }

  async #read(): Promise<void> {
    await this.#readOnce();
    while (this.#takeOutdated()) {
      await this.#settle();
      await this.#readOnce();
    }
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
    const { txHash, rowId } = wanted;
    const result = await call('activity.rows', questionOf(wanted));
    // Meanwhile something else was asked for, or it was cleared.
    if (wanted !== this.#wanted) return;
    this.loaded = true;
    this.error = result.ok ? null : result.error;
    if (!result.ok) return;
    const hash = txHash.toLowerCase();
    this.row =
      result.value.rows.find((row) =>
        rowId === null ? row.txHash.toLowerCase() === hash : row.id === rowId,
      ) ?? null;
  }
}
