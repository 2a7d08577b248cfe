import type { MadeTransaction } from './paging-service.ts';

/** `count` transactions, `perBlock` in each block, ending below `endBlock`. */
export function history(count: number, perBlock = 1, endBlock = 1_000): MadeTransaction[] {
  return Array.from({ length: count }, (_nothing, i) => ({
    block: endBlock - 1 - Math.floor(i / perBlock),
    index: perBlock - 1 - (i % perBlock),
  }));
}
