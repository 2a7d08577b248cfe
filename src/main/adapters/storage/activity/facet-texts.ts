import * as z from 'zod/mini';
import type { FacetToken } from '../../../../shared/activity/facets.ts';
import { idFor, integer, json, text } from '../sqlite/row.ts';
import { SqlFailure, type SqlReader, type SqlWriter } from '../sqlite/sql.ts';

/** Positions are stored: only append. */
export const facetFamilies = ['party', 'token', 'method'] as const;
export type FacetFamily = (typeof facetFamilies)[number];

export interface PartyFacet {
  /** Lower case. */
  address: string;
  name: string | null;
}

/** A token as rows describe it, without an amount. */
export type TokenFacet = Omit<FacetToken, 'amount'>;

const partySchema = z.tuple([z.string(), z.nullable(z.string())]);
const tokenSchema = z.tuple([
  z.string(),
  z.nullable(z.string()),
  z.nullable(z.string()),
  z.nullable(z.number()),
]);
const methodSchema = z.string();

/**
 * Parties, tokens and methods of rows: each distinct content is stored once and referred to by its id. Caches what was
 * read or added; call `forget` after a failed transaction, whose additions do not exist.
 */
export class FacetTexts {
  readonly #refs: Record<FacetFamily, Map<string, number>> = {
    party: new Map(),
    token: new Map(),
    method: new Map(),
  };
  readonly parties = new Map<number, PartyFacet>();
  readonly tokens = new Map<number, TokenFacet>();
  readonly methods = new Map<number, string>();
  #readUpTo = 0;
  /** Gets the ids of those that are written. */
  inUse: Set<number> | null = null;

  party(writer: SqlWriter, { address, name }: PartyFacet): number {
    return this.#intern(writer, 'party', JSON.stringify([address, name]));
  }

  token(writer: SqlWriter, { token, symbol, name, decimals }: TokenFacet): number {
    return this.#intern(writer, 'token', JSON.stringify([token, symbol, name, decimals]));
  }

  method(writer: SqlWriter, method: string): number {
    return this.#intern(writer, 'method', JSON.stringify(method));
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
    for (const refs of Object.values(this.#refs)) refs.clear();
    this.parties.clear();
    this.tokens.clear();
    this.methods.clear();
    this.#readUpTo = 0;
  }

  #intern(writer: SqlWriter, family: FacetFamily, contentJson: string): number {
    const ref = this.#refs[family].get(contentJson) ?? this.#store(writer, family, contentJson);
    this.inUse?.add(ref);
    return ref;
  }

  #store(writer: SqlWriter, family: FacetFamily, contentJson: string): number {
    const place = facetFamilies.indexOf(family);
    const ref = idFor(writer, 'activity_facet', { family: place, content_json: contentJson });
    this.#learn(ref, place, contentJson);
    return ref;
  }

  #learn(ref: number, place: number, contentJson: string): void {
    const family = facetFamilies[place];
    if (family === undefined) throw new SqlFailure('corrupt', 'a facet is of an unknown family');
    const content = { content_json: contentJson };
    if (family === 'party') {
      const [address, name] = json(content, 'content_json', (value) => z.parse(partySchema, value));
      this.parties.set(ref, { address, name });
    } else if (family === 'token') {
      const [token, symbol, name, decimals] = json(content, 'content_json', (value) =>
        z.parse(tokenSchema, value),
      );
      this.tokens.set(ref, { token, symbol, name, decimals });
    } else {
      this.methods.set(
        ref,
        json(content, 'content_json', (value) => z.parse(methodSchema, value)),
      );
    }
    this.#refs[family].set(contentJson, ref);
  }
}
