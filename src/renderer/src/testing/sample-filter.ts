import { toChecksumAddress } from '../../../shared/address.ts';
import { describeRow, type RowDescription } from '../../../shared/activity/describe.ts';
import type { ActivityFilter, ChoiceField, FilterPill } from '../../../shared/activity/filter.ts';
import type { ReadableRow } from '../../../shared/activity/types.ts';
import { compareDecimals, formatAmount, parseDecimal, type Decimal } from '../../../shared/amounts.ts';
import type { World } from './sample-world.ts';

const described = new WeakMap<ReadableRow, RowDescription>();

function describeSample(row: ReadableRow): RowDescription {
  const known = described.get(row) ?? describeRow(row, [], { symbol: null, decimals: 18 });
  described.set(row, known);
  return known;
}

/** The values of a row in a column; several for tags and tokens, none where it does not apply. */
export function valuesOf(row: ReadableRow, field: ChoiceField, world: World): string[] {
  const description = describeSample(row);
  switch (field) {
    case 'address':
      return [row.address];
    case 'tag':
      return world.snapshot.watchlist.find((entry) => entry.address === row.address)?.tags ?? [];
    case 'chain':
      return [row.chainId];
    case 'kind':
      return [description.kind];
    case 'direction':
      return [description.direction];
    case 'token':
      return [...new Set(ownLegs(row).map((leg) => `${row.chainId} ${leg.asset.key}`))];
    case 'counterparty':
      return description.counterparty === null ? [] : [toChecksumAddress(description.counterparty.address)];
    case 'method':
      return description.method === null ? [] : [description.method.name];
    case 'status':
      return [description.status];
    case 'completeness':
      return [row.completeness];
    case 'hidden':
      return row.marks.spam.hiddenReason === null ? [] : [row.marks.spam.hiddenReason];
  }
}

/** Rows of the sample world that pass the pills and the text, including hidden ones. */
export function matchingRows(world: World, filter: ActivityFilter): ReadableRow[] {
  const text = filter.text.trim().toLowerCase();
  return world.rows.filter(
    (row) =>
      filter.pills.every((pill) => passes(row, pill, world)) &&
      (text === '' || haystack(row, world).includes(text)),
  );
}

function passes(row: ReadableRow, pill: FilterPill, world: World): boolean {
  if ('values' in pill) {
    return valuesOf(row, pill.field, world).some((value) => pill.values.includes(value)) !== pill.not;
  }
  const figures = figuresOf(row, pill).map(parseDecimal);
  const isWithin = figures.some(
    (figure) =>
      figure !== null &&
      (pill.min === null || compare(figure, parseDecimal(pill.min)) >= 0) &&
      (pill.max === null || compare(figure, parseDecimal(pill.max)) <= 0),
  );
  return isWithin !== pill.not;
}

function figuresOf(row: ReadableRow, pill: Extract<FilterPill, { min: string | null }>): string[] {
  switch (pill.field) {
    case 'block':
      return [row.blockNumber];
    case 'time':
      return [String(row.timestampMs)];
    case 'value':
      return row.marks.valueThen === null ? [] : [row.marks.valueThen];
    case 'amount':
      return ownLegs(row)
        .filter((leg) => pill.token === undefined || `${row.chainId} ${leg.asset.key}` === pill.token)
        .flatMap((leg) => {
          const amount =
            leg.amount === null ? null : formatAmount(leg.amount, leg.asset.decimals, { groupSeparator: '' });
          return amount?.unit === 'token' ? [amount.text] : [];
        });
  }
}

function compare(a: Decimal, b: Decimal | null): number {
  return b === null ? Number.NaN : compareDecimals(a, b);
}

function haystack(row: ReadableRow, world: World): string {
  const { counterparty, method } = describeSample(row);
  const label = world.snapshot.watchlist.find((entry) => entry.address === row.address)?.label;
  const book = world.snapshot.book.find(({ address }) => address === counterparty?.address)?.name;
  const tokens = ownLegs(row).flatMap(({ asset }) => [asset.name, asset.symbol]);
  return [
    row.txHash,
    row.address,
    label,
    counterparty?.address,
    counterparty?.name,
    book,
    method?.name,
    ...tokens,
  ]
    .join('\n')
    .toLowerCase();
}

function ownLegs(row: ReadableRow): RowDescription['legs'] {
  return describeSample(row).legs.filter((leg) => leg.direction !== 'none');
}
