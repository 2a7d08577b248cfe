import { createMemoryStores, portsInProcess } from '../memory.ts';
import type { StorePorts } from '../store-ports.ts';
import { createSqlStores } from '../stores.ts';
import { openFresh } from './fresh-database.ts';

/** Fresh stores of each kind: all of them keep the same contracts. */
export const backends: readonly { name: string; open: () => StorePorts }[] = [
  { name: 'node:sqlite', open: () => openSql('node:sqlite') },
  { name: 'libsql', open: () => openSql('libsql') },
  { name: 'memory', open: createMemoryStores },
];

function openSql(name: 'node:sqlite' | 'libsql'): StorePorts {
  return portsInProcess(createSqlStores(openFresh(name)));
}
