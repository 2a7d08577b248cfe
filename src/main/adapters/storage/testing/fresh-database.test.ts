import { expect, it } from 'vitest';
import type { DriverName } from '../driver.ts';
import { openDatabase } from '../database.ts';
import { loadDriver } from '../load-driver.ts';
import { migrate } from '../migrate.ts';
import type { SqlDatabase } from '../sql.ts';
import { openFresh } from './fresh-database.ts';

const drivers: DriverName[] = ['node:sqlite', 'libsql'];

it.each(drivers)('a fresh database of tests is what the migrations make of an empty one, with %s', (name) => {
  const migrated = openDatabase(loadDriver([name]), ':memory:', { access: 'read-write', busyTimeoutMs: 0 });
  migrate(migrated);
  expect(contentOf(openFresh(name))).toEqual(contentOf(migrated));
});

function contentOf(database: SqlDatabase): unknown {
  const layout = database
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
    .all();
  const tables = layout.filter(({ type }) => type === 'table').map(({ name }) => String(name));
  return {
    layout,
    marks: [database.pragma('user_version'), database.pragma('application_id')],
    rows: tables.map((table) => database.prepare(`SELECT * FROM "${table}"`).all()),
  };
}
