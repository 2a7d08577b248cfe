import { addressDocument, bookDocument } from '../documents.ts';
import { LookAlikes } from '../../../../shared/activity/look-alike.ts';
import { FacetTexts } from './facet-texts.ts';
import type { Names } from './filter-match.ts';
import { facetsOfToken, judgeAgain, partiesLike } from './judge-again.ts';
import { readSlice } from './row-index/index-rows.ts';
import type { IndexContext } from './row-index/index-context.ts';
import { RowIndex } from './row-index/row-index.ts';
import { choice, integer, json, parseText, text } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase, type SqlReader, type SqlWriter } from '../sqlite/sql.ts';
import { decisions, type Decision, type Judgement } from './verdict.ts';

const rowsOfSlice = 4_000;

/** What the stores of addresses, names and rows share: texts of facets, the user's words, and the index of rows. */
export class ActivityState {
  readonly database: SqlDatabase;
  readonly texts = new FacetTexts();
  #context: IndexContext | null = null;
  #isStopped = false;
  #index: RowIndex | null = null;
  #loading: Promise<RowIndex> | null = null;
  /** Of the index that is being loaded: rows up to this one are in it. */
  #loadedUpTo = 0;
  /** Goes up when rows were removed: an index from before is of no use. */
  #generation = 0;

  constructor(database: SqlDatabase) {
    this.database = database;
  }

  get judgement(): Judgement {
    return this.context;
  }

  get context(): IndexContext {
    this.#context ??= readContext(this.database);
    return this.#context;
  }

  /** A transaction on rows. What it wrote reaches the index when it is on disk. */
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
    this.#refresh([...ids]);
    return result;
  }

  /**
   * A transaction on what the user has said: addresses, names, decisions. Rows whose verdict depends on one of these
   * addresses or tokens are judged again in it.
   */
  writeWords(work: (writer: SqlWriter) => void, about: { address?: string; token?: string }): void {
    const before = this.context;
    const { context, judged } = this.database.transaction((writer) => {
      work(writer);
      const after = readContext(writer);
      const parties = about.address === undefined ? [] : partiesLike(writer, about.address, before, after);
      const tokens = about.token === undefined ? [] : facetsOfToken(writer, about.token);
      return {
        context: after,
        judged: [
          ...judgeAgain(writer, 'counterparty', parties, this.texts, after),
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

  /** The context was read before a chain came that is now stored. */
  chainAdded(chainRef: number): void {
    if (this.context.chains.has(chainRef)) return;
    this.#context = null;
    this.#index?.setContext(this.context);
  }

  /** Rows were removed on disk: their numbers may come again as those of others. */
  rowsRemoved(): void {
    this.#generation += 1;
    this.#index = null;
  }

  get hasIndex(): boolean {
    return this.#index !== null && this.#loading === null;
  }

  /** The index of all rows, which the first call loads; other calls are served meanwhile. */
  async index(): Promise<RowIndex> {
    for (;;) {
      if (this.#index !== null && this.hasIndex) return this.#index;
      this.#loading ??= this.#load().finally(() => {
        this.#loading = null;
      });
      const loaded = await this.#loading;
      if (loaded === this.#index) return loaded;
    }
  }

  async #load(): Promise<RowIndex> {
    try {
      return await this.#loadRows();
    } catch (cause) {
      this.#index = null;
      throw cause;
    }
  }

  async #loadRows(): Promise<RowIndex> {
    for (;;) {
      const generation = this.#generation;
      const index = new RowIndex(this.database, this.texts, this.context);
      // From now on it is told what changes.
      this.#index = index;
      this.#loadedUpTo = 0;
      this.texts.readAll(this.database);
      while (generation === this.#generation) {
        const slice = readSlice(this.database, this.#loadedUpTo, rowsOfSlice);
        if (slice === null) {
          this.#loadedUpTo = Infinity;
          return index;
        }
        index.put(slice.rows);
        this.#loadedUpTo = slice.lastId;
        await this.yieldTurn();
      }
    }
  }

  /** What is done in slices ends with the next one: the database is about to be closed. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Gives other calls their turn; rejects when the database is about to be closed. */
  async yieldTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#isStopped) throw new SqlFailure('unwritable', 'it is being closed');
  }

  /** Rows that the load has still to come to are not among those that it would miss. */
  #refresh(ids: readonly number[]): void {
    if (this.#index === null) return;
    const upTo = this.#loadedUpTo;
    this.#index.refresh(ids.filter((id) => id <= upTo));
    // Rows that came after the load are beyond its last one, which is then the end.
  }
}

function readContext(database: SqlReader): IndexContext {
  const addresses = database
    .prepare('SELECT id, address_json FROM watched')
    .all()
    .map((row) => ({ ref: integer(row, 'id'), ...json(row, 'address_json', addressDocument) }));
  const book = database
    .prepare('SELECT entry_json FROM book_entry')
    .all()
    .map((row): [string, string] => {
      const { address, name } = json(row, 'entry_json', bookDocument);
      return [address.toLowerCase(), name];
    });
  const names: Names = {
    watched: new Map(addresses.map(({ address, label, tags }) => [address.toLowerCase(), { label, tags }])),
    book: new Map(book),
  };
  const chains = database.prepare('SELECT id, chain_id FROM chain').all();
  const judged = database.prepare('SELECT token_json, decision FROM token_decision').all();
  return {
    names,
    watched: new Map(addresses.map(({ ref, address }) => [ref, address])),
    chains: new Map(chains.map((row) => [integer(row, 'id'), text(row, 'chain_id')])),
    lookAlikes: new LookAlikes([...names.watched.keys(), ...names.book.keys()]),
    tokenDecisions: new Map(
      judged.map((row): [string, Decision] => [
        json(row, 'token_json', parseText),
        choice(row, 'decision', decisions),
      ]),
    ),
  };
}
