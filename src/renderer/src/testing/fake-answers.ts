import type { Result } from '../../../shared/errors.ts';
import type {
  ArgsOf,
  EventChannel,
  EventContract,
  InvokeChannel,
  Reply,
  ResultOf,
} from '../../../shared/ipc/contract.ts';

/** An answer for each channel. */
export type EveryAnswer = {
  [C in InvokeChannel]: (args: ArgsOf<C>) => Result<ResultOf<C>> | Reply<ResultOf<C>>;
};
type MayBeNull = { [C in InvokeChannel]: null extends ResultOf<C> ? C : never }[InvokeChannel];

/** The answers of the fake main process. Null, where the call may answer so, need not be given. */
export type FakeAnswers = Omit<EveryAnswer, MayBeNull> & Partial<Pick<EveryAnswer, MayBeNull>>;

/** Sends an event to the window. */
export type Emit = <C extends EventChannel>(channel: C, payload: EventContract[C]) => void;
