import type { Result } from '../../../shared/errors.ts';
import type {
  ArgsOf,
  EventChannel,
  EventContract,
  InvokeChannel,
  Reply,
  ResultOf,
} from '../../../shared/ipc/contract.ts';

/** The answers of the fake main process by channel. */
export type FakeAnswers = {
  [C in InvokeChannel]: (args: ArgsOf<C>) => Result<ResultOf<C>> | Reply<ResultOf<C>>;
};

/** Sends an event to the window. */
export type Emit = <C extends EventChannel>(channel: C, payload: EventContract[C]) => void;
