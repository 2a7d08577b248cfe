import { canonicalHash, isOtherBlock } from '../../../../shared/activity/block-hash.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import { readDetail, readElement } from '../../../../shared/activity/stored.ts';
import type { RowVersion } from '../../../../shared/activity/types.ts';
import type { CompletedRow, ReadRow } from '../../activity-ports.ts';
import { integrityNoteOf, missingParts } from './integrity.ts';
import { rowOfDetail, type FetchedDetail } from './stored-rows.ts';

/**
 * Merges the details of a transaction into its stored row. All parts of a partial row must be among the details, and those
 * of a complete one be the same; otherwise, as after a reorganisation of its block, the old version is kept too. Null when
 * the details are of another transaction, cannot be stored, or are older than the row; and when they are of another block
 * than the list says after it has been reorganised: the list is waited for, or two answers that disagree would replace
 * each other without end.
 */
export function completeRow(
  stored: ReadRow,
  fetched: FetchedDetail,
  native: NativeToken,
): CompletedRow | null {
  const { detail, fetchedAtMs } = fetched;
  if (canonicalHash(detail.nativeTransaction.txHash) !== stored.txHash) return null;
  if (stored.completeness === 'complete' && stored.fetchedAtMs > fetchedAtMs) return null;
  const row = rowOfDetail(fetched, { ...stored, native });
  if (row === null) return null;
  const replacedBy = (why: RowVersion['why']): RowVersion => ({
    why,
    transactionJson: stored.transactionJson,
    fetchedAtMs: stored.fetchedAtMs,
    replacedAtMs: fetchedAtMs,
  });
  if (isOtherBlock(stored, row)) {
    if (stored.completeness === 'partial' && stored.marks.reorg === 'reorganised') return null;
    return { row, integrityNote: null, replaced: replacedBy('reorganised') };
  }
  const isComplete = stored.completeness === 'complete';
  const before = (isComplete ? readDetail : readElement)(stored.transactionJson)?.data;
  const lost = before === undefined ? [] : missingParts(before, detail);
  const isMore = isComplete && before !== undefined && missingParts(detail, before).length > 0;
  const integrityNote = integrityNoteOf(lost) ?? (isComplete ? stored.marks.integrityNote : null);
  return { row, integrityNote, replaced: lost.length > 0 || isMore ? replacedBy('integrity') : null };
}
