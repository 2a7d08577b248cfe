import { cleanText } from '../text.ts';
import { noAnswer, subjectOf } from './no-answer.ts';

// What checks and nodes are called where a person reads it. Stores, exports and keys have their own names, as they came.

/** Names of chains by blockchain id, as far as they are known. */
export type ChainNames = ReadonlyMap<string, string>;

/** What the checks of today's nodes are about; any other is called as the node calls it. */
const checkWords: Readonly<Record<string, string>> = {
  bls: 'BLS key',
  bootstrapped: 'Bootstrapping',
  database: 'Database',
  diskspace: 'Disk space',
  futureupgrade: 'Next upgrade',
  network: 'Network',
  router: 'Router',
  shuttingdown: 'Shutting down',
  validation: 'Validation',
};

/**
 * What a check is called: `C-Chain`, `Disk space`, the name of the chain by whose id the node calls it. Where nothing is
 * known, as the node calls it; an id by its head and tail.
 */
export function shortName(check: string, chains?: ChainNames): string {
  if (check === noAnswer) return subjectOf(check);
  const known = cleanText(chains?.get(check) ?? '', 40);
  if (known !== '') return known;
  if (/^[A-Z]$/.test(check)) return `${check}-Chain`;
  const words = checkWords[check.toLowerCase()];
  if (words !== undefined && Object.hasOwn(checkWords, check.toLowerCase())) return words;
  if (isId(check)) return `${check.slice(0, 8)}…${check.slice(-5)}`;
  return cleanText(check, 80) || '(no name)';
}

/** Of a chain; nobody reads it. */
const isId = (check: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{40,}$/.test(check);

/** The node's own name for a check, which stands beside the short one; null where it says nothing more. */
export function rawName(check: string, chains?: ChainNames): string | null {
  const raw = cleanText(check, 80);
  if (raw === '' || (isId(check) && chains?.has(check) !== true)) return null;
  return raw.toLowerCase() === shortName(check, chains).toLowerCase() ? null : raw;
}

/** Both names of a check: `C-Chain · C`. An id that nobody has named stands alone and whole. */
export function checkName(check: string, chains?: ChainNames): string {
  const raw = rawName(check, chains);
  if (raw !== null) return `${shortName(check, chains)} · ${raw}`;
  return isId(check) ? cleanText(check, 80) : shortName(check, chains);
}

/** A part of a text: an id that nodes send in their header `node-id`, or what stands between two of them. */
export interface TextPiece {
  text: string;
  isNodeId: boolean;
}

const nodeIdIn = /(NodeID-[1-9A-HJ-NP-Za-km-z]{20,60})/;

/** The text cut before and after each id of a node. */
export function piecesOf(text: string): TextPiece[] {
  return text
    .split(nodeIdIn)
    .map((piece, index) => ({ text: piece, isNodeId: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** The text with the names of nodes in the place of the ids that they send, or before these. */
export function withNodeNames(text: string, names: ReadonlyMap<string, string>, keepsIds = false): string {
  return piecesOf(text)
    .map(({ text: piece, isNodeId }) => {
      const name = isNodeId ? names.get(piece) : undefined;
      return name === undefined ? piece : keepsIds ? `${name} (${piece})` : name;
    })
    .join('');
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}
