import { isObject } from '../../../shared/json.ts';

/**
 * Flattens a row to dotted paths: `from.address`, `erc20Token.symbol`. A list becomes one cell of JSON: its length
 * varies from row to row, so it cannot have columns. A name with a dot is quoted, as it would be taken for a path.
 */
export function flattenRow(row: unknown): Map<string, string> {
  const cells = new Map<string, string>();
  if (typeof row !== 'object' || row === null) cells.set('value', cellOf(row));
  else flattenInto(cells, '', row);
  return cells;
}

function flattenInto(cells: Map<string, string>, prefix: string, fields: object): void {
  for (const [name, value] of Object.entries<unknown>({ ...fields })) {
    const step = /^$|[."]/.test(name) ? JSON.stringify(name) : name;
    const path = prefix === '' ? step : `${prefix}.${step}`;
    if (isObject(value) && Object.keys(value).length > 0) flattenInto(cells, path, value);
    else cells.set(path, cellOf(value));
  }
}

/** Strings as they are, to keep every digit of amounts; null as an empty cell; anything else as JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
