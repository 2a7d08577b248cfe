import { err, errorOf, ok, type Result } from '../../shared/errors.ts';
import { callChannel } from '../../shared/ipc/channels.ts';
import type { ArgsOf, InvokeChannel, ResultOf } from '../../shared/ipc/contract.ts';
import { calls } from '../../shared/ipc/calls.ts';
import type { Clock, Log } from '../core/ports.ts';

/** One function a channel. What it throws is the call's error where it is an `AppFailure`; the rest is a defect. */
export type Handlers = {
  [C in InvokeChannel]: (args: ArgsOf<C>) => Promise<ResultOf<C>> | ResultOf<C>;
};

/** The parts of Electron's `ipcMain` and its events that matter here, so that a test needs no Electron. */
export interface InvokeEvent {
  senderFrame: { url: string; parent: unknown } | null;
}
export interface InvokeHost {
  handle(channel: string, listener: (event: InvokeEvent, args: unknown) => Promise<unknown>): void;
}

export interface RegisterDependencies {
  host: InvokeHost;
  /** Whether this address is the app's own page. */
  isTrustedUrl: (url: string) => boolean;
  log: Log;
  clock: Clock;
}

/**
 * Connects the handlers to their channels. Does for every call, once: the sender is our own page in the main frame,
 * the argument fits the channel's schema, a throw becomes an error with a log reference, and the log learns channel,
 * time and code, never a payload. A stranger's call is rejected, not answered.
 */
export function registerHandlers(
  handlers: Handlers,
  { host, isTrustedUrl, log, clock }: RegisterDependencies,
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
      log.info('ipc', {
        channel,
        ms: Math.round(clock.monotonicMs() - startedAtMs),
        code: result.ok ? 'ok' : result.error.code,
      });
      return result;
    });
  };
  // Its keys are the channels, as the type of `ArgsOf` says.
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
    return err({ code: 'invalid-params', message: 'That input cannot be used.', issues });
  }
  try {
    // What this channel's schema lets through.
    return ok(await handler(parsed.data as ArgsOf<C>));
  } catch (cause) {
    return err(errorOf(cause, log, `ipc.${channel}`, 'Something went wrong inside Watchkeeper.'));
  }
}
