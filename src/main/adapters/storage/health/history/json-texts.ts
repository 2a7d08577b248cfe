import type { ColumnReader, ColumnWriter } from './columns.ts';

/**
 * JSON texts that say the same again and again with other numbers: what stays is a template, stored once, and each place
 * that changes is a column. Any text can be stored; one that is no JSON, or too large to be taken apart, is stored whole.
 */

/** Stands for a place in a template. JSON has no such character outside of escapes. */
const hole = '\u0001';
/** Strings and numbers. */
const literal = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const largestTemplateChars = 8_192;
const mostHoles = 128;
const wholeNumber = /^(?:0|-?[1-9]\d{0,13})$/;

interface TakenApart {
  template: string;
  literals: string[];
}

/** Takes texts apart; equal texts are only taken apart once. */
export class TextParts {
  readonly #known = new Map<string, TakenApart>();

  of(text: string): TakenApart {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const parts = takeApart(text);
    this.#known.set(text, parts);
    return parts;
  }
}

function takeApart(text: string): TakenApart {
  if (text.length > largestTemplateChars || text.includes(hole)) return { template: hole, literals: [text] };
  const literals: string[] = [];
  const template = text.replace(literal, (found: string, at: number) => {
    if (!found.startsWith('"')) {
      literals.push(found);
      return hole;
    }
    if (text[at + found.length] === ':') return found;
    literals.push(found.slice(1, -1));
    return `"${hole}"`;
  });
  return literals.length > mostHoles ? { template: hole, literals: [text] } : { template, literals };
}

/** Writes texts that belong to one series; `templates` gives the place of a template among those of all series. */
export function writeTexts(
  writer: ColumnWriter,
  texts: readonly string[],
  parts: TextParts,
  templates: Map<string, number>,
): void {
  const groups = new Map<number, string[][]>();
  const places = texts.map((text) => {
    const { template, literals } = parts.of(text);
    const place = templates.get(template) ?? templates.size;
    templates.set(template, place);
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [literals]);
    else group.push(literals);
    return place;
  });
  writer.numbers(places);
  for (const [, rows] of [...groups].sort(([a], [b]) => a - b)) {
    for (let column = 0; column < (rows[0]?.length ?? 0); column += 1) {
      writeLiterals(
        writer,
        rows.map((row) => row[column] ?? ''),
      );
    }
  }
}

export function readTexts(reader: ColumnReader, length: number, templates: readonly string[]): string[] {
  const places = reader.numbers(length);
  const counts = new Map<number, number>();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  const groups = new Map<number, Group>();
  for (const [place, count] of [...counts].sort(([a], [b]) => a - b)) {
    const pieces = (templates[place] ?? '').split(hole);
    const columns = pieces.slice(1).map(() => readLiterals(reader, count));
    groups.set(place, { pieces, columns, at: 0 });
  }
  return places.map((place) => joinNext(groups.get(place)));
}

/**
 * The literals of one place. Those that are written like a measure (`0.25`, `5m12.44s`) are taken apart once more, so that
 * their digits become numbers.
 */
function writeLiterals(writer: ColumnWriter, literals: readonly string[]): void {
  if (literals.every((text) => wholeNumber.test(text))) {
    writer.count(literalModes.numbers);
    writer.numbers(literals.map(Number));
    return;
  }
  if (!literals.some((text) => measure.test(text))) {
    writer.count(literalModes.texts);
    writer.texts(literals);
    return;
  }
  writer.count(literalModes.measures);
  const templates = new Map<string, number>();
  const groups: string[][][] = [];
  const places = literals.map((text) => {
    const { template, literals: own } = takeMeasureApart(text);
    const place = templates.get(template) ?? templates.size;
    templates.set(template, place);
    (groups[place] ??= []).push(own);
    return place;
  });
  writer.json([...templates.keys()]);
  writer.numbers(places);
  for (const rows of groups) {
    for (let column = 0; column < (rows[0]?.length ?? 0); column += 1) {
      writer.digits(rows.map((row) => row[column] ?? ''));
    }
  }
}

const literalModes = { numbers: 0, texts: 1, measures: 2 } as const;
const measure = /^[-+]?\d[\d.]*(?:[a-zµ%]{1,2}\d[\d.]*){0,3}[a-zµ%]{0,2}$/;

function takeMeasureApart(text: string): TakenApart {
  if (text.length > 64 || !measure.test(text)) return { template: hole, literals: [text] };
  const literals: string[] = [];
  const template = text.replace(/\d+/g, (digits) => {
    literals.push(digits);
    return hole;
  });
  return { template, literals };
}

function readLiterals(reader: ColumnReader, length: number): string[] {
  const mode = reader.count();
  if (mode === literalModes.numbers) return reader.numbers(length).map(String);
  if (mode === literalModes.texts) return reader.texts(length);
  const templates = reader.list();
  const places = reader.numbers(length);
  const groups = templates.map((template, place) => {
    const count = places.filter((found) => found === place).length;
    const pieces = template.split(hole);
    return { pieces, columns: pieces.slice(1).map(() => reader.digits(count)), at: 0 };
  });
  return places.map((place) => joinNext(groups[place]));
}

interface Group {
  /** What stands before, between and after the literals. */
  pieces: string[];
  columns: string[][];
  /** The next of its texts. */
  at: number;
}

function joinNext(group: Group | undefined): string {
  if (group === undefined) return '';
  const { pieces, columns, at } = group;
  group.at += 1;
  let text = pieces[0] ?? '';
  for (const [index, column] of columns.entries()) text += (column[at] ?? '') + (pieces[index + 1] ?? '');
  return text;
}
