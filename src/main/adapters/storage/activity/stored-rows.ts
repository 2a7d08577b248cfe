import { knownHash } from '../../../../shared/activity/block-hash.ts';
import type { RowFacets } from '../../../../shared/activity/facets.ts';
import type { RowVersion } from '../../../../shared/activity/types.ts';
import type { ReadRow, ScanPage, StoredRow } from '../../../core/activity-ports.ts';
import { noBlockIndex } from '../sqlite/cursor.ts';
import type { FacetTexts } from './facet-texts.ts';
import { numbersOf, tokensOf } from './row-index/index-rows.ts';
import {
  storedCompletenesses,
  storedDirections,
  storedKinds,
  storedReorgs,
  storedStatuses,
  storedWhys,
  wordOf,
} from './stored-codes.ts';
import {
  bigInteger,
  choice,
  choiceOrNull,
  idFor,
  insertRow,
  integer,
  integerOrNull,
  jsonOrNull,
  textSchema,
  text,
  textOrNull,
} from '../sqlite/row.ts';
import type { SqlParam, SqlReader, SqlRow, SqlWriter } from '../sqlite/sql.ts';
import {
  decisions,
  judge,
  reasonBits,
  firstReason,
  ruleBits,
  type Decision,
  type JudgedRow,
  type Judgement,
} from './verdict.ts';

/** Untrusted texts are stored as JSON, which can represent every character. */
export function packText(value: string | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/**
 * The condition for rows of a transaction, in the form that the index `activity_row_by_hash` needs. `hash` is a
 * parameter or a column; a condition for the list must be added.
 */
export function hasHash<Hash extends '?1' | '?2' | 'activity_record.tx_hash'>(hash: Hash) {
  return `substr(activity_row.tx_hash, 3, 10) = substr(${hash}, 3, 10) AND activity_row.tx_hash = ${hash}` as const;
}

/** In `seen_at_ms`: the list has not been read since a detail showed another block. */
export const movedSince = 0;

// ---- Reading -----------------------------------------------------------------------------------------------------------

/** The columns that `judgedRow` reads. */
export const judgedColumns =
  'rules, is_own_doing, counterparty_ref, other_sides_json, tokens_json, decision' as const;

/** The rows whose ids are in a JSON list, in that order; without those of addresses that are not watched. */
const fromAsked = `FROM json_each(?) AS asked
     CROSS JOIN activity_row ON activity_row.id = asked.value
     CROSS JOIN watched ON watched.id = activity_row.address_ref
     CROSS JOIN chain ON chain.id = activity_row.chain_ref
     CROSS JOIN activity_body ON activity_body.row_ref = activity_row.id
   ORDER BY asked.key` as const;

export const selectRows =
  `SELECT activity_row.id AS row_id, chain_id, address, tx_hash, block_number, block_index, block_hash,
     timestamp_ms, is_complete, activity_row.fetched_at_ms AS fetched_at_ms, first_seen_ms,
     seen_at_ms, ${judgedColumns},
     value_then, value_currency_json, reorg, note_json, transaction_json, is_received,
     (SELECT url FROM activity_request WHERE id = request_ref) AS request_url,
     (SELECT count(*) FROM activity_version WHERE row_ref = activity_row.id) AS version_count
   ${fromAsked}` as const;

/** Of the same rows what an export tells of each (`ScannedRow`), written as JSON by SQLite: many small values cost more. */
const selectScanned = `SELECT json_object(
     'chainId', chain_id, 'address', address, 'txHash', tx_hash, 'blockNumber', CAST(block_number AS TEXT),
     'timestampMs', timestamp_ms, 'fetchedAtMs', activity_row.fetched_at_ms,
     'completeness', ${wordOf('is_complete', storedCompletenesses)},
     'hiddenReason', ${firstReason('reasons')},
     'reorg', ${wordOf('reorg', storedReorgs)}, 'integrityNote', json(note_json),
     'valueThen', value_then, 'valueCurrency', json(value_currency_json)) AS row_json, transaction_json
   ${fromAsked}` as const;

export function toReadRow(
  reader: SqlReader,
  row: SqlRow,
  facetTexts: FacetTexts,
  judgement: Judgement,
): ReadRow {
  const blockIndex = integer(row, 'block_index');
  return {
    id: integer(row, 'row_id'),
    chainId: text(row, 'chain_id'),
    address: text(row, 'address'),
    txHash: text(row, 'tx_hash'),
    blockNumber: bigInteger(row, 'block_number'),
    blockIndex: blockIndex === noBlockIndex ? null : blockIndex,
    blockHash: textOrNull(row, 'block_hash'),
    timestampMs: integer(row, 'timestamp_ms'),
    completeness: choice(row, 'is_complete', storedCompletenesses),
    transactionJson: text(row, 'transaction_json'),
    isReceived: integer(row, 'is_received') === 1,
    requestUrl: textOrNull(row, 'request_url'),
    fetchedAtMs: integer(row, 'fetched_at_ms'),
    firstSeenMs: integerOrNull(row, 'first_seen_ms'),
    isMoved: integerOrNull(row, 'seen_at_ms') === movedSince,
    marks: {
      spam: judge(judgedRow(reader, row, facetTexts), judgement),
      integrityNote: jsonOrNull(row, 'note_json', textSchema),
      reorg: choiceOrNull(row, 'reorg', storedReorgs),
      versionCount: integer(row, 'version_count'),
      valueThen: textOrNull(row, 'value_then'),
      valueCurrency: jsonOrNull(row, 'value_currency_json', textSchema),
    },
  };
}

/** The rows with these ids, in that order. */
export function readScanned(reader: SqlReader, ids: readonly number[]): ScanPage {
  const rows = reader.all(selectScanned, [JSON.stringify(ids)]);
  return {
    rowsJson: `[${rows.map((row) => text(row, 'row_json')).join(',')}]`,
    texts: rows.map((row) => text(row, 'transaction_json')),
  };
}

/** The user's decision in a row of the store; null without one. */
export function decisionOf(row: SqlRow | undefined): Decision | null {
  return choiceOrNull(row, 'decision', decisions);
}

/** The parts of a stored row that a verdict depends on, read from the columns in `judgedColumns`. */
export function judgedRow(reader: SqlReader, row: SqlRow, texts: FacetTexts): JudgedRow {
  const addressOf = (ref: number) => texts.partyOf(reader, ref).address;
  return {
    rules: integer(row, 'rules'),
    isOwnDoing: integer(row, 'is_own_doing') === 1,
    sides: () => {
      const counterparty = integerOrNull(row, 'counterparty_ref');
      const others = row['other_sides_json'] === null ? [] : numbersOf(row, 'other_sides_json');
      return [...(counterparty === null ? [] : [counterparty]), ...others].map(addressOf);
    },
    tokens: () => tokensOf(row).map(([ref]) => texts.tokenOf(reader, ref).token),
    decision: decisionOf(row),
  };
}

/** The same, for a row that is about to be stored. */
export function judgedFacets(facets: RowFacets, decision: Decision | null): JudgedRow {
  const { isOwnDoing, counterparty, otherSides, tokens } = facets;
  return {
    rules: ruleBits(facets.rules),
    isOwnDoing,
    sides: () => [counterparty, ...otherSides],
    tokens: () => tokens.map(({ token }) => token),
    decision,
  };
}

// ---- Writing -----------------------------------------------------------------------------------------------------------

/** The columns that follow from a row's content and the user's decision about it. */
export function contentOf(
  writer: SqlWriter,
  row: StoredRow,
  decision: Decision | null,
  { texts, judgement }: { texts: FacetTexts; judgement: Judgement },
): Record<string, SqlParam> {
  const { facets } = row;
  const { counterparty, counterpartyName: name, method } = facets;
  const tokens = facets.tokens.map(({ amount, ...token }) => [texts.token(writer, token), amount]);
  const counterpartyRef = counterparty === null ? null : texts.party(writer, { address: counterparty, name });
  const otherSides = facets.otherSides.map((address) => texts.party(writer, { address, name: null }));
  return {
    block_number: row.blockNumber,
    block_index: row.blockIndex ?? noBlockIndex,
    block_hash: knownHash(row.blockHash),
    timestamp_ms: row.timestampMs,
    is_complete: storedCompletenesses.indexOf(row.completeness),
    fetched_at_ms: row.fetchedAtMs,
    kind: storedKinds.indexOf(facets.kind),
    direction: storedDirections.indexOf(facets.direction),
    status: storedStatuses.indexOf(facets.status),
    counterparty_ref: counterpartyRef,
    other_sides_json: otherSides.length === 0 ? null : JSON.stringify(otherSides),
    method_ref: method === null ? null : texts.method(writer, method),
    tokens_json: JSON.stringify(tokens),
    rules: ruleBits(facets.rules),
    is_own_doing: facets.isOwnDoing ? 1 : 0,
    has_unread_parts: facets.hasUnreadParts ? 1 : 0,
    awaits_price: facets.awaitsPrice ? 1 : 0,
    value_then: facets.valueThen,
    value_currency_json: packText(facets.valueCurrency),
    fee: facets.fee,
    message_json: packText(facets.messageId),
    reasons: reasonBits(judge(judgedFacets(facets, decision), judgement)),
  };
}

/** `requestRef` is the id of the row's request (`requestRefs`). */
export function writeBody(writer: SqlWriter, rowId: number, row: StoredRow, requestRef: number | null): void {
  writer.run(
    `INSERT INTO activity_body (row_ref, transaction_json, is_received, request_ref) VALUES (?, ?, ?, ?)
     ON CONFLICT (row_ref) DO UPDATE SET transaction_json = excluded.transaction_json,
       is_received = excluded.is_received, request_ref = excluded.request_ref`,
    [rowId, row.transactionJson, row.isReceived ? 1 : 0, requestRef],
  );
}

/** Returns the id of a request for a page of a list. Caches the last one, since rows of a page come in succession. */
export function requestRefs(writer: SqlWriter): (listRef: number, url: string) => number {
  let last: { listRef: number; url: string; ref: number } | null = null;
  return (listRef, url) => {
    if (last?.url === url && last.listRef === listRef) return last.ref;
    const ref = idFor(writer, 'activity_request', { list_ref: listRef, url });
    last = { listRef, url, ref };
    return ref;
  };
}

export function addVersion(writer: SqlWriter, rowId: number, version: RowVersion): void {
  insertRow(writer, 'activity_version', {
    row_ref: rowId,
    why: storedWhys.indexOf(version.why),
    transaction_json: version.transactionJson,
    fetched_at_ms: version.fetchedAtMs,
    replaced_at_ms: version.replacedAtMs,
  });
}

export function readVersions(reader: SqlReader, rowId: number): RowVersion[] {
  return reader
    .all(
      `SELECT why, transaction_json, fetched_at_ms, replaced_at_ms FROM activity_version WHERE row_ref = ? ORDER BY id`,
      [rowId],
    )
    .map((row) => ({
      why: choice(row, 'why', storedWhys),
      transactionJson: text(row, 'transaction_json'),
      fetchedAtMs: integer(row, 'fetched_at_ms'),
      replacedAtMs: integer(row, 'replaced_at_ms'),
    }));
}
