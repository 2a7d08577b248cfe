import * as z from 'zod/mini';
import type { FacetToken } from '../../../../shared/activity/facets.ts';
import { idFor, integer, json, text, textSchema } from '../sqlite/row.ts';
import { SqlFailure, type SqlReader, type SqlWriter } from '../sqlite/sql.ts';

/** These are stored, and never change. */
const families = { party: 0, token: 1, method: 2 } as const;

export interface PartyFacet {
  /** Lower case. */
  address: string;
  name: string | null;
}

/** A token as rows describe it, without an amount. */
export type TokenFacet = Omit<FacetToken, 'amount'>;

const textOrNull = z.nullable(textSchema);
const partySchema = z.tuple([textSchema, textOrNull]);
const tokenSchema = z.tuple([textSchema, textOrNull, textOrNull, z.nullable(z.number())]);

/**
 * Parties, tokens and methods of rows: each distinct content is stored once and referred to by its id. Caches what was
 * read or added; call `forget` after a failed transaction, whose additions do not exist.
 */
export class FacetTexts {
  /** By content as JSON, which has another form in each family. */
  readonly #refs = new Map<string, number>();
  readonly parties = new Map<number, PartyFacet>();
  readonly tokens = new Map<number, TokenFacet>();
  readonly methods = new Map<number, string>();
  #readUpTo = 0;
  /** Gets the ids of those that are written. */
  inUse: Set<number> | null = null;

  party(writer: SqlWriter, { address, name }: PartyFacet): number {
    return this.#intern(writer, families.party, JSON.stringify([address, name]));
  }

  token(writer: SqlWriter, { token, symbol, name, decimals }: TokenFacet): number {
    return this.#intern(writer, families.token, JSON.stringify([token, symbol, name, decimals]));
  }

  method(writer: SqlWriter, method: string): number {
    return this.#intern(writer, families.method, JSON.stringify(method));
  }

  /** Reads everything that is not cached yet. */
  readAll(reader: SqlReader): void {
    const rows = reader.all('SELECT id, family, content_json FROM activity_facet WHERE id > ? ORDER BY id', [
      this.#readUpTo,
    ]);
    for (const row of rows) {
      this.#readUpTo = integer(row, 'id');
      this.#learn(this.#readUpTo, integer(row, 'family'), text(row, 'content_json'));
    }
  }

  partyOf(reader: SqlReader, ref: number): PartyFacet {
    return this.parties.get(ref) ?? this.#find(reader, ref, this.parties);
  }

  tokenOf(reader: SqlReader, ref: number): TokenFacet {
    return this.tokens.get(ref) ?? this.#find(reader, ref, this.tokens);
  }

  #find<Content>(reader: SqlReader, ref: number, contents: ReadonlyMap<number, Content>): Content {
    const row = reader.get('SELECT family, content_json FROM activity_facet WHERE id = ?', [ref]);
    if (row !== undefined) this.#learn(ref, integer(row, 'family'), text(row, 'content_json'));
    const content = contents.get(ref);
    if (content === undefined) throw new SqlFailure('corrupt', 'a row refers to a facet that is not stored');
    return content;
  }

  forget(): void {
    this.#refs.clear();
    this.parties.clear();
    this.tokens.clear();
    this.methods.clear();
    this.#readUpTo = 0;
  }

  #intern(writer: SqlWriter, family: number, contentJson: string): number {
    let ref = this.#refs.get(contentJson);
    if (ref === undefined) {
      ref = idFor(writer, 'activity_facet', { family, content_json: contentJson });
      this.#learn(ref, family, contentJson);
    }
    this.inUse?.add(ref);
    return ref;
  }

  #learn(ref: number, family: number, contentJson: string): void {
    const parsed = <T>(schema: z.ZodMiniType<T>): T =>
      json({ content_json: contentJson }, 'content_json', schema);
    if (family === families.party) {
      const [address, name] = parsed(partySchema);
      this.parties.set(ref, { address, name });
    } else if (family === families.token) {
      const [token, symbol, name, decimals] = parsed(tokenSchema);
      this.tokens.set(ref, { token, symbol, name, decimals });
    } else if (family === families.method) this.methods.set(ref, parsed(textSchema));
    else throw new SqlFailure('corrupt', 'a facet is of an unknown family');
    this.#refs.set(contentJson, ref);
  }
}
