import type { EndpointId, ResponseById } from '../../shared/endpoints/registry.ts';
import { err, messageOf, type Result } from '../../shared/errors.ts';
import type { QueryResult } from '../../shared/ipc/answers.ts';
import type {
  ArgsOf,
  Bridge,
  EndpointQuery,
  EventChannel,
  EventContract,
  InvokeChannel,
  Reply,
  ResultOf,
} from '../../shared/ipc/contract.ts';

declare global {
  interface Window {
    readonly watchkeeper: Bridge;
  }
}

type CallArgs<C extends InvokeChannel> = ArgsOf<C> extends undefined ? [] : [args: ArgsOf<C>];

/** `call` with its arguments as one value, for what asks for any channel. */
export async function ask<C extends InvokeChannel>(channel: C, args: ArgsOf<C>): Reply<ResultOf<C>> {
  try {
    return await window.watchkeeper.invoke(channel, args);
  } catch (cause) {
    const message = messageOf(cause);
    return err({ code: 'internal', message, ref: `window: ${channel}` });
  }
}

/**
 * Calls the main process. Always answers with a `Result`: a call that could not even be made (the main process is
 * gone, the channel is unknown) is an `internal` error like any other defect.
 */
export function call<C extends InvokeChannel>(channel: C, ...rest: CallArgs<C>): Reply<ResultOf<C>> {
  // Left out where it is `undefined`.
  return ask(channel, rest[0] as ArgsOf<C>);
}

/** `endpoint.query` with the answer's type chosen by the endpoint's id; cancelled when the signal is aborted. */
export async function queryEndpoint<Id extends EndpointId>(
  query: Omit<EndpointQuery<Id>, 'requestId'>,
  signal: AbortSignal,
): Reply<QueryResult<ResponseById[Id]>> {
  const requestId = crypto.randomUUID();
  const cancel = () => void call('endpoint.cancel', { requestId });
  signal.addEventListener('abort', cancel);
  // The contract's generic channel loses the link between id and answer; the main process decodes by this very id.
  const result = (await call('endpoint.query', { ...query, requestId })) as Result<
    QueryResult<ResponseById[Id]>
  >;
  signal.removeEventListener('abort', cancel);
  return result;
}

/** Logs that a part of the window could not be shown; returns the reference of the entry in the log, or null. */
export async function reportFailure(where: string, error: unknown): Promise<string | null> {
  const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: '' };
  const told = await call('app.drawingFailed', {
    where,
    error: { name: name.slice(0, 100), stack: (stack ?? '').slice(0, 10_000) },
  });
  return told.ok ? told.value.ref : null;
}

type Listener<C extends EventChannel> = (payload: EventContract[C]) => void;
type Listeners = { [C in EventChannel]?: Set<Listener<C>> };

/** Who listens, by event: each message crosses the bridge and is parsed once. */
const heard = new WeakMap<Bridge, Listeners>();

/** Listens to an event of the main process; returns a function that stops listening. */
export function listen<C extends EventChannel>(channel: C, listener: Listener<C>): () => void {
  const bridge = window.watchkeeper;
  const all = heard.get(bridge) ?? {};
  if (!heard.has(bridge)) {
    heard.set(bridge, all);
    bridge.listen((text) => {
      // Written by the main process according to the contract, by which each payload fits its channel.
      for (const [channel, payload] of JSON.parse(text) as [EventChannel, never][])
        for (const each of [...(all[channel] ?? [])]) {
          try {
            each(payload);
          } catch (cause) {
            // The others in the message are for others.
            void reportFailure(channel, cause);
          }
        }
    });
  }
  const listeners: Set<Listener<C>> = all[channel] ?? new Set();
  Object.assign(all, { [channel]: listeners });
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
