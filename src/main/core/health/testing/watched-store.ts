import { AppFailure } from '../../../../shared/errors.ts';
import type { HealthStore, StoredPoll } from '../../health-ports.ts';

/** Wraps a store so that a test can see what is stored, and make calls fail. */
export interface WatchedStore {
  port: HealthStore;
  /** Polls that were stored, in order. */
  recorded: StoredPoll[];
  /** Makes every call reject until it is switched off again. */
  fail(isFailing: boolean): void;
  /** Replaces methods, until it is called again. */
  replace(methods: Partial<HealthStore>): void;
}

export function watchStore(store: HealthStore): WatchedStore {
  const recorded: StoredPoll[] = [];
  let isFailing = false;
  let replaced: Partial<HealthStore> = {};
  async function recordPoll(poll: StoredPoll): Promise<void> {
    await (replaced.recordPoll?.(poll) ?? store.recordPoll(poll));
    recorded.push(poll);
  }
  const port = new Proxy(store, {
    get(target, name) {
      if (isFailing)
        return () => Promise.reject(new AppFailure({ code: 'storage', message: 'the disk is full' }));
      if (name === 'recordPoll') return recordPoll;
      return Reflect.get(name in replaced ? replaced : target, name) as unknown;
    },
  });
  return {
    port,
    recorded,
    fail: (value) => {
      isFailing = value;
    },
    replace: (methods) => {
      replaced = methods;
    },
  };
}
