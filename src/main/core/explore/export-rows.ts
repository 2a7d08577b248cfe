type Cell = string;

/**
 * The fields of a row by dotted path: `from.address`, `erc20Token.symbol`. A list is one cell of JSON: its length differs
 * from row to row, which columns cannot follow.
 */
export function flattenRow(row: unknown): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  if (typeof row !== 'object' || row === null) cells.set('value', cellOf(row));
  else flattenInto(cells, '', row);
  return cells;
}

function flattenInto(cells: Map<string, Cell>, prefix: string, fields: object): void {
  for (const [name, value] of Object.entries<unknown>({ ...fields })) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0)
      flattenInto(cells, path, value);
    else cells.set(path, cellOf(value));
  }
}

/** Texts as they are, which keeps every digit of amounts; everything else as JSON has it; nothing for null. */
function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
