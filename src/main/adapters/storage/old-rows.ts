import { knownHash } from '../../../shared/activity/block-hash.ts';
import { facetsOf, type RowFacets } from '../../../shared/activity/facets.ts';
import type { NativeToken } from '../../../shared/activity/legs.ts';
import { readDetail, readElement, readStoredChains } from '../../../shared/activity/stored.ts';
import type { FacetTexts } from './facet-texts.ts';
import { storedCompletenesses } from './row-places.ts';
import { choice, integer, text, textOrNull } from './row.ts';
import type { SqlDatabase, SqlReader, SqlRow, SqlWriter } from './sql.ts';
import { facetColumns, facetParams } from './stored-rows.ts';
import { decisions, type Judgement } from './verdict.ts';

const rowsOfSlice = 200;

/**
 * Rows whose facets an older version of the app found out, by other rules: they are found out again from the row's JSON.
 * Each row that is looked at is brought up to date first; the others follow in slices.
 */
export class OldRows {
  readonly #database: SqlDatabase;
  readonly #texts: FacetTexts;
  readonly #judgement: () => Judgement;
  readonly #breathe: () => Promise<void>;
  readonly #natives = new Map<string, NativeToken | undefined>();
  #remain: boolean;
  #finishing: Promise<void> | null = null;

  /** `breathe` gives other calls their turn between slices; it rejects when the store is closed. */
  constructor(
    database: SqlDatabase,
    texts: FacetTexts,
    judgement: () => Judgement,
    breathe: () => Promise<void>,
  ) {
    this.#database = database;
    this.#breathe = breathe;
    this.#texts = texts;
    this.#judgement = judgement;
    this.#remain =
      database.prepare(`SELECT 1 AS found FROM activity_row WHERE kind IS NULL LIMIT 1`).get() !== undefined;
  }

  /** Brings these rows up to date; returns whether any was not. */
  update(rowIds: readonly number[]): boolean {
    if (!this.#remain || rowIds.length === 0) return false;
    const old = this.#database
      .prepare(`${selectOld} AND activity_row.id IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(rowIds));
    if (old.length > 0) this.#refresh(old);
    return old.length > 0;
  }

  /** As `update`, inside a transaction that is under way. */
  updateWithin(writer: SqlWriter, rowId: number): void {
    if (!this.#remain) return;
    const old = writer.prepare(`${selectOld} AND activity_row.id = ?`).get(rowId);
    if (old !== undefined) this.#refreshOne(writer, old);
  }

  /** Resolves when all rows are up to date; other calls are served in between. */
  finish(): Promise<void> {
    if (!this.#remain) return Promise.resolve();
    this.#finishing ??= this.#finish().finally(() => {
      this.#finishing = null;
    });
    return this.#finishing;
  }

  async #finish(): Promise<void> {
    for (;;) {
      const old = this.#database
        .prepare(`${selectOld} ORDER BY activity_row.id DESC LIMIT ?`)
        .all(rowsOfSlice);
      if (old.length === 0) break;
      this.#refresh(old);
      await this.#breathe();
    }
    this.#remain = false;
  }

  #refresh(old: readonly SqlRow[]): void {
    try {
      this.#database.transaction((writer) => {
        for (const row of old) this.#refreshOne(writer, row);
      });
    } catch (cause) {
      this.#texts.forget();
      throw cause;
    }
  }

  #refreshOne(writer: SqlWriter, row: SqlRow): void {
    const content = this.#readContent(writer, row);
    const decision = row['decision'] === null ? null : choice(row, 'decision', decisions);
    writer
      .prepare(
        `UPDATE activity_row SET block_hash = ?, ${facetColumns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
      )
      .run(
        knownHash(content.blockHash) ?? textOrNull(row, 'block_hash'),
        ...facetParams(writer, content.facets, decision, this.#texts, this.#judgement()),
        integer(row, 'row_id'),
      );
  }

  /** A row that can no longer be read keeps its place, with nothing known of it. */
  #readContent(reader: SqlReader, row: SqlRow): { facets: RowFacets; blockHash: string | null } {
    const address = text(row, 'address');
    const chainId = text(row, 'chain_id');
    const native = this.#nativeOf(reader, address, chainId);
    const stored = text(row, 'transaction_json');
    const owner = { address, chainId, fetchedAtMs: integer(row, 'fetched_at_ms') };
    const completeness = choice(row, 'is_complete', storedCompletenesses);
    const read = completeness === 'complete' ? readDetail(stored) : readElement(stored);
    if (read === null) return unreadable;
    const { data: transaction, unread } = read;
    return {
      facets: facetsOf({ ...owner, completeness, transaction }, unread.length > 0, native),
      blockHash: transaction.nativeTransaction.blockHash ?? null,
    };
  }

  #nativeOf(reader: SqlReader, address: string, chainId: string): NativeToken | undefined {
    const key = `${chainId} ${address}`;
    if (this.#natives.has(key)) return this.#natives.get(key);
    const row = reader
      .prepare(
        `SELECT indexed_json FROM watch_chains JOIN watch_address ON watch_address.id = address_ref WHERE address = ?`,
      )
      .get(address);
    const chains = row === undefined ? null : readStoredChains(text(row, 'indexed_json'));
    const token = chains?.find((chain) => chain.chainId === chainId)?.networkToken;
    const native =
      token === undefined ? undefined : { symbol: token.symbol ?? null, decimals: token.decimals ?? null };
    this.#natives.set(key, native);
    return native;
  }
}

const selectOld =
  `SELECT activity_row.id AS row_id, address, chain_id, is_complete, block_hash, decision, fetched_at_ms,
     transaction_json
   FROM activity_row
     CROSS JOIN watch_address ON watch_address.id = activity_row.address_ref
     CROSS JOIN chain ON chain.id = activity_row.chain_ref
     CROSS JOIN activity_body ON activity_body.row_ref = activity_row.id
   WHERE kind IS NULL` as const;

const unreadable: { facets: RowFacets; blockHash: string | null } = {
  facets: {
    kind: 'contract-call',
    direction: 'none',
    status: 'unknown',
    counterparty: null,
    counterpartyName: null,
    method: null,
    tokens: [],
    rules: [],
    isOwnDoing: true,
    hasUnreadParts: true,
    awaitsPrice: false,
    valueThen: null,
    valueCurrency: null,
    messageId: null,
  },
  blockHash: null,
};
