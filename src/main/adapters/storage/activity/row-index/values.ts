import { spellAddress } from '../../../../../shared/activity/address.ts';
import type { ChoiceField } from '../../../../../shared/activity/filter.ts';
import type { FilterValue } from '../../../../../shared/ipc/contract-activity.ts';
import type { FacetTexts } from '../facet-texts.ts';
import { storedDirections, storedKinds, storedStatuses } from '../row-places.ts';
import type { SqlReader } from '../../sqlite/sql.ts';
import { nameOf, tokenLabel, ValueCounts } from '../value-counts.ts';
import { spamRules, userReason } from '../verdict.ts';
import { bitParts } from './columns.ts';
import { completenessPlaces } from './pills.ts';
import type { RowIndex } from './row-index.ts';

/** Values of a field that rows of watched addresses have, counted in one pass. */
export function indexValues(
  reader: SqlReader,
  index: RowIndex,
  texts: FacetTexts,
  query: { field: ChoiceField; text: string; limit: number },
): FilterValue[] {
  const counts = new ValueCounts();
  const { columns, context } = index;
  const { names } = context;
  const add = (
    tally: ReadonlyMap<number, number>,
    name: (ref: number) => { value: string; label: string } | null,
  ) => {
    for (const [ref, count] of tally) {
      const named = name(ref);
      if (named !== null) counts.add(named.value, named.label, count);
    }
  };
  const plain = (value: string | undefined) => (value === undefined ? null : { value, label: value });
  const part = (
    partName: 'kind' | 'direction' | 'status' | 'completeness',
    all: readonly (string | readonly string[])[],
  ) => {
    const { shift, mask } = bitParts[partName];
    for (const [place, count] of index.tally((slot) => ((columns.bits[slot] ?? 0) >>> shift) & mask)) {
      for (const value of [all[place] ?? []].flat()) counts.add(value, value, count);
    }
  };
  switch (query.field) {
    case 'address':
      add(
        index.tally((slot) => columns.address[slot] ?? 0),
        (ref) => {
          const address = context.watched.get(ref);
          return address === undefined ? null : { value: address, label: nameOf(address, names, null) };
        },
      );
      break;
    case 'tag':
      for (const [ref, count] of index.tally((slot) => columns.address[slot] ?? 0)) {
        const address = context.watched.get(ref)?.toLowerCase() ?? '';
        for (const tag of new Set(names.watched.get(address)?.tags)) counts.add(tag, tag, count);
      }
      break;
    case 'chain':
      add(
        index.tally((slot) => columns.chain[slot] ?? 0),
        (ref) => plain(context.chains.get(ref)),
      );
      break;
    case 'kind':
      part('kind', storedKinds);
      break;
    case 'direction':
      part('direction', storedDirections);
      break;
    case 'status':
      part('status', storedStatuses);
      break;
    case 'completeness':
      part('completeness', completenessPlaces);
      break;
    case 'token':
      add(index.tallyTokens(), (ref) => {
        const token = texts.tokenOf(reader, ref);
        return { value: token.token, label: tokenLabel(token) };
      });
      break;
    case 'counterparty':
      add(
        index.tally((slot) => columns.counterparty[slot] ?? 0),
        (ref) => {
          if (ref === 0) return null;
          const { address, name } = texts.partyOf(reader, ref);
          return { value: spellAddress(address), label: nameOf(address, names, name) };
        },
      );
      break;
    case 'method':
      add(
        index.tally((slot) => columns.method[slot] ?? 0),
        (ref) => (ref === 0 ? null : plain(texts.methodOf(reader, ref))),
      );
      break;
    case 'hidden':
      for (const [reasons, count] of index.tally((slot) => columns.reasons[slot] ?? 0)) {
        if ((reasons & userReason) !== 0) counts.add('user', 'user', count);
        spamRules.forEach((rule, place) => {
          if ((reasons & (1 << place)) !== 0) counts.add(rule, rule, count);
        });
      }
      break;
  }
  return counts.top(query.text, query.limit);
}
