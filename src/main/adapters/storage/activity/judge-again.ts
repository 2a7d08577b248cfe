import type { FacetTexts } from './facet-texts.ts';
import { integer, text, updateRow } from '../sqlite/row.ts';
import type { SqlReader, SqlWriter } from '../sqlite/sql.ts';
import { judgedColumns, judgedRow } from './stored-rows.ts';
import { judge, reasonBits, type Judgement } from './verdict.ts';

/** Parties similar to `address` for which the change of the user's addresses changes whether they look alike. */
export function partiesLike(
  reader: SqlReader,
  address: string,
  before: Judgement,
  after: Judgement,
): number[] {
  // The beginning of a party as facet-texts.ts writes it, so that the index on contents can be used.
  const from = `["${address.toLowerCase().slice(0, 6)}`;
  return reader
    .all(
      `SELECT id, content_json, json_extract(content_json, '$[0]') AS address FROM activity_facet
       WHERE family = 0 AND content_json >= ? AND content_json < ?`,
      [from, `${from}~`],
    )
    .filter((row) => {
      const party = text(row, 'address');
      return (before.lookAlikes.of(party) === null) !== (after.lookAlikes.of(party) === null);
    })
    .map((row) => integer(row, 'id'));
}

/** The facets of a token: one for each different description of it in rows. */
export function facetsOfToken(reader: SqlReader, token: string): number[] {
  const from = `[${JSON.stringify(token)},`;
  const sql = 'SELECT id FROM activity_facet WHERE family = 1 AND substr(content_json, 1, ?) = ?';
  return reader.all(sql, [from.length, from]).map((row) => integer(row, 'id'));
}

/** Judges all rows with these sides or tokens again; returns the ids of rows whose verdict has changed. */
export function judgeAgain(
  writer: SqlWriter,
  what: 'side' | 'token',
  refs: readonly number[],
  texts: FacetTexts,
  judgement: Judgement,
): number[] {
  if (refs.length === 0) return [];
  const condition =
    what === 'side'
      ? `counterparty_ref IN (SELECT value FROM json_each(?1)) OR other_sides_json IS NOT NULL
           AND EXISTS (SELECT 1 FROM json_each(other_sides_json) WHERE value IN (SELECT value FROM json_each(?1)))`
      : `EXISTS (SELECT 1 FROM json_each(?) AS asked WHERE instr(tokens_json, '[' || asked.value || ','))`;
  const rows = writer.all(`SELECT id, reasons, ${judgedColumns} FROM activity_row WHERE ${condition}`, [
    JSON.stringify(refs),
  ]);
  return rows.flatMap((row) => {
    const reasons = reasonBits(judge(judgedRow(writer, row, texts), judgement));
    if (reasons === integer(row, 'reasons')) return [];
    updateRow(writer, 'activity_row', integer(row, 'id'), { reasons });
    return [integer(row, 'id')];
  });
}
