import { firstLayout } from './0001-first-layout.ts';
import type { Migration } from './migration.ts';

/** All layouts of the store so far, oldest first. */
export const migrations: readonly Migration[] = [firstLayout];
