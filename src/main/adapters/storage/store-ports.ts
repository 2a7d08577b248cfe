import type { ActivityStore, BookStore, WatchlistStore } from '../../core/activity-ports.ts';
import type { HealthStore } from '../../core/health-ports.ts';
import type { AlertStore, AnswerStore, RunStore } from '../../core/ports.ts';
import { SqlFailure } from './sqlite/sql.ts';

/** The storage ports of the domain. */
export interface StorePorts {
  alerts: AlertStore;
  answers: AnswerStore;
  watchlist: WatchlistStore;
  book: BookStore;
  activity: ActivityStore;
  health: HealthStore;
  runs: RunStore;
}

/** A port as the worker implements it: the same methods, but synchronous. */
export type Synchronous<Port> = {
  [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Value
    : never;
};

/** Like `Synchronous`, but a method may also return a promise, so that others can be called meanwhile. */
export type Served<Port> = {
  [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Value | Promise<Value>
    : never;
};

export type ServedStores = { [Name in keyof StorePorts]: Served<StorePorts[Name]> };

/** A call of a store method, as sent to the thread that owns the database. */
export interface StoreCall {
  store: keyof StorePorts;
  method: string;
  args: readonly unknown[];
}

/** Executes a call that `portsOver` sent from the other thread; throws, or its promise rejects with, `SqlFailure`. */
export function callStore(stores: ServedStores, call: StoreCall): unknown {
  const store = stores[call.store];
  const method: unknown = call.method in Object.prototype ? null : Reflect.get(store, call.method);
  if (typeof method !== 'function') throw new SqlFailure('defect', `no method ${call.store}.${call.method}`);
  return Reflect.apply(method, store, call.args);
}

/** The ports; each of their methods sends a call. */
export function portsOver(send: (call: StoreCall) => Promise<unknown>): StorePorts {
  const portOf = <Name extends keyof StorePorts>(store: Name): StorePorts[Name] => {
    const get = (_target: object, method: string | symbol) =>
      // Without `then`, so that `await` does not take a store for a promise.
      typeof method === 'string' && method !== 'then'
        ? (...args: unknown[]) => send({ store, method, args })
        : undefined;
    // The other side is `Served<StorePorts[Name]>`, compiled from the same port, so it has every method of the type.
    return new Proxy<object>({}, { get }) as StorePorts[Name];
  };
  return {
    alerts: portOf('alerts'),
    answers: portOf('answers'),
    watchlist: portOf('watchlist'),
    book: portOf('book'),
    activity: portOf('activity'),
    health: portOf('health'),
    runs: portOf('runs'),
  };
}
