import { spellAddress } from '../../../../shared/address.ts';
import type { RowFacets } from '../../../../shared/activity/facets.ts';
import type { ChoiceField } from '../../../../shared/activity/filter.ts';
import type { SpamVerdict } from '../../../../shared/activity/spam-types.ts';
import type { Names } from '../activity/filter-match.ts';
import { completenessValues } from '../activity/stored-codes.ts';
import { nameOf, tokenLabel } from '../activity/value-counts.ts';

/** The parts of a row that a filter uses. */
export interface MatchedRow {
  chainId: string;
  address: string;
  txHash: string;
  blockNumber: bigint;
  timestampMs: number;
  completeness: 'partial' | 'complete';
  facets: RowFacets;
  spam: SpamVerdict;
}

/** A row's values of a field with their labels, read plainly. */
export function valuesOf(
  row: MatchedRow,
  field: ChoiceField,
  names: Names,
): [value: string, label: string][] {
  const { facets, spam } = row;
  const plain = (...values: string[]): [string, string][] => values.map((value) => [value, value]);
  switch (field) {
    case 'address':
      return [[row.address, nameOf(row.address, names, null)]];
    case 'tag':
      return plain(...new Set(names.watched.get(row.address.toLowerCase())?.tags));
    case 'chain':
      return plain(row.chainId);
    case 'kind':
      return plain(facets.kind);
    case 'direction':
      return plain(facets.direction);
    case 'status':
      return plain(facets.status);
    case 'completeness':
      return plain(...completenessValues(row.completeness, facets.hasUnreadParts));
    case 'token':
      return [...new Map(facets.tokens.map((token) => [token.token, tokenLabel(token)]))];
    case 'counterparty': {
      const { counterparty, counterpartyName } = facets;
      if (counterparty === null) return [];
      return [[spellAddress(counterparty), nameOf(counterparty, names, counterpartyName)]];
    }
    case 'method':
      return facets.method === null ? [] : plain(facets.method);
    case 'hidden':
      if (spam.hiddenReason === null) return [];
      return spam.hiddenReason === 'user' ? plain('user') : plain(...spam.rules);
  }
}
