import type { AppSnapshot } from '../src/shared/ipc/answers.ts';
import type {
  ArgsOf,
  EventChannel,
  EventContract,
  InvokeChannel,
  ResultOf,
} from '../src/shared/ipc/contract.ts';
import type { ApplicationServices } from '../src/main/application.ts';
import type { Result } from '../src/shared/errors.ts';
import type { Deed } from './history.ts';

/** The running app, as the window sees it. */
export interface RunningApp {
  invoke<C extends InvokeChannel>(channel: C, args: ArgsOf<C>): Promise<Result<ResultOf<C>>>;
  services(): ApplicationServices;
  suspend(): void;
  resume(): void;
  /** What the window knows from its first snapshot and the events since; null while there is none. */
  window(): AppSnapshot | null;
  setWindow(to: WindowState): void;
  isShown(): boolean;
  /** Timers that are planned. */
  timerCount(): number;
}

export type WindowState = Extract<Deed, { does: 'set-window' }>['to'];

/** The window after some events. */
export function heard(window: AppSnapshot, events: string): AppSnapshot {
  // The broadcaster has written each payload for its channel.
  const pairs = JSON.parse(events) as [EventChannel, never][];
  return pairs.reduce<AppSnapshot>(
    (before, [channel, payload]) => hearing[channel]?.(before, payload) ?? before,
    window,
  );
}

const hearing: { [C in EventChannel]?: (window: AppSnapshot, payload: EventContract[C]) => AppSnapshot } = {
  'settings.changed': (window, settings) => ({ ...window, settings }),
  'connection.changed': (window, connection) => ({ ...window, connection }),
  'completion.changed': (window, completion) => ({ ...window, completion }),
  'nodes.changed': (window, nodes) => ({ ...window, nodes }),
  'node.changed': (window, status) => ({
    ...window,
    nodes: window.nodes.map((node) => (node.node.id === status.node.id ? status : node)),
  }),
  'watchlist.changed': (window, watchlist) => ({ ...window, watchlist }),
  'activity.changed': (window, { address, chainId, list, sync }) => ({
    ...window,
    watchlist: window.watchlist.map((watched) =>
      watched.address !== address
        ? watched
        : {
            ...watched,
            chains: watched.chains.map((chain) =>
              chain.chainId !== chainId
                ? chain
                : list === 'transactions'
                  ? { ...chain, sync }
                  : {
                      ...chain,
                      otherLists: chain.otherLists.map((other) =>
                        other.list === list ? { list, sync } : other,
                      ),
                    },
            ),
          },
    ),
  }),
};
