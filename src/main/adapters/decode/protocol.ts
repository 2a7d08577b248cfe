/** Messages between the app and its decoding thread. Both sides are compiled from these types. */

export interface DecodeRequest {
  id: number;
  /** Name of one of the `Functions` that the thread was started with. */
  name: string;
  args: readonly unknown[];
}

/** `value` is the function's result; undefined if it threw, with the reason in `failure`. */
export interface DecodeReply {
  id: number;
  value: unknown;
  failure: string | null;
}

/** Pure functions whose arguments and results can be copied between threads. */
export type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;
