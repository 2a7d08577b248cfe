import { openDatabase } from '../src/main/adapters/storage/sqlite/database.ts';
import { loadDriver } from '../src/main/adapters/storage/sqlite/load-driver.ts';
import type { SqlDatabase, SqlParam } from '../src/main/adapters/storage/sqlite/sql.ts';
import type { StoredRow } from '../src/main/core/activity-ports.ts';
import { directionValues, kindValues, type FilterPill } from '../src/shared/activity/filter.ts';
import {
  addresses,
  below,
  chains,
  methods,
  newestMs,
  parties,
  pick,
  random,
  statuses,
  tagsOf,
  tokens,
} from './bench-activity-rows.ts';

/** The same rows in a hand-made schema: one table with an index for each column, and tables for tokens and JSON. */

const schema = `
CREATE TABLE tx (
  id INTEGER PRIMARY KEY, address TEXT, chain TEXT, kind TEXT, direction TEXT, counterparty TEXT, method TEXT, status TEXT,
  completeness TEXT, hidden TEXT, value REAL, timestamp_ms INTEGER, block_number INTEGER, block_index INTEGER, tx_hash TEXT
);
CREATE TABLE body (tx INTEGER PRIMARY KEY, transaction_json TEXT);
CREATE TABLE tag (address TEXT, tag TEXT);
CREATE TABLE moved (tx INTEGER, token TEXT, amount REAL);`;

const order = 'timestamp_ms DESC, block_number DESC, block_index DESC, tx_hash DESC';

const indexes = `
${[
  'address',
  'chain',
  'kind',
  'direction',
  'counterparty',
  'method',
  'status',
  'completeness',
  'hidden',
  'value',
]
  .map((column) => `CREATE INDEX tx_${column} ON tx (${column}, timestamp_ms);`)
  .join('\n')}
CREATE INDEX tx_time ON tx (${order});
CREATE INDEX tx_block ON tx (block_number);
CREATE INDEX moved_tx ON moved (tx, token, amount);
CREATE INDEX moved_token ON moved (token, amount);
ANALYZE;`;

export class PlainTable {
  readonly #database: SqlDatabase;

  constructor(path: string) {
    this.#database = openDatabase(loadDriver(['node:sqlite', 'libsql']), path, {
      access: 'read-write',
      busyTimeoutMs: 1_000,
    });
    this.#database.pragma('journal_mode = WAL');
    this.#database.pragma('synchronous = OFF');
    this.#database.transaction((writer) => {
      writer.exec(schema);
      for (const address of addresses) {
        for (const one of tagsOf(address)) writer.run('INSERT INTO tag VALUES (?, ?)', [address, one]);
      }
    });
  }

  add(rows: readonly StoredRow[]): void {
    this.#database.transaction((writer) => {
      const insertTx = `INSERT INTO tx VALUES (NULL${', ?'.repeat(14)})`;
      for (const { facets, ...row } of rows) {
        const id = writer.insert(insertTx, [
          row.address,
          row.chainId,
          facets.kind,
          facets.direction,
          facets.counterparty,
          facets.method,
          facets.status,
          row.completeness,
          facets.rules[0] ?? null,
          facets.valueThen === null ? null : Number(facets.valueThen),
          row.timestampMs,
          row.blockNumber,
          row.blockIndex,
          row.txHash,
        ]);
        writer.run('INSERT INTO body VALUES (?, ?)', [id, row.transactionJson]);
        for (const { token, amount, decimals } of facets.tokens) {
          const units = amount === null ? null : Number(amount) / 10 ** (decimals ?? 0);
          writer.run('INSERT INTO moved VALUES (?, ?, ?)', [id, token, units]);
        }
      }
    });
  }

  index(): void {
    this.#database.transaction((writer) => writer.exec(indexes));
  }

  /** How many rows meet all conditions, and how many of the first ones were read with their transactions. */
  find(conditions: readonly Condition[], limit: number): { rows: number; total: number } {
    const where = conditions.map(({ sql }) => sql).join(' AND ');
    const params = conditions.flatMap((condition) => condition.params);
    const rows = this.#database.all(
      `SELECT * FROM tx JOIN body ON body.tx = tx.id WHERE ${where} ORDER BY ${order} LIMIT ${limit}`,
      params,
    );
    const count = this.#database.get(`SELECT count(*) AS total FROM tx WHERE ${where}`, params);
    return { rows: rows.length, total: Number(count?.['total']) };
  }

  close(): void {
    this.#database.close();
  }
}

/** A pill in SQL over that table. */
export interface Condition {
  sql: string;
  params: SqlParam[];
}

const some = <T>(values: readonly T[], most: number): T[] =>
  Array.from({ length: 1 + below(most) }, () => pick(values));

type Choice = Extract<FilterPill, { values: string[] }>['field'];

function valuesOf(field: Choice): string[] {
  switch (field) {
    case 'address':
      return some(addresses, 2);
    case 'tag':
      return some(['own', 'old', 'none'], 2);
    case 'chain':
      return some(chains, 3);
    case 'kind':
      return some(kindValues, 3);
    case 'direction':
      return some(directionValues, 3);
    case 'token':
      return some(tokens, 3).flatMap(({ key }) => chains.map((chainId) => `${chainId} ${key}`));
    case 'counterparty':
      return some(parties.slice(0, 200), 5);
    case 'method':
      return some(methods, 20);
    case 'status':
      return some(statuses, 2);
    case 'completeness':
      return some(['partial', 'complete'], 1);
    case 'hidden':
      return some(['zero-value', 'fan-out'], 2);
  }
}

const choices = ['address', 'tag', 'chain', 'kind', 'direction', 'token', 'counterparty', 'method'] as const;
const furtherChoices = ['status', 'completeness', 'hidden'] as const;
const ranges = ['amount', 'value', 'block', 'time'] as const;
const fields = [...choices, ...furtherChoices, ...ranges];

/** A pill of any of the fifteen fields, among `rowCount` rows. */
export function randomPill(rowCount: number): { pill: FilterPill; condition: Condition } {
  const field = pick(fields);
  const not = random() < 0.25;
  const turned = (sql: string, params: SqlParam[]): Condition => ({
    sql: not ? `NOT coalesce(${sql}, 0)` : sql,
    params,
  });
  if (field === 'amount' || field === 'value' || field === 'block' || field === 'time') {
    const [min, max] = rangeOf(field, rowCount);
    const [from, to] = [Number(min), max === null ? Number.MAX_SAFE_INTEGER : Number(max)];
    const within = {
      amount: 'EXISTS (SELECT 1 FROM moved WHERE moved.tx = tx.id AND amount BETWEEN ? AND ?)',
      value: 'value BETWEEN ? AND ?',
      block: 'block_number BETWEEN ? AND ?',
      time: 'timestamp_ms BETWEEN ? AND ?',
    }[field];
    return { pill: { field, not, min, max }, condition: turned(within, [from, to]) };
  }
  const values = valuesOf(field);
  const list = `(${values.map(() => '?').join(', ')})`;
  const among = {
    tag: `address IN (SELECT address FROM tag WHERE tag IN ${list})`,
    token: `id IN (SELECT moved.tx FROM moved WHERE token IN ${list})`,
  };
  const sql = field === 'tag' || field === 'token' ? among[field] : `${field} IN ${list}`;
  return { pill: { field, not, values }, condition: turned(sql, values) };
}

function rangeOf(field: (typeof ranges)[number], rowCount: number): [string, string | null] {
  if (field === 'amount') return [String(below(1_000)), null];
  if (field === 'value') return [String(below(9_000)), String(10_000)];
  if (field === 'time') return [String(newestMs - below(rowCount) * 13_000), null];
  const from = 200_000_000 - below(rowCount);
  return [String(from), String(from + 300_000)];
}

/** The condition that leaves out hidden rows, as by default. */
export const shown: Condition = { sql: 'hidden IS NULL', params: [] };
