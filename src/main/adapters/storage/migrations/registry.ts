import { firstTables } from './0001-first-tables.ts';
import type { Migration } from './migration.ts';

/** All layouts of the store so far, oldest first. */
export const migrations: readonly Migration[] = [firstTables];
