import { checkAddress } from '../../../../shared/address.ts';
import { splitTags } from '../../../../shared/activity/tags.ts';
import { addressColours, type AddedLine, type AddressColour } from '../../../../shared/activity/types.ts';
import { csvLine, textOfCell } from '../../../../shared/csv.ts';
import { parseCutJson } from '../../../../shared/json.ts';
import type { AddressFields } from './address-fields.ts';

/** What one line of a list contains about an address; null for what it does not say. */
export interface AddressLine extends Said {
  line: number;
  input: string;
  address: string | null;
  problem: Extract<AddedLine['outcome'], 'wrong-checksum' | 'not-an-address'> | null;
  /** The correct spelling, where only the checksum is wrong. */
  suggestion: string | null;
}

type Said = { [Field in keyof AddressFields]: AddressFields[Field] | null };

/** A watched address in the form in which files contain it. */
export type ListedAddress = AddressFields & { address: string };

const columns = ['address', 'label', 'tags', 'colour', 'paused'] as const;

const tagSeparator = ';';

/** More than anybody pastes; the rest is reported as one line that is not an address. */
const mostLines = 10_000;

export function addressesToCsv(list: readonly ListedAddress[]): string {
  return [
    csvLine(columns),
    ...list.map(({ address, label, tags, colour, paused }) =>
      csvLine([address, label ?? '', tags.join(tagSeparator), colour ?? '', paused ? 'true' : 'false']),
    ),
  ].join('');
}

export const addressesToJson = (list: readonly ListedAddress[]): string =>
  `${JSON.stringify(list, null, 2)}\n`;

/**
 * Parses what the user pasted or opened: JSON or CSV exported by the app, columns of a spreadsheet, or plain addresses,
 * one per line and optionally followed by a name. Never throws; returns a result for each non-empty line.
 */
export function readAddressLines(text: string): AddressLine[] {
  const plain = text.replace(/^\ufeff/, '');
  const fromJson = readJson(plain);
  if (fromJson !== null) return fromJson;
  const rows = parseCells(plain).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [head] = rows;
  const names = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const isTable = names.includes('address');
  const place = (column: (typeof columns)[number]): number => names.indexOf(column);
  const lines = rows.slice(isTable ? 1 : 0).flatMap(({ line, cells, input }): AddressLine[] => {
    if (!isTable) return plainLines(line, input, cells);
    const cell = (column: (typeof columns)[number]): string => (cells[place(column)] ?? '').trim();
    const said = {
      label: textOfCell(cell('label')) || null,
      tags: place('tags') < 0 ? null : splitTags(textOfCell(cell('tags'))),
      colour: readColour(cell('colour')),
      paused: readPaused(cell('paused')),
    };
    return [lineOf(line, input, cell('address'), said)];
  });
  const left = lines[mostLines];
  return left === undefined ? lines : [...lines.slice(0, mostLines), lineOf(left.line, left.input, '…')];
}

/** Several addresses of one line are as many; a name stays together, also with an address in it. */
function plainLines(line: number, input: string, cells: readonly string[]): AddressLine[] {
  const parts = input.split(/(?<=\b0x[\da-f]{40})[ \t,;]+(?=0x[\da-f]{40}\b)/i);
  return parts.length === 1
    ? [plainLine(line, input, cells)]
    : parts.map((part) => plainLine(line, part, part.split(',')));
}

function plainLine(line: number, input: string, cells: readonly string[]): AddressLine {
  const [begin = '', ...others] = cells;
  const address = /^[^\s;]*/.exec(begin.trim())?.[0] ?? '';
  // The first cell is more than the address where the name after it has what parts cells.
  const isWhole = begin.trim() === address;
  const rest = input.slice(input.indexOf(address) + address.length);
  const label = isWhole ? others.join(' ') : rest.replace(/^[\s;]+/, '');
  return lineOf(line, input, address, { label: label.trim() || null });
}

function lineOf(line: number, input: string, address: string, said: Partial<Said> = {}): AddressLine {
  const nothing = { label: null, tags: null, colour: null, paused: null };
  const text = input.trim();
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return { line, input: shown, ...judge(address), ...nothing, ...said };
}

function judge(text: string): Pick<AddressLine, 'address' | 'problem' | 'suggestion'> {
  const check = checkAddress(text);
  if (check.ok) return { address: check.address, problem: null, suggestion: null };
  return check.reason === 'wrong-checksum'
    ? { address: null, problem: 'wrong-checksum', suggestion: check.checksummed }
    : { address: null, problem: 'not-an-address', suggestion: null };
}

/** A list of entries with lists of tags. */
const deepestOfList = 3;

/** Null when the text is not a JSON list. */
function readJson(text: string): AddressLine[] | null {
  if (!/^\s*\[/.test(text)) return null;
  let list: unknown;
  try {
    list = parseCutJson(text, deepestOfList).value;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
  if (!Array.isArray(list)) return null;
  const items: unknown[] = list;
  const rest = items.length > mostLines ? [items.slice(mostLines)] : [];
  return [...items.slice(0, mostLines), ...rest].map((item, index) => {
    const input = JSON.stringify(item);
    if (typeof item === 'string') return lineOf(index + 1, item, item);
    if (typeof item !== 'object' || item === null) return lineOf(index + 1, input, '');
    const fields = new Map<string, unknown>(Object.entries(item));
    const textOf = (name: string): string => {
      const value = fields.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const tags = fields.get('tags');
    const paused = fields.get('paused');
    const address = textOf('address');
    return lineOf(index + 1, address === '' ? input : address, address, {
      label: textOf('label') || null,
      tags: Array.isArray(tags)
        ? splitTags(tags.filter((tag) => typeof tag === 'string').join(tagSeparator))
        : null,
      colour: readColour(textOf('colour')),
      paused: typeof paused === 'boolean' ? paused : null,
    });
  });
}

/** Parses CSV (RFC 4180) separated by commas, semicolons or tabs, as the first line has them. */
function parseCells(text: string): { line: number; cells: string[]; input: string }[] {
  const firstLine = /\S.*/.exec(text)?.[0] ?? '';
  const separator = [',', '\t', ';'].find((mark) => firstLine.includes(mark)) ?? ',';
  const rows: { line: number; cells: string[]; input: string }[] = [];
  let cells: string[] = [];
  let cell = '';
  // A quote that does not end where its cell does is a letter of a name.
  const quoted = new RegExp(`"([^"]*(?:""[^"]*)*)" *(?=[${separator}\\r\\n]|$)`, 'y');
  let line = 1;
  let rowLine = 1;
  let rowStart = 0;
  const endRow = (end: number): void => {
    rows.push({ line: rowLine, cells: [...cells, cell], input: text.slice(rowStart, end) });
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length && rows.length < mostLines; at += 1) {
    const char = text.charAt(at);
    quoted.lastIndex = at;
    const [whole, inner] = (char === '"' && cell.trim() === '' && quoted.exec(text)) || [];
    if (whole !== undefined && inner !== undefined) {
      cell = inner.replaceAll('""', '"');
      line += inner.split('\n').length - 1;
      at += whole.length - 1;
    } else if (char === separator) {
      cells.push(cell);
      cell = '';
    } else if (char === '\n') {
      endRow(at);
      rowStart = at + 1;
      line += 1;
      rowLine = line;
    } else if (char !== '\r') cell += char;
  }
  const rest = text.slice(rowStart);
  if (rows.length < mostLines) endRow(text.length);
  // Not an address, so that it is reported.
  else if (rest.trim() !== '') rows.push({ line: rowLine, cells: ['…'], input: rest });
  return rows;
}

const readColour = (text: string): AddressColour | null =>
  addressColours.find((colour) => colour === text.toLowerCase()) ?? null;

/** Null for other words, such as those that a spreadsheet writes in its own language. */
function readPaused(text: string): boolean | null {
  const word = text.toLowerCase();
  return word === 'true' || (word === 'false' ? false : null);
}
