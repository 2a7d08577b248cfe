import type { ActivityFilter, ChoiceField, FilterPill } from '../../../../../shared/activity/filter.ts';
import type { RowDescription } from '../../../../../shared/activity/describe.ts';
import { spellAddress } from '../../../../../shared/activity/address.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';
import type { CellId } from './copy-row.ts';
import { assetWords, completenessOf } from '../words/row-words.ts';

/** A token that a row moved, as filters and verdicts name it. */
export interface RowToken {
  token: string;
  words: string;
}

/** Tokens that moved for the row's address, each once; the native token is none that can be hidden. */
export function tokensOfRow(row: ActivityRow, { legs }: RowDescription): RowToken[] {
  const tokens = new Map<string, string>();
  for (const { asset, direction } of legs) {
    if (direction === 'none' || asset.kind === 'native') continue;
    tokens.set(`${row.chainId} ${asset.key}`, assetWords(asset) ?? 'this token');
  }
  return [...tokens].map(([token, words]) => ({ token, words }));
}

/** The pill that keeps rows with the value of this cell; null where a cell has no value to filter by. */
export function pillOfCell(
  cell: CellId,
  row: ActivityRow,
  description: RowDescription,
): Extract<FilterPill, { values: string[] }> | null {
  const pill = (field: ChoiceField, value: string | null) =>
    value === null ? null : { field, not: false, values: [value] };
  // Filters know what was read of it when it was stored, which nobody sees any more.
  if (row.completeness === 'unreadable' && !['chain', 'address', 'marks'].includes(cell)) return null;
  switch (cell) {
    case 'time':
      return null;
    case 'chain':
      return pill('chain', row.chainId);
    case 'address':
      return pill('address', row.address);
    case 'kind':
      return pill('kind', description.kind);
    case 'counterparty':
      return pill(
        'counterparty',
        description.counterparty === null ? null : spellAddress(description.counterparty.address),
      );
    case 'amounts': {
      const own = description.legs.find(({ direction }) => direction !== 'none');
      return pill('token', own === undefined ? null : `${row.chainId} ${own.asset.key}`);
    }
    case 'fee':
      return null;
    case 'method':
      return pill('method', description.method?.name ?? null);
    case 'status':
      return pill('status', description.status);
    case 'marks':
      return pill('completeness', completenessOf(row));
  }
}

/** The filter with one more pill; one that is there already is not said twice. */
export function withPill(filter: ActivityFilter, pill: FilterPill): ActivityFilter {
  const text = JSON.stringify(pill);
  return filter.pills.some((known) => JSON.stringify(known) === text)
    ? filter
    : { ...filter, pills: [...filter.pills, pill] };
}
