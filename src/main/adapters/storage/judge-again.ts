import type { FacetTexts } from './facet-texts.ts';
import { parseTokens } from './row-index/index-rows.ts';
import { choice, integer, integerOrNull, text } from './row.ts';
import type { SqlReader, SqlWriter } from './sql.ts';
import type { Judgement } from './stored-rows.ts';
import { decisions, tokenDecision, verdictOf, withLookAlike } from './verdict.ts';

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
      return before.lookAlikes.has(party) !== after.lookAlikes.has(party);
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

/** Judges all rows with one of these counterparties or tokens again. */
export function judgeAgain(
  writer: SqlWriter,
  what: 'counterparty' | 'token',
  refs: readonly number[],
  texts: FacetTexts,
  judgement: Judgement,
): void {
  const condition =
    what === 'counterparty'
      ? 'counterparty_ref IN (SELECT value FROM json_each(?))'
      : `EXISTS (SELECT 1 FROM json_each(?) AS asked WHERE instr(tokens_json, '[' || asked.value || ','))`;
  const rows = writer
    .prepare(
      `SELECT id, is_hidden, decision, rules, counterparty_ref, tokens_json FROM activity_row WHERE ${condition}`,
    )
    .all(JSON.stringify(refs));
  const update = writer.prepare('UPDATE activity_row SET is_hidden = ? WHERE id = ?');
  for (const row of rows) {
    const party = integerOrNull(row, 'counterparty_ref');
    const isLookAlike = party !== null && judgement.lookAlikes.has(texts.partyOf(writer, party).address);
    const moved = parseTokens(text(row, 'tokens_json')).map(({ ref }) =>
      judgement.tokenDecisions.get(texts.tokenOf(writer, ref).token),
    );
    const verdict = verdictOf(
      withLookAlike(integer(row, 'rules'), isLookAlike),
      row['decision'] === null ? null : choice(row, 'decision', decisions),
      tokenDecision(moved),
    );
    const isHidden = verdict.hiddenReason === null ? 0 : 1;
    if (isHidden !== integer(row, 'is_hidden')) update.run(isHidden, integer(row, 'id'));
  }
}
