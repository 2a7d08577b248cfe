import { largestInteger } from '../integers.ts';
import type { BlockInterval, BlockProof } from './types.ts';

/** A half-open range of blocks `[from, to)`. */
export interface Blocks {
  from: bigint;
  to: bigint;
}

/** Larger than any block that can be stored. */
export const largestBlock = largestInteger;

export function readIntervals(intervals: readonly BlockInterval[]): Blocks[] {
  return intervals.map(({ fromBlock, toBlock }) => ({ from: BigInt(fromBlock), to: BigInt(toBlock) }));
}

export function writeIntervals(blocks: readonly Blocks[]): BlockInterval[] {
  return blocks.map(({ from, to }) => ({ fromBlock: from.toString(), toBlock: to.toString() }));
}

/** The union: ascending, disjoint, not touching, without empty ranges. */
export function mergeBlocks(ranges: readonly Blocks[]): Blocks[] {
  const sorted = ranges.filter(({ from, to }) => from < to).sort((a, b) => Number(a.from - b.from));
  const merged: Blocks[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to) merged.push({ ...range });
    else if (range.to > last.to) last.to = range.to;
  }
  return merged;
}

/** The parts of `ranges` outside of `removed`. */
export function subtractBlocks(ranges: readonly Blocks[], removed: Blocks): Blocks[] {
  return mergeBlocks(
    ranges.flatMap(({ from, to }) => [
      { from, to: min(to, removed.from) },
      { from: max(from, removed.to), to },
    ]),
  );
}

/** The intersection. */
export function intersectBlocks(a: readonly Blocks[], b: readonly Blocks[]): Blocks[] {
  return mergeBlocks(
    a.flatMap((one) => b.map((other) => ({ from: max(one.from, other.from), to: min(one.to, other.to) }))),
  );
}

/** Uncovered ranges below the newest covered block, newest first. `covered` must be merged. */
export function holes(covered: readonly Blocks[]): Blocks[] {
  const found: Blocks[] = [];
  let to = covered.at(-1)?.from ?? 0n;
  for (const range of covered.slice(0, -1).reverse()) {
    found.push({ from: range.to, to });
    to = range.from;
  }
  if (to > 0n) found.push({ from: 0n, to });
  return found;
}

/** So many blocks below a changed one lose their proof with it, until they are found unchanged or fetched again. */
const doubtBlocks = 1_000n;

export const doubtfulFrom = (changed: bigint): bigint => max(0n, changed - doubtBlocks);

/**
 * The proofs that still hold, since coverage may have been withdrawn. If several runs have proven a block, the newest
 * counts. In order of blocks.
 */
export function proofsOf(covered: readonly BlockInterval[], proofs: readonly BlockProof[]): BlockProof[] {
  const newestFirst = [...proofs].sort((a, b) => b.provenAtMs - a.provenAtMs);
  const held: { blocks: Blocks; proof: BlockProof }[] = [];
  let open = readIntervals(covered);
  for (const proof of newestFirst) {
    const claimed = readIntervals([proof]);
    for (const blocks of intersectBlocks(open, claimed)) held.push({ blocks, proof });
    open = claimed.reduce(subtractBlocks, open);
  }
  return held
    .sort((a, b) => Number(a.blocks.from - b.blocks.from))
    .flatMap(({ blocks, proof }) =>
      writeIntervals([blocks]).map((interval) => ({
        ...interval,
        runId: proof.runId,
        provenAtMs: proof.provenAtMs,
      })),
    );
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
