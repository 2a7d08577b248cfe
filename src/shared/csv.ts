import { visibleText } from './text.ts';

/**
 * Spreadsheets execute a cell that begins with one of these, also in full width, as a formula, and texts are untrusted
 * (names of tokens are a known attack). Some separate cells by semicolons or tabs, and heed quotes only where a cell
 * begins, so each part of a text may become one. Numbers, including negative ones, are not formulas.
 */
const formulaStart = /(^|[;\t\r\n])([ "]*)(?=[=+\-@＝＋－＠])/g;
const guardedStart = /(^|[;\t\r\n])([ "]*)'(?=[=+\-@＝＋－＠])/g;
const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Fast path: neither a spreadsheet nor CSV gives these characters a meaning. */
const harmless = /^(?:-\d+(?:\.\d+)?|[\dA-Za-z](?:[\w.:/ -]*[\w.:/-])?)$/;

/**
 * The text of one cell, in a file or on the clipboard: invisible characters are made visible, and an apostrophe is put
 * before what would be a formula.
 */
export function cellText(raw: string): string {
  const text = visibleText(raw);
  return plainNumber.test(text) ? text : text.replace(formulaStart, "$1$2'");
}

/** The text of a cell that `cellText` has written. */
export const textOfCell = (cell: string): string => cell.replace(guardedStart, '$1$2');

/** One line of CSV by RFC 4180, including the line end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(text: string): string {
  if (text === '' || harmless.test(text)) return text;
  const safe = cellText(text);
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
