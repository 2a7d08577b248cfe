import type { StorePorts } from '../store-ports.ts';
import { createMemoryStores } from './memory-stores.ts';

/** Fresh stores with each driver, since both must fulfil the same contracts. */
export const backends: readonly { name: 'node:sqlite' | 'libsql'; open: () => StorePorts }[] = [
  { name: 'node:sqlite', open: () => createMemoryStores(['node:sqlite']) },
  { name: 'libsql', open: () => createMemoryStores(['libsql']) },
];
