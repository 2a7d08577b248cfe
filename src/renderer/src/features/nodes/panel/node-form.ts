import { certificatePrint } from '../../../../../shared/health/certificate.ts';
import { headerNameProblem } from '../../../../../shared/header-name.ts';
import { nodeLimits } from '../../../../../shared/limits.ts';
import { parseNodeUrl } from '../../../../../shared/health/node-url.ts';

/** The problem with the URL of a node, or null; an unfinished one is no problem until the field was left. */
export function nodeUrlProblem(text: string, left: boolean): string | null {
  return left ? parseNodeUrl(text).problem : null;
}

/** The intervals on offer, with an unusual one that is in use. Null: the app chooses. */
export function intervalChoices(currentMs: number | null): { ms: number | null; text: string }[] {
  const automatic = { ms: null, text: 'Automatic: right after the node runs its checks' };
  const usual = [
    { ms: 15_000, text: 'Every 15 seconds' },
    { ms: 30_000, text: 'Every 30 seconds' },
    { ms: 60_000, text: 'Every minute' },
    { ms: 300_000, text: 'Every 5 minutes' },
  ];
  if (currentMs === null || usual.some((choice) => choice.ms === currentMs)) return [automatic, ...usual];
  const unusual = { ms: currentMs, text: `Every ${currentMs / 1_000} seconds` };
  return [automatic, ...[...usual, unusual].sort((a, b) => a.ms - b.ms)];
}

/** Subnet ids, separated by line breaks, blanks, commas or semicolons; duplicates are dropped. */
export function parseTags(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((tag) => tag !== ''))];
}

/** The problem with the subnets, or null. */
export function tagsProblem(text: string): string | null {
  const tags = parseTags(text);
  if (tags.length > nodeLimits.tags) return `At most ${nodeLimits.tags} subnets are allowed.`;
  const long = tags.find((tag) => tag.length > nodeLimits.tagLength);
  return long === undefined
    ? null
    : `This subnet ID is longer than ${nodeLimits.tagLength} characters: ${long.slice(0, 20)}…`;
}

/** The problem with the trusted certificate, or null; null as a value is none. */
export function certificateProblem(text: string | null): string | null {
  return text === null || certificatePrint(text) !== null
    ? null
    : 'Enter a certificate (PEM) or its SHA-256 fingerprint: 64 hexadecimal digits.';
}

/** One row of the form. */
export interface HeaderRow {
  key: number;
  name: string;
  /** Null: the value in the keychain stays. */
  value: string | null;
  /** The keychain has a value for this name. */
  kept: boolean;
}

/** The problem with the extra headers, or null; empty rows do not count. */
export function headersProblem(rows: readonly HeaderRow[]): string | null {
  const used = usedHeaders(rows);
  const seen = new Set<string>();
  for (const { name, value } of used) {
    if (name === '') return 'A header needs a name.';
    const problem = headerNameProblem(name);
    if (problem === 'malformed') return `“${name.slice(0, 40)}” is not a valid header name.`;
    if (problem === 'own') return `Remove ${name}: the app sets it itself.`;
    if (value === '') return `The header ${name} needs a value.`;
    if (seen.has(name.toLowerCase())) return `The header ${name} is listed twice.`;
    seen.add(name.toLowerCase());
  }
  return used.length > nodeLimits.headers ? `At most ${nodeLimits.headers} headers are allowed.` : null;
}

export function usedHeaders(rows: readonly HeaderRow[]): { name: string; value: string | null }[] {
  return rows
    .map(({ name, value }) => ({ name: name.trim(), value }))
    .filter(({ name, value }) => name !== '' || (value !== null && value !== ''));
}
