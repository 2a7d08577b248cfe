import type { RowDescription } from '../../../../../shared/activity/describe.ts';
import type { ActivityFilter, FilterPill } from '../../../../../shared/activity/filter.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';
import { assetWords } from '../words/row-words.ts';

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

/** The filter with one more pill; one that is there already is not said twice. */
export function withPill(filter: ActivityFilter, pill: FilterPill): ActivityFilter {
  const text = JSON.stringify(pill);
  return filter.pills.some((known) => JSON.stringify(known) === text)
    ? filter
    : { ...filter, pills: [...filter.pills, pill] };
}
