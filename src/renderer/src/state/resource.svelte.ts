import { untrack } from 'svelte';
import type { ArgsOf, ResultOf } from '../../../shared/ipc/contract.ts';
import type { DataChannel } from '../../../shared/ipc/outdated.ts';
import { ask } from '../bridge.ts';
import { Action } from './action.svelte.ts';
import { whenOutdated } from './kept-answers.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { useWindow } from './window.ts';

/**
 * The answer of a call, kept true: read again when its arguments change or an event has made it old, and what is shown
 * stays until the new one arrives. It is dropped when `subject` changes, which are the arguments if not given. Without arguments
 * (null) nothing is read. To be called in a component's set-up, after what `args` reads.
 */
export function resource<C extends DataChannel>(
  channel: C,
  args: () => ArgsOf<C> | null,
  subject: () => unknown = () => JSON.stringify(args()),
): Action<[], ResultOf<C>> {
  const { app, kept } = useWindow();
  const read = new Action<[], ResultOf<C>>(
    // Only called while there are some.
    () => ask(channel, args() as ArgsOf<C>),
    subject,
  );
  // Equal for equal arguments, however often they are made anew.
  const key = $derived.by(() => {
    const asked = args();
    return asked === null ? null : `asked ${JSON.stringify(asked)}`;
  });
  $effect.pre(() => {
    if (key === null) return;
    // The key says that there are some.
    return untrack(() => follow(args() as ArgsOf<C>));
  });

  /** Keeps the answer to these arguments true, until the returned function is called. */
  function follow(asked: ArgsOf<C>): () => void {
    let fresh = kept.take(channel, asked);
    let isOld = false;
    const ended = new AbortController();
    const readAgain = oneAtATime(async () => {
      if (ended.signal.aborted) return;
      isOld = false;
      fresh = undefined;
      const result = await read.refresh();
      if (result.ok) fresh = result.value;
      await app.settle();
    });
    if (fresh === undefined) void readAgain();
    else read.put(fresh);
    const end = whenOutdated(
      channel,
      () => asked,
      () => {
        isOld = true;
        void readAgain();
      },
    );
    return () => {
      ended.abort();
      end();
      if (fresh !== undefined && !isOld) kept.keep(channel, asked, fresh);
    };
  }
  return read;
}
