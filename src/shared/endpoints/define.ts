import type * as z from 'zod/mini';

/** How a parameter is checked, offered in a form and linked from a result. */
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

export interface ParamSpec {
  readonly in: 'path' | 'query';
  readonly kind: ParamKind;
  readonly required: boolean;
  /** One sentence for the form. */
  readonly description: string;
  /** Inclusive bounds of `integer` and `timestamp` (seconds since 1970). */
  readonly min?: number;
  readonly max?: number;
  /** What the service assumes when the parameter is left out; never sent for that reason alone. */
  readonly default?: string;
  /** The allowed values of a `choice`, or further values that a `chain` accepts besides ids. */
  readonly values?: readonly string[];
}

/** A field of a form: a parameter of an endpoint, or one that only the calls of nodes have. */
export type FieldSpec = Omit<ParamSpec, 'kind'> & { readonly kind: ParamKind | 'watched-node' | 'tags' };

/** A list answer: which of its fields is the array. A further page is asked for with the parameter `pageToken`. */
export interface PagingSpec {
  readonly itemsKey: string;
  /**
   * The answer carries a token but the endpoint takes none, so no further page can be asked for; a token that is not
   * empty then says that the list is incomplete.
   */
  readonly isSinglePage?: true;
}

/** A combination of parameters that the service would refuse; `message` says why, in words for a form. */
export type ParamRule = (params: Readonly<Record<string, string>>) => string | null;

/**
 * One row of the specification's endpoint tables as data. Types, parameter checks, URL building, cache key, decoding,
 * form and default view all follow from it.
 */
export interface EndpointDefinition<
  Id extends string = string,
  Params extends Readonly<Record<string, ParamSpec>> = Readonly<Record<string, ParamSpec>>,
  Response = unknown,
> {
  /** Kebab-case, unique, stable: it is part of stored cache keys. */
  readonly id: Id;
  /** Its number in the specification. */
  readonly number: number;
  readonly title: string;
  /** Which interface, and with it which base URL of the service profile. */
  readonly api: 'data' | 'metrics';
  /** Path template below the base URL; `{name}` is a path parameter. */
  readonly path: string;
  readonly params: Params;
  readonly rules?: readonly ParamRule[];
  /**
   * The fields of the answer, by dotted path, that the service never has for these parameters: a view says "not
   * offered" there, and "no data" for others that are absent.
   */
  readonly notOffered?: (params: Readonly<Record<string, string>>) => readonly string[];
  readonly response: z.ZodMiniType<Response>;
  readonly paging: PagingSpec | null;
  /** How long an answer counts as fresh, in milliseconds. */
  readonly freshForMs: number;
  /** How a result is shown unless the user chooses otherwise. */
  readonly view: 'table' | 'record' | 'series';
}

/** Checks a definition against its type and keeps its literal types. */
export function defineEndpoint<
  const Id extends string,
  const Params extends Readonly<Record<string, ParamSpec>>,
  Response,
>(definition: EndpointDefinition<Id, Params, Response>): EndpointDefinition<Id, Params, Response> {
  return definition;
}

type RequiredNames<P extends Readonly<Record<string, ParamSpec>>> = {
  [N in keyof P]: P[N]['required'] extends true ? N : never;
}[keyof P];

/** The parameters of an endpoint as strings, the way they travel in a URL. */
export type ParamsOf<E extends EndpointDefinition> = {
  [N in RequiredNames<E['params']>]: string;
} & { [N in Exclude<keyof E['params'], RequiredNames<E['params']>>]?: string };

/** The decoded answer of an endpoint. */
export type ResponseOf<E> = E extends { readonly response: z.ZodMiniType<infer R> } ? R : never;
