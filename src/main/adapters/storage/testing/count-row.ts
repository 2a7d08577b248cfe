import { spellAddress } from '../../../../shared/address.ts';
import type { HiddenReason, SpamVerdict } from '../../../../shared/activity/spam-types.ts';
import type { ChoiceField } from '../../../../shared/activity/filter.ts';
import type { ReadRow, StoredRow } from '../../../core/activity-ports.ts';
import type { Names } from '../activity/filter-match.ts';
import { completenessValues } from '../activity/stored-codes.ts';
import { nameOf, tokenLabel, type ValueCounts } from '../activity/value-counts.ts';

/** Counts a row's values of a field. */
export function countRow(
  row: StoredRow & Pick<ReadRow, 'marks'>,
  field: ChoiceField,
  names: Names,
  counts: ValueCounts,
): void {
  const { facets } = row;
  const plain = (value: string | null) => {
    if (value !== null) counts.add(value, value);
  };
  switch (field) {
    case 'address':
      counts.add(row.address, nameOf(row.address, names, null));
      break;
    case 'tag':
      for (const tag of new Set(names.watched.get(row.address.toLowerCase())?.tags)) plain(tag);
      break;
    case 'chain':
      plain(row.chainId);
      break;
    case 'kind':
      plain(facets.kind);
      break;
    case 'direction':
      plain(facets.direction);
      break;
    case 'status':
      plain(facets.status);
      break;
    case 'completeness':
      completenessValues(row.completeness, facets.hasUnreadParts).forEach(plain);
      break;
    case 'token':
      for (const [token] of Map.groupBy(facets.tokens, ({ token: name }) => name).values())
        if (token !== undefined) counts.add(token.token, tokenLabel(token));
      break;
    case 'counterparty':
      if (facets.counterparty !== null) {
        const label = nameOf(facets.counterparty, names, facets.counterpartyName);
        counts.add(spellAddress(facets.counterparty), label);
      }
      break;
    case 'method':
      plain(facets.method);
      break;
    case 'hidden':
      hiddenReasons(row.marks.spam).forEach(plain);
      break;
  }
}

/** All reasons for which a row is hidden; empty if it is shown. */
export function hiddenReasons({ rules, hiddenReason }: SpamVerdict): HiddenReason[] {
  if (hiddenReason === null) return [];
  return hiddenReason === 'user' ? ['user'] : rules;
}
