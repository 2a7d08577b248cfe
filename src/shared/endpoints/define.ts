import type * as z from 'zod/mini';

/** Determines how a parameter is validated, entered in a form and linked from a result. */
export type ParamKind =
  | 'address'
  | 'chain'
  | 'tx-hash'
  | 'block'
  | 'node-id'
  | 'subnet-id'
  | 'blockchain-id'
  | 'integer'
  | 'timestamp'
  | 'page-token'
  | 'choice';

/** Compute units per call (service-and-node.md §4); wrong values only cost some speed, or cause a 429. */
export const costUnits = { data: 20, metrics: 100 } as const;

export interface ParamSpec {
  readonly in: 'path' | 'query';
  readonly kind: ParamKind;
  readonly required: boolean;
  /** Help text in the form, one sentence. */
  readonly description: string;
  /** Inclusive bounds of `integer` and `timestamp` (seconds since 1970). */
  readonly min?: number;
  readonly max?: number;
  /** What the service assumes if the parameter is left out; only sent if the user enters it. */
  readonly default?: string;
  /** Allowed values of a `choice`, or values that a `chain` accepts in addition to ids. */
  readonly values?: readonly string[];
}

/** A field of a form: a parameter of an endpoint, or of a call to a node. */
export type FieldSpec = Omit<ParamSpec, 'kind'> & { readonly kind: ParamKind | 'watched-node' | 'tags' };

/** For a list: which field contains it. Further pages are requested with the parameter `pageToken`. */
export interface PagingSpec {
  readonly itemsKey: string;
  /**
   * The answer has a token but the endpoint does not accept one, so no further page can be requested; a non-empty token
   * then means that the list is incomplete.
   */
  readonly isSinglePage?: true;
}

/** Checks a combination of parameters; returns why the service would refuse it, for a form, or null. */
export type ParamRule = (params: Readonly<Record<string, string>>) => string | null;

/**
 * One row of the specification's endpoint tables, as data. Types, validation, URL, cache key, decoding, form and
 * default view are all derived from it.
 */
export interface EndpointDefinition<
  Id extends string = string,
  Params extends Readonly<Record<string, ParamSpec>> = Readonly<Record<string, ParamSpec>>,
  Response = unknown,
> {
  /** Kebab-case, unique and never changed, since stored cache keys contain it. */
  readonly id: Id;
  /** Its number in the specification. */
  readonly number: number;
  readonly title: string;
  /** The interface, which determines the base URL. */
  readonly api: 'data' | 'metrics';
  /** Path template below the base URL; `{name}` is a path parameter. */
  readonly path: string;
  readonly params: Params;
  readonly rules?: readonly ParamRule[];
  /**
   * Dotted paths of fields that the service never has for these parameters: shown as "not offered", while other absent
   * fields are shown as "no data".
   */
  readonly notOffered?: (params: Readonly<Record<string, string>>) => readonly string[];
  readonly response: z.ZodMiniType<Response>;
  readonly paging: PagingSpec | null;
  /**
   * For an answer that is not a list but has some: their names. Like a list's own, they mean something when they are
   * absent (`envelopeOf`).
   */
  readonly lists?: readonly string[];
  /** How long an answer is fresh, in milliseconds. */
  readonly freshForMs: number;
  /** The default view of a result. */
  readonly view: 'table' | 'record' | 'series';
}

/** Type-checks a definition and keeps its literal types. */
export function defineEndpoint<
  const Id extends string,
  const Params extends Readonly<Record<string, ParamSpec>>,
  Response,
>(definition: EndpointDefinition<Id, Params, Response>): EndpointDefinition<Id, Params, Response> {
  return definition;
}

/**
 * The fields of an answer whose absence means something: the end of the list, nothing there. They are never left out
 * like other odd parts; where one of them is odd, the answer says nothing.
 */
export function envelopeOf({ paging, lists = [] }: EndpointDefinition): readonly string[] {
  return paging === null ? lists : [paging.itemsKey, 'nextPageToken'];
}

type RequiredNames<P extends Readonly<Record<string, ParamSpec>>> = {
  [N in keyof P]: P[N]['required'] extends true ? N : never;
}[keyof P];

/** An endpoint's parameters as strings, as in a URL. */
export type ParamsOf<E extends EndpointDefinition> = {
  [N in RequiredNames<E['params']>]: string;
} & { [N in Exclude<keyof E['params'], RequiredNames<E['params']>>]?: string };

/** The decoded answer of an endpoint. */
export type ResponseOf<E> = E extends { readonly response: z.ZodMiniType<infer R> } ? R : never;
