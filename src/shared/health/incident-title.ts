import { cleanText, counted } from '../text.ts';
import { listed, shortName, withNodeNames, type ChainNames } from './names.ts';
import { noAnswer } from './no-answer.ts';
import type { Incident } from './types.ts';

/** Short forms of common errors; other errors are shown as they are. */
const shortErrors: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/block processing too long|processing.* too long/i, 'blocks are taking too long'],
  [/outstanding requests/i, 'requests to peers are taking too long'],
  [/connected to ([\d.]+)%; required at least ([\d.]+)%/i, 'connected to $1% of the stake; $2% required'],
  [/not connected to a minimum of \d+ peer.* only (\d+)/i, 'connected to too few peers ($1)'],
  [/no messages from network received/i, 'no messages from the network'],
  [/disk space percentage \((\d+)%\) is below .*\((\d+)%\)/i, '$1% of the disk is free; $2% required'],
  [/no validators in the current validator set/i, 'no known validators'],
  [/subnets not bootstrapped/i, 'subnets are still bootstrapping'],
];

function errorInShort(error: string): string {
  for (const [pattern, words] of shortErrors) {
    const found = pattern.exec(error);
    if (found !== null)
      return words.replace(/\$(\d)/g, (_, index: string) =>
        (found[Number(index)] ?? '').replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''),
      );
  }
  return cleanText(error, 80);
}

export interface TitleNames {
  /** Name of the node that has the incident. */
  node: string;
  chains?: ChainNames;
  /** Names of watched nodes, by the ids in their response headers. */
  nodes?: ReadonlyMap<string, string>;
}

/** One-line summary of an incident: `C-Chain on my-node: blocks take too long`. */
export function incidentTitle(
  incident: Pick<Incident, 'leadingCheck' | 'parts' | 'firstError' | 'endedAtMs' | 'gone'>,
  { node, chains, nodes = new Map() }: TitleNames,
): string {
  const { leadingCheck, parts, firstError, endedAtMs, gone } = incident;
  if (leadingCheck === noAnswer)
    return `${node} ${endedAtMs === null ? 'isn’t responding' : 'didn’t respond'}`;
  const others = new Set(parts.map(({ check }) => check));
  others.delete(leadingCheck);
  const more = others.size === 0 ? '' : ` and ${counted(others.size, 'more check')}`;
  const subject = `${shortName(leadingCheck, chains)}${more} on ${node}`;
  if (gone.length > 0) return `${subject}: ${listed(gone)} didn’t respond`;
  if (firstError === null)
    return `${subject} ${endedAtMs !== null ? 'failed' : others.size === 0 ? 'is failing' : 'are failing'}`;
  return `${subject}: ${errorInShort(withNodeNames(firstError, nodes))}`;
}
