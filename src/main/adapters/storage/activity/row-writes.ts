import { isOtherBlock } from '../../../../shared/activity/block-hash.ts';
import type { CompletedRow, ListPage, StoredRow } from '../../../core/activity-ports.ts';
import { countElements, storableBlocks, type List } from './activity-lists.ts';
import type { FacetTexts } from './facet-texts.ts';
import { storedCompletenesses, storedReorgs } from './stored-codes.ts';
import {
  bigInteger,
  choice,
  choiceOrNull,
  insertRow,
  integer,
  text,
  textOrNull,
  updateRow,
} from '../sqlite/row.ts';
import type { SqlParam, SqlWriter } from '../sqlite/sql.ts';
import {
  addVersion,
  contentOf,
  decisionOf,
  hasHash,
  movedSince,
  packText,
  writeBody,
} from './stored-rows.ts';
import type { Decision, Judgement } from './verdict.ts';

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
  if (row === undefined) return null;
  return {
    id: integer(row, 'id'),
    isComplete: choice(row, 'is_complete', storedCompletenesses) === 'complete',
    blockNumber: bigInteger(row, 'block_number'),
    blockHash: textOrNull(row, 'block_hash'),
    timestampMs: integer(row, 'timestamp_ms'),
    fetchedAtMs: integer(row, 'fetched_at_ms'),
    reorg: choiceOrNull(row, 'reorg', storedReorgs),
    decision: decisionOf(row),
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
    addRow(writer, list, row, { seen_at_ms: walkAtMs }, writing);
    return true;
  }
  const isReorganised = noteMove(known, row, writing);
  if (isReorganised) keepVersion(writer, known, row);
  if (isReorganised || !known.isComplete || row.completeness === 'complete')
    replaceRow(writer, list, known, row, writing);
  // `seen_at_ms` marks the walk (`ListPage.walkAtMs`).
  const marks = { seen_at_ms: walkAtMs, reorg: reorgAfter(known, isReorganised) };
  updateRow(writer, 'activity_row', known.id, marks);
  return false;
}

/** Replaces a row by a better version, or adds it if the list does not have it; returns whether it is new. */
export function putRow(
  writer: SqlWriter,
  list: List,
  { row, integrityNote, replaced }: CompletedRow,
  writing: RowWriting,
): boolean {
  const note = { note_json: packText(integrityNote) };
  const known = findRow(writer, list.listRef, row.txHash);
  if (known === null) {
    const added = addRow(writer, list, row, note, writing);
    if (replaced !== null) addVersion(writer, added, replaced);
    return true;
  }
  const movedBefore = writing.moved.length;
  const isReorganised = noteMove(known, row, writing);
  if (replaced !== null) addVersion(writer, known.id, replaced);
  else if (isReorganised) keepVersion(writer, known, row);
  replaceRow(writer, list, known, row, writing);
  updateRow(writer, 'activity_row', known.id, { ...note, reorg: reorgAfter(known, isReorganised) });
  // Otherwise, when the list last had it is for the list to say.
  if (writing.moved.length > movedBefore)
    updateRow(writer, 'activity_row', known.id, { seen_at_ms: movedSince });
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

/** Adds a row that the list does not have, with these marks; returns its id. */
function addRow(
  writer: SqlWriter,
  list: List,
  row: StoredRow,
  marks: Readonly<Record<string, SqlParam>>,
  writing: RowWriting,
): number {
  const rowId = insertRow(writer, 'activity_row', {
    list_ref: list.listRef,
    address_ref: list.addressRef,
    chain_ref: list.chainRef,
    tx_hash: row.txHash,
    first_seen_ms: row.fetchedAtMs,
    ...marks,
    ...contentOf(writer, row, null, writing),
  });
  writeBody(writer, rowId, row, requestOf(list, row, writing));
  writing.changed(rowId);
  return rowId;
}

function replaceRow(writer: SqlWriter, list: List, known: Known, row: StoredRow, writing: RowWriting): void {
  updateRow(writer, 'activity_row', known.id, contentOf(writer, row, known.decision, writing));
  writeBody(writer, known.id, row, requestOf(list, row, writing));
  writing.changed(known.id);
  if (known.timestampMs === row.timestampMs) return;
  countElements(writer, list.listRef, 0, [row]);
  writing.retimed(list.listRef);
}

function requestOf({ listRef }: List, { requestUrl }: StoredRow, writing: RowWriting): number | null {
  return requestUrl === null ? null : writing.requestRef(listRef, requestUrl);
}

function keepVersion(writer: SqlWriter, known: Known, by: StoredRow): void {
  const body = writer.get('SELECT transaction_json FROM activity_body WHERE row_ref = ?', [known.id]);
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
      `UPDATE activity_row SET reorg = ?1
       WHERE list_ref = ?2 AND block_number BETWEEN ?3 AND ?4 AND seen_at_ms <> ?5 AND reorg IS NOT ?1
       RETURNING block_number`,
      [storedReorgs.indexOf('gone'), listRef, from, to - 1n, walkAtMs],
    );
    for (const row of gone) moved.push(bigInteger(row, 'block_number'));
  }
}
