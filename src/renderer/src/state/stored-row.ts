import type { ActivityRow } from '../../../shared/activity/types.ts';
import { ok } from '../../../shared/errors.ts';
import type { ArgsOf, Reply } from '../../../shared/ipc/contract.ts';
import { call } from '../bridge.ts';
import { filterFor } from './filter-choice.ts';

/** One transaction has a row for each watched address in it; more than this are not read. */
const maxRows = 50;

export interface WantedRow {
  chainId: string;
  txHash: string;
  /** Exactly this row; null: that of whichever watched address has one. */
  rowId: number | null;
}

export function questionOf({ chainId, txHash }: WantedRow): ArgsOf<'activity.rows'> {
  const filter = { ...filterFor({ address: null, chainId }), text: txHash, showHidden: true };
  return { filter, offset: 0, anchor: null, limit: maxRows };
}

/** The stored row of one transaction, hidden or not; null without one. */
export async function storedRow(wanted: WantedRow): Reply<ActivityRow | null> {
  const result = await call('activity.rows', questionOf(wanted));
  if (!result.ok) return result;
  const { txHash, rowId } = wanted;
  const hash = txHash.toLowerCase();
  const isWanted = (row: ActivityRow) =>
    rowId === null ? row.txHash.toLowerCase() === hash : row.id === rowId;
  return ok(result.value.rows.find(isWanted) ?? null);
}
