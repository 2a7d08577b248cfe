import type { FacetTexts } from './facet-texts.ts';
import { integer, text } from '../sqlite/row.ts';
import type { SqlReader, SqlWriter } from '../sqlite/sql.ts';
import { judgedColumns, judgedRow } from './stored-rows.ts';
import { judge, reasonBits, type Judgement } from './verdict.ts';

/** Parties that look like `address`, and about which what the user knows before and after says different things. */
export function partiesLike(
  reader: SqlReader,
  address: string,
  before: Judgement,
  after: Judgement,
): number[] {
  // As facet-texts.ts writes a party; so the index of contents finds those that begin like the address.
  const from = `["${address.toLowerCase().slice(0, 6)}`;
  return reader
    .prepare(
      `SELECT id, content_json, json_extract(content_json, '$[0]') AS address FROM activity_facet
       WHERE family = 0 AND content_json >= ? AND content_json < ?`,
    )
    .all(from, `${from}~`)
    .filter((row) => {
      const party = text(row, 'address');
      return (before.lookAlikes.of(party) === null) !== (after.lookAlikes.of(party) === null);
    })
    .map((row) => integer(row, 'id'));
}

/** The facets of a value of the token field: one for each way in which rows describe it. */
export function facetsOfToken(reader: SqlReader, token: string): number[] {
  const from = `[${JSON.stringify(token)},`;
  return reader
    .prepare('SELECT id FROM activity_facet WHERE family = 1 AND substr(content_json, 1, ?) = ?')
    .all(from.length, from)
    .map((row) => integer(row, 'id'));
}

/** Judges all rows with one of these counterparties or tokens again; returns the ids of those that are now otherwise. */
export function judgeAgain(
  writer: SqlWriter,
  what: 'counterparty' | 'token',
  refs: readonly number[],
  texts: FacetTexts,
  judgement: Judgement,
): number[] {
  if (refs.length === 0) return [];
  const condition =
    what === 'counterparty'
      ? 'counterparty_ref IN (SELECT value FROM json_each(?))'
      : `EXISTS (SELECT 1 FROM json_each(?) AS asked WHERE instr(tokens_json, '[' || asked.value || ','))`;
  const rows = writer
    .prepare(`SELECT id, reasons, ${judgedColumns} FROM activity_row WHERE ${condition}`)
    .all(JSON.stringify(refs));
  const update = writer.prepare('UPDATE activity_row SET reasons = ? WHERE id = ?');
  return rows.flatMap((row) => {
    const reasons = reasonBits(judge(judgedRow(writer, row, texts), judgement));
    if (reasons === integer(row, 'reasons')) return [];
    update.run(reasons, integer(row, 'id'));
    return [integer(row, 'id')];
  });
}
