import { addressDocument, bookDocument } from '../documents.ts';
import { LookAlikes } from '../../../../shared/activity/look-alike.ts';
import { FacetTexts } from './facet-texts.ts';
import type { Names } from './filter-match.ts';
import { facetsOfToken, judgeAgain, partiesLike } from './judge-again.ts';
import { readSlice } from './row-index/index-rows.ts';
import type { IndexContext } from './row-index/index-context.ts';
import { RowIndex } from './row-index/row-index.ts';
import { choice, integer, json, textSchema, text } from '../sqlite/row.ts';
import type { Timers } from '../../../core/ports.ts';
import { SqlFailure, type SqlDatabase, type SqlReader, type SqlWriter } from '../sqlite/sql.ts';
import { decisions, type Decision } from './verdict.ts';

const rowsOfSlice = 4_000;
/** After so long without a filter the index, which takes some 120 bytes a row, is dropped; the next filter loads it. */
const unusedMs = 300_000;

/** Shared by the stores of addresses, names and rows: texts of facets, the user's input, the index of rows. */
export class ActivityState {
  readonly database: SqlDatabase;
  readonly #timers: Timers;
  #cancelDrop: () => void = () => undefined;
  texts = new FacetTexts();
  #context: IndexContext | null = null;
  #isStopped = false;
  #index: RowIndex | null = null;
  #loading: Promise<RowIndex> | null = null;
  /** While the index is being loaded: it has the rows with ids up to this one. */
  #loadedUpTo = 0;

  constructor(database: SqlDatabase, timers: Timers) {
    this.database = database;
    this.#timers = timers;
  }

  get context(): IndexContext {
    this.#context ??= readContext(this.database);
    return this.#context;
  }

  /** Runs a transaction on rows, which may be the first of their chain. The index is updated after the commit. */
  write<T>(work: (writer: SqlWriter, changed: (rowId: number) => void) => T): T {
    const ids = new Set<number>();
    let result: T;
    try {
      result = this.database.transaction((writer) => work(writer, (rowId) => ids.add(rowId)));
    } catch (cause) {
      this.texts.forget();
      this.#context = null;
      throw cause;
    }
    const chains = this.database.get('SELECT count(*) AS total FROM chain');
    if (integer(chains, 'total') !== this.context.chains.size) {
      this.#context = null;
      this.#index?.setContext(this.context);
    }
    this.#refresh([...ids]);
    return result;
  }

  /**
   * Runs a transaction on data that the user has entered: addresses, names, decisions. Judges rows again whose verdict
   * depends on the addresses or the token.
   */
  writeWords(
    work: (writer: SqlWriter) => void,
    about: { addresses?: readonly string[]; token?: string },
  ): void {
    const before = this.context;
    const { context, judged } = this.database.transaction((writer) => {
      work(writer);
      const after = readContext(writer);
      const { addresses = [] } = about;
      const parties = addresses.flatMap((address) => partiesLike(writer, address, before, after));
      const tokens = about.token === undefined ? [] : facetsOfToken(writer, about.token);
      return {
        context: after,
        judged: [
          ...judgeAgain(writer, 'side', parties, this.texts, after),
          ...judgeAgain(writer, 'token', tokens, this.texts, after),
        ],
      };
    });
    this.#context = context;
    this.#index?.setContext(context);
    for (let from = 0; from < judged.length; from += rowsOfSlice) {
      this.#refresh(judged.slice(from, from + rowsOfSlice));
    }
  }

  /** Drops what is kept in memory after rows were removed: SQLite may give their ids, and those of facets, to others. */
  rowsRemoved(): void {
    this.#index = null;
    this.texts = new FacetTexts();
  }

  get hasIndex(): boolean {
    return this.#index !== null && this.#loading === null;
  }

  /** The index of all rows; the first call loads it, and other calls are served in between. */
  async index(): Promise<RowIndex> {
    this.#cancelDrop();
    this.#cancelDrop = this.#timers.after(unusedMs, () => {
      if (!this.hasIndex) return;
      this.#index?.release();
      this.#index = null;
      // Not replaced: a deletion may be noting in it which are in use.
      this.texts.forget();
    });
    for (;;) {
      if (this.#index !== null && this.hasIndex) return this.#index;
      this.#loading ??= this.#load()
        .catch((cause: unknown) => {
          this.#index = null;
          throw cause;
        })
        .finally(() => {
          this.#loading = null;
        });
      const loaded = await this.#loading;
      if (loaded === this.#index) return loaded;
    }
  }

  async #load(): Promise<RowIndex> {
    for (;;) {
      const index = new RowIndex(this.database, this.texts, this.context);
      // From here on, `#refresh` keeps it up to date.
      this.#index = index;
      this.#loadedUpTo = 0;
      this.texts.readAll(this.database);
      // Until rows are removed.
      while (this.#index === index) {
        const slice = readSlice(this.database, this.#loadedUpTo, rowsOfSlice);
        if (slice === null) {
          this.#loadedUpTo = Infinity;
          // SQLite still holds the pages that were read, which nobody needs again soon.
          this.database.pragma('shrink_memory');
          return index;
        }
        index.put(slice.rows);
        this.#loadedUpTo = slice.lastId;
        await this.yieldTurn();
      }
    }
  }

  /** Aborts work that is done in slices, since the database is about to be closed. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelDrop();
  }

  /** Lets other calls run; rejects when the database is about to be closed. */
  async yieldTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#isStopped) throw new SqlFailure('unwritable', 'it is being closed');
  }

  /** Updates rows that are in the index; while it is being loaded, later rows are read by the load itself. */
  #refresh(ids: readonly number[]): void {
    if (this.#index === null) return;
    const upTo = this.#loadedUpTo;
    this.#index.refresh(ids.filter((id) => id <= upTo));
  }
}

export function readContext(database: SqlReader): IndexContext {
  const addresses = database
    .all('SELECT id, address_json FROM watched')
    .map((row) => ({ ref: integer(row, 'id'), ...json(row, 'address_json', addressDocument) }));
  const book = database.all('SELECT entry_json FROM book_entry').map((row): [string, string] => {
    const { address, name } = json(row, 'entry_json', bookDocument);
    return [address.toLowerCase(), name];
  });
  const names: Names = {
    watched: new Map(addresses.map(({ address, label, tags }) => [address.toLowerCase(), { label, tags }])),
    book: new Map(book),
  };
  const chains = database.all('SELECT id, chain_id FROM chain');
  const judged = database.all('SELECT token_json, decision FROM token_decision');
  return {
    names,
    watched: new Map(addresses.map(({ ref, address }) => [ref, address])),
    chains: new Map(chains.map((row) => [integer(row, 'id'), text(row, 'chain_id')])),
    lookAlikes: new LookAlikes([...names.watched.keys(), ...names.book.keys()]),
    tokenDecisions: new Map(
      judged.map((row): [string, Decision] => [
        json(row, 'token_json', textSchema),
        choice(row, 'decision', decisions),
      ]),
    ),
  };
}
