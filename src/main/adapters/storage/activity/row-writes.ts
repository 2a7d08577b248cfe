import { isOtherBlock } from '../../../../shared/activity/block-hash.ts';
import type { RowVersion } from '../../../../shared/activity/types.ts';
import type { ListPage, StoredRow } from '../../../core/activity-ports.ts';
import { countElements, storableBlocks, type List } from './activity-lists.ts';
import type { FacetTexts } from './facet-texts.ts';
import { storedCompletenesses, storedReorgs } from './stored-codes.ts';
import { bigInteger, choice, integer, text, textOrNull } from '../sqlite/row.ts';
import { SqlFailure, type SqlRow, type SqlWriter } from '../sqlite/sql.ts';
import {
  addVersion,
  contentColumns,
  contentParams,
  hasHash,
  movedSince,
  packText,
  writeBody,
} from './stored-rows.ts';
import { decisions, type Decision, type Judgement } from './verdict.ts';

/** What writing rows needs besides the transaction. */
export interface RowWriting {
  texts: FacetTexts;
  judgement: Judgement;
  /** The id of the request for a page of a list. */
  requestRef: (listRef: number, url: string) => number;
  /** Called with the id of every row that was added or changed. */
  changed: (rowId: number) => void;
  /** Gets the blocks of rows that are gone, or in another block than before. */
  moved: bigint[];
  /** Called with the list of a row whose time has changed, since the row may have been its newest or oldest. */
  retimed: (listRef: number) => void;
}

const insertRow = `INSERT INTO activity_row (list_ref, address_ref, chain_ref, tx_hash, seen_at_ms, first_seen_ms,
  note_json, ${contentColumns.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ${contentColumns.map(() => '?').join(', ')})`;

const updateRow = `UPDATE activity_row SET ${contentColumns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`;

interface Known {
  id: number;
  isComplete: boolean;
  blockNumber: bigint;
  blockHash: string | null;
  timestampMs: number;
  fetchedAtMs: number;
  reorg: (typeof storedReorgs)[number] | null;
  decision: Decision | null;
}

/** A list's row for a transaction. */
function findRow(writer: SqlWriter, listRef: number, txHash: string): Known | null {
  const row = writer.get(
    `SELECT id, is_complete, block_number, block_hash, timestamp_ms, fetched_at_ms, reorg, decision FROM activity_row
     WHERE list_ref = ?1 AND ${hasHash('?2')}`,
    [listRef, txHash],
  );
  return row === undefined ? null : toKnown(row);
}

function toKnown(row: SqlRow): Known {
  return {
    id: integer(row, 'id'),
    isComplete: choice(row, 'is_complete', storedCompletenesses) === 'complete',
    blockNumber: bigInteger(row, 'block_number'),
    blockHash: textOrNull(row, 'block_hash'),
    timestampMs: integer(row, 'timestamp_ms'),
    fetchedAtMs: integer(row, 'fetched_at_ms'),
    reorg: row['reorg'] === null ? null : choice(row, 'reorg', storedReorgs),
    decision: row['decision'] === null ? null : choice(row, 'decision', decisions),
  };
}

/** Stores an element of the list of transactions; returns whether the row is new. */
export function saveListedRow(
  writer: SqlWriter,
  list: List,
  { row, walkAtMs }: { row: StoredRow; walkAtMs: number },
  writing: RowWriting,
): boolean {
  const known = findRow(writer, list.listRef, row.txHash);
  if (known === null) {
    addRow(writer, list, row, { walkAtMs, note: null }, writing);
    return true;
  }
  const isReorganised = noteMove(known, row, writing);
  if (isReorganised || !known.isComplete || row.completeness === 'complete') {
    if (isReorganised) keepVersion(writer, known, row);
    replaceRow(writer, list, known, row, writing);
  }
  writer.run(
    // `seen_at_ms` marks the walk (`ListPage.walkAtMs`).
    'UPDATE activity_row SET seen_at_ms = ?, reorg = ? WHERE id = ?',
    [walkAtMs, reorgAfter(known, isReorganised), known.id],
  );
  return false;
}

/** Replaces a row by a better version, or adds it if the list does not have it; returns whether it is new. */
export function putRow(
  writer: SqlWriter,
  list: List,
  row: StoredRow,
  extra: { integrityNote: string | null; replaced: RowVersion | null },
  writing: RowWriting,
): boolean {
  const known = findRow(writer, list.listRef, row.txHash);
  if (known === null) {
    const added = addRow(writer, list, row, { walkAtMs: null, note: extra.integrityNote }, writing);
    if (extra.replaced !== null) addVersion(writer, added, extra.replaced);
    return true;
  }
  const movedBefore = writing.moved.length;
  const isReorganised = noteMove(known, row, writing);
  if (extra.replaced !== null) addVersion(writer, known.id, extra.replaced);
  else if (isReorganised) keepVersion(writer, known, row);
  replaceRow(writer, list, known, row, writing);
  writer.run('UPDATE activity_row SET note_json = ?, reorg = ? WHERE id = ?', [
    packText(extra.integrityNote),
    reorgAfter(known, isReorganised),
    known.id,
  ]);
  // Otherwise, when the list last had it is for the list to say.
  if (writing.moved.length > movedBefore)
    writer.run('UPDATE activity_row SET seen_at_ms = ? WHERE id = ?', [movedSince, known.id]);
  return false;
}

/** Notes the blocks of a row that is in another one than before, or back; returns whether it is another one. */
function noteMove(known: Known, row: StoredRow, { moved }: RowWriting): boolean {
  const isReorganised = isOtherBlock(known, row);
  if (isReorganised || known.reorg === 'gone') moved.push(known.blockNumber, row.blockNumber);
  return isReorganised;
}

/** The stored code of the row's new mark; null for none. */
function reorgAfter(known: Known, isReorganised: boolean): number | null {
  const isMarked = isReorganised || known.reorg === 'reorganised';
  return isMarked ? storedReorgs.indexOf('reorganised') : null;
}

/** Adds a row that the list does not have; returns its id. */
function addRow(
  writer: SqlWriter,
  list: List,
  row: StoredRow,
  extra: { walkAtMs: number | null; note: string | null },
  writing: RowWriting,
): number {
  const rowId = writer.insert(insertRow, [
    list.listRef,
    list.addressRef,
    list.chainRef,
    row.txHash,
    extra.walkAtMs,
    row.fetchedAtMs,
    packText(extra.note),
    ...contentParams(writer, row, null, writing.texts, writing.judgement),
  ]);
  writeBody(writer, rowId, row, requestOf(list, row, writing));
  writing.changed(rowId);
  return rowId;
}

function replaceRow(writer: SqlWriter, list: List, known: Known, row: StoredRow, writing: RowWriting): void {
  writer.run(updateRow, [
    ...contentParams(writer, row, known.decision, writing.texts, writing.judgement),
    known.id,
  ]);
  writeBody(writer, known.id, row, requestOf(list, row, writing));
  writing.changed(known.id);
  if (known.timestampMs === row.timestampMs) return;
  countElements(writer, list.listRef, 0, [row.timestampMs]);
  writing.retimed(list.listRef);
}

function requestOf({ listRef }: List, { requestUrl }: StoredRow, writing: RowWriting): number | null {
  return requestUrl === null ? null : writing.requestRef(listRef, requestUrl);
}

function keepVersion(writer: SqlWriter, known: Known, by: StoredRow): void {
  const body = writer.get('SELECT transaction_json FROM activity_body WHERE row_ref = ?', [known.id]);
  if (body === undefined) throw new SqlFailure('corrupt', 'a row has no content');
  addVersion(writer, known.id, {
    why: known.reorg === 'gone' ? 'gone' : 'reorganised',
    transactionJson: text(body, 'transaction_json'),
    fetchedAtMs: known.fetchedAtMs,
    replacedAtMs: by.fetchedAtMs,
  });
}

/** Marks the rows of these blocks that the list no longer has as gone. */
export function sweepRows(
  writer: SqlWriter,
  listRef: number,
  { sweep, walkAtMs }: ListPage,
  { moved }: Pick<RowWriting, 'moved'>,
): void {
  for (const { from, to } of storableBlocks(sweep)) {
    const gone = writer.all(
      `SELECT id, block_number FROM activity_row
       WHERE list_ref = ? AND block_number BETWEEN ? AND ? AND seen_at_ms <> ?
         AND reorg IS NOT ?`,
      [listRef, from, to - 1n, walkAtMs, storedReorgs.indexOf('gone')],
    );
    for (const row of gone) {
      writer.run('UPDATE activity_row SET reorg = ? WHERE id = ?', [
        storedReorgs.indexOf('gone'),
        integer(row, 'id'),
      ]);
      moved.push(bigInteger(row, 'block_number'));
    }
  }
}
