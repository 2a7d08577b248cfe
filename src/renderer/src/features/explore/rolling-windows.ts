import { cellText } from './result-rows.ts';

/** One card of a rolling-window answer. A window without a value is never zero. */
export interface WindowCard {
  name: string;
  title: string;
  state: 'value' | 'no-data' | 'not-offered';
  /** Every digit that the service gave. */
  text: string;
}

const windows: readonly (readonly [name: string, title: string])[] = [
  ['lastHour', 'Last hour'],
  ['lastDay', 'Last day'],
  ['lastWeek', 'Last week'],
  ['lastMonth', 'Last month'],
  ['last90Days', 'Last 90 days'],
  ['lastYear', 'Last year'],
  ['allTime', 'All time'],
];

/**
 * A card for each window of the specification, then for each that the answer has besides. `notOffered` are the fields
 * that the definition says this metric has not, as paths.
 */
export function windowCards(data: unknown, notOffered: readonly string[]): WindowCard[] {
  const answer = typeof data === 'object' && data !== null && 'result' in data ? data.result : null;
  const values = new Map<string, unknown>(
    typeof answer === 'object' && answer !== null ? Object.entries(answer) : [],
  );
  const known = new Set(windows.map(([name]) => name));
  const all = [
    ...windows,
    ...[...values.keys()].filter((name) => !known.has(name)).map((name) => [name, name] as const),
  ];
  return all.map(([name, title]) => {
    const text = cellText(values.get(name));
    const isOffered = !notOffered.includes(`result.${name}`);
    return { name, title, text, state: text !== '' ? 'value' : isOffered ? 'no-data' : 'not-offered' };
  });
}
