import { parseDecimal, type Decimal } from '../../../../../shared/amounts.ts';
import { wholeUnits } from '../../sqlite/bounds.ts';
import { textOrNull } from '../../sqlite/row.ts';
import type { SqlReader } from '../../sqlite/sql.ts';
import type { FacetTexts } from '../facet-texts.ts';
import type { Columns } from './columns.ts';
import { tokensOf } from './index-rows.ts';
import { at } from './row-order.ts';

interface RowSources {
  reader: SqlReader;
  columns: Columns;
  facets: FacetTexts;
}

/** The exact value of a row at the time; null if it is not known. */
export function exactValue(sources: RowSources, slot: number): Decimal | null {
  return parseDecimal(textOrNull(stored(sources, slot), 'value_then') ?? '');
}

/** The exact amounts of a row in whole units, of any token or of this one; without those that are not known. */
export function exactAmounts(sources: RowSources, slot: number, asked?: string): Decimal[] {
  const row = stored(sources, slot);
  return (row === undefined ? [] : tokensOf(row)).flatMap(([ref, amount]) => {
    const { token, decimals } = sources.facets.tokenOf(sources.reader, ref);
    return (asked ?? token) === token ? (wholeUnits(amount, decimals) ?? []) : [];
  });
}

function stored({ reader, columns }: RowSources, slot: number) {
  return reader.get('SELECT value_then, tokens_json FROM activity_row WHERE id = ?', [
    at(columns.numbers.id, slot),
  ]);
}
