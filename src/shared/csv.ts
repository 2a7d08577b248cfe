import { visibleText } from './text.ts';

/**
 * Spreadsheets run a cell that begins with one of these as a formula, and the texts are those of strangers (names of
 * tokens are a known way in). Numbers, negative ones too, are none.
 */
const formulaStart = /^[=+\-@\t\r\n]/;
const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** What neither a spreadsheet nor the format could take for anything else. */
const harmless = /^[\dA-Za-z][\w.:/-]*$/;

/**
 * The text of one cell, in a file or on the clipboard: what cannot be seen is made visible, and an apostrophe in front makes
 * a text of what would be a formula.
 */
export function cellText(raw: string): string {
  const text = visibleText(raw);
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** One line of CSV by RFC 4180, its end included. */
export function csvLine(cells: readonly string[]): string {
  let line = '';
  for (const [place, cell] of cells.entries()) line += place === 0 ? csvCell(cell) : `,${csvCell(cell)}`;
  return `${line}\r\n`;
}

function csvCell(text: string): string {
  if (text === '' || harmless.test(text)) return text;
  const safe = cellText(text);
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
