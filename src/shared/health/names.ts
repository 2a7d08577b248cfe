import { idPattern, isId, nodeIdPattern } from '../base58.ts';
import { cleanText } from '../text.ts';
import { noAnswer, subjectOf } from './no-answer.ts';

// Display names of checks and nodes. Stores, exports and keys use the raw names.

/** Names of chains by blockchain id, where known. */
export type ChainNames = ReadonlyMap<string, string>;

/** Display names of the checks of current nodes; other checks keep the node's name. */
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
 * Display name of a check: `C-Chain`, `Disk space`, or the name of the chain whose id it has. Otherwise the node's own
 * name; an id is shortened to its beginning and end.
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

/** The node's own name of a check, shown next to the display name; null when it adds nothing. */
export function rawName(check: string, chains?: ChainNames): string | null {
  const raw = cleanText(check, 80);
  if (raw === '' || (isId(check) && chains?.has(check) !== true)) return null;
  return raw.toLowerCase() === shortName(check, chains).toLowerCase() ? null : raw;
}

/** Both names of a check: `C-Chain · C`. The id of an unknown chain is shown alone and in full. */
export function checkName(check: string, chains?: ChainNames): string {
  const raw = rawName(check, chains);
  if (raw !== null) return `${shortName(check, chains)} · ${raw}`;
  return isId(check) ? cleanText(check, 80) : shortName(check, chains);
}

const blockchainIdIn = new RegExp(String.raw`(?<!\w)(?:${idPattern}|\w{8}…\w{5})(?!\w)`, 'g');

/** Puts the names of chains before their blockchain ids in a text, also where these are shortened as in reasons. */
export function withChainNames(text: string, chains: ChainNames): string {
  return text.replace(blockchainIdIn, (written) => {
    const id = [...chains.keys()].find((known) => written === known || written === shortName(known));
    const name = id === undefined ? written : shortName(id, chains);
    return name === written || name === shortName(id ?? '') ? written : `${name} · ${written}`;
  });
}

/** A part of a text: either a node id (as in the header `node-id`), or the text between two of them. */
export interface TextPiece {
  text: string;
  isNodeId: boolean;
}

const nodeIdIn = new RegExp(`(${nodeIdPattern})`);

/** Splits a text before and after each node id. */
export function piecesOf(text: string): TextPiece[] {
  return text
    .split(nodeIdIn)
    .map((piece, index) => ({ text: piece, isNodeId: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** Replaces node ids in a text by the nodes' names; with `keepsIds`, puts the names before them. */
export function withNodeNames(text: string, names: ReadonlyMap<string, string>, keepsIds = false): string {
  return piecesOf(text)
    .map(({ text: piece, isNodeId }) => {
      const name = isNodeId ? names.get(piece) : undefined;
      return name === undefined ? piece : keepsIds ? `${name} (${piece})` : name;
    })
    .join('');
}

/** Names of checks for a sentence: the first three, cleaned for display, and how many more there are. */
export const nameList = (names: readonly string[]): string => listed(names.map((name) => shortName(name)));

/** `a`, `a and b`, `a, b and 3 more`. */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}
