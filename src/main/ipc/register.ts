import { err, errorOf, ok, type Result } from '../../shared/errors.ts';
import { callChannel } from '../../shared/ipc/channels.ts';
import type { ArgsOf, InvokeChannel, ResultOf } from '../../shared/ipc/contract.ts';
import { calls } from '../../shared/ipc/calls.ts';
import type { Log, Ports } from '../core/ports.ts';

/** One function per channel. A thrown `AppFailure` becomes the call's error; anything else is a bug. */
export type Handlers = {
  [C in InvokeChannel]: (args: ArgsOf<C>) => Promise<Answer<C>> | Answer<C>;
};

/** Nothing stands for null, the answer of calls without a result. */
type Answer<C extends InvokeChannel> = ResultOf<C> | ([ResultOf<C>] extends [null] ? void : never);

/** The parts of Electron's `ipcMain` and its events used here, so that tests need no Electron. */
export interface InvokeEvent {
  senderFrame: { url: string; parent: unknown } | null;
  sender: { isDestroyed(): boolean };
}
export interface InvokeHost {
  handle(channel: string, listener: (event: InvokeEvent, args: unknown) => Promise<unknown>): void;
}

export interface RegisterDependencies extends Pick<Ports, 'clock' | 'log'> {
  host: InvokeHost;
  /** Whether a URL is the app's own page. */
  isTrustedUrl: (url: string) => boolean;
  /** Sends the events so far, so that what a call has changed is known before its answer. */
  sendEvents: () => void;
  /** A file could not be written or read, and the window that would have said so was closed meanwhile. */
  unheard: (message: string) => void;
}

/** Calls that take minutes, so that the window may be closed meanwhile. */
const longCalls: ReadonlySet<InvokeChannel> = new Set([
  'activity.export',
  'recordings.save',
  'recordings.open',
]);

/**
 * Connects the handlers to their channels. For every call: checks that the sender is the app's own page in the main
 * frame and that the argument matches the channel's schema, converts exceptions to an error with a log reference, and
 * logs channel, duration and code, but never a payload. Calls from another sender are rejected.
 */
export function registerHandlers(
  handlers: Handlers,
  { host, isTrustedUrl, log, clock, sendEvents, unheard }: RegisterDependencies,
) {
  const register = <C extends InvokeChannel>(channel: C) => {
    host.handle(callChannel(channel), async (event, args) => {
      const frame = event.senderFrame;
      if (frame === null || frame.parent !== null || !isTrustedUrl(frame.url)) {
        log.warn('ipc.sender-refused', { channel });
        throw new Error('This page may not call Watchkeeper.');
      }
      const startedAtMs = clock.monotonicMs();
      const result = await answer(channel, args, handlers[channel], log);
      const ms = Math.round(clock.monotonicMs() - startedAtMs);
      log.info('ipc', { channel, ms, code: result.ok ? 'ok' : result.error.code });
      sendEvents();
      if (!result.ok && longCalls.has(channel) && event.sender.isDestroyed()) unheard(result.error.message);
      return result;
    });
  };
  // `Object.keys` loses the type of the keys.
  for (const channel of Object.keys(calls) as InvokeChannel[]) register(channel);
}

async function answer<C extends InvokeChannel>(
  channel: C,
  args: unknown,
  handler: Handlers[C],
  log: Log,
): Promise<Result<ResultOf<C>>> {
  const parsed = calls[channel].schema.safeParse(args);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) =>
      issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`,
    );
    return err({ code: 'invalid-params', message: 'The app can’t use that input.', issues });
  }
  try {
    // The argument has passed this channel's schema.
    const answered: unknown = await handler(parsed.data as ArgsOf<C>);
    // Only where null is the answer may a handler return nothing.
    return ok((answered ?? null) as ResultOf<C>);
  } catch (cause) {
    return err(errorOf(cause, log, `ipc.${channel}`, 'Something went wrong inside Watchkeeper.'));
  }
}
