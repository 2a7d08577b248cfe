/** What passes between the app and its reading thread. Both ends are compiled from these types. */

export interface DecodeRequest {
  id: number;
  /** Of one of the `Functions` that the thread was started with. */
  name: string;
  args: readonly unknown[];
}

/** `value` is what the function returned, undefined where it threw; then `failure` says what. */
export interface DecodeReply {
  id: number;
  value: unknown;
  failure: string | null;
}

/** Functions that need nothing but their arguments; what goes in and out can be copied from thread to thread. */
export type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;
