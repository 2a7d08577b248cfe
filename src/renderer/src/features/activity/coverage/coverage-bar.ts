import type { BlockInterval, ChainSync, ListId } from '../../../../../shared/activity/types.ts';
import { formatPlural, groupDigits } from '../../../ui/text/format.ts';

export const listNames: Readonly<Record<ListId, string>> = {
  transactions: 'Transactions',
  erc20: 'ERC-20 transfers',
  erc1155: 'ERC-1155 transfers',
  internal: 'Internal transactions',
  native: 'Native transactions',
};

/** A range of blocks on a bar; `from` and `to` are fractions of its length. */
export interface BarPart {
  kind: 'covered' | 'hole' | 'older' | 'newer';
  from: number;
  to: number;
  interval: BlockInterval;
}

const scale = 1_000_000n;

/** The first block after all that is covered in any list: the right end of their bars. */
export function newestBlock(syncs: readonly ChainSync[]): bigint {
  return syncs
    .flatMap(({ covered }) => covered)
    .reduce((newest, { toBlock }) => {
      const to = BigInt(toBlock);
      return to > newest ? to : newest;
    }, 0n);
}

/**
 * The parts of the blocks below `newest`: those verified as complete, the holes between them, what is older than all of them, and
 * what is newer: a list ends at its newest element, which may be older than that of other lists. Empty without a covered block.
 */
export function barParts(covered: readonly BlockInterval[], newest: bigint): BarPart[] {
  if (newest <= 0n) return [];
  const part = (kind: BarPart['kind'], from: bigint, to: bigint): BarPart => ({
    kind,
    from: Number((from * scale) / newest) / Number(scale),
    to: Number((to * scale) / newest) / Number(scale),
    interval: { fromBlock: from.toString(), toBlock: to.toString() },
  });
  const parts: BarPart[] = [];
  let end = 0n;
  for (const { fromBlock, toBlock } of covered) {
    const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
    if (from > end) parts.push(part(end === 0n ? 'older' : 'hole', end, from));
    parts.push(part('covered', from, to));
    end = to;
  }
  if (parts.length > 0 && end < newest) parts.push(part('newer', end, newest));
  return parts;
}

/** `blocks 1,200 to 3,399` of a half-open interval. */
export function blocksText({ fromBlock, toBlock }: BlockInterval): string {
  const first = groupDigits(fromBlock);
  const last = lastBlockBefore(toBlock);
  return first === last ? `block ${first}` : `blocks ${first} to ${last}`;
}

export const lastBlockBefore = (block: string): string => groupDigits((BigInt(block) - 1n).toString());

/** The bar in a sentence, for screen readers. */
export function barWords(parts: readonly BarPart[]): string {
  if (parts.length === 0) return 'No blocks verified as complete yet.';
  const holes = parts.filter(({ kind }) => kind === 'hole');
  const older = parts.some(({ kind }) => kind === 'older') ? ' Older blocks aren’t verified yet.' : '';
  const gaps =
    holes.length === 0
      ? 'No gaps.'
      : `${formatPlural(holes.length, 'gap')}: ${holes
          .slice(0, 3)
          .map(({ interval }) => blocksText(interval))
          .join('; ')}${holes.length > 3 ? ', and more' : ''}.`;
  const last = parts.at(-1);
  const newer =
    last?.kind === 'newer' ? ` Verified up to block ${lastBlockBefore(last.interval.fromBlock)}.` : '';
  return `${gaps}${older}${newer}`;
}
