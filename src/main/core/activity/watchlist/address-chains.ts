import { readStoredChains } from '../../../../shared/activity/stored.ts';
import { addressChains } from '../../../../shared/endpoints/data.ts';
import { distinct } from '../../../../shared/endpoints/fields.ts';
import { onlyUnindexed, type ChainRecord } from '../../../../shared/endpoints/records.ts';
import { err, errorOf, ok, type AppError, type Result } from '../../../../shared/errors.ts';
import { cancelled } from '../../endpoints/scheduler.ts';
import type { ServiceClient } from '../../endpoints/service-client.ts';
import { isYounger } from '../../age.ts';
import type { StoredChains } from '../../activity-ports.ts';
import type { Ports } from '../../ports.ts';

function unreadableChains(count: number): AppError {
  const message =
    count === 1
      ? 'One chain in the service’s response couldn’t be read, so a chain may be missing.'
      : `${count} chains in the service’s response couldn’t be read, so chains may be missing.`;
  return { code: 'bad-response', message, issues: [] };
}

export interface AddressChainsDeps extends Pick<Ports, 'clock' | 'log'> {
  address: string;
  service: ServiceClient;
  /** Stores an answer, before it takes effect. */
  save: (chains: StoredChains) => Promise<void>;
  /** Chains with stored history, whether the service lists them or not. */
  knownChains: () => readonly string[];
  changed: () => void;
}

/** The chains on which an address was active, according to the service (endpoint 13). */
export class AddressChains {
  readonly #deps: AddressChainsDeps;
  #stored: StoredChains | null = null;
  /** The chains that the service indexes, in its order. */
  list: readonly ChainRecord[] = [];
  /** Why the last request failed. */
  error: AppError | null = null;
  #loading: { done: Promise<Result<null>>; abort: AbortController } | null = null;

  constructor(deps: AddressChainsDeps) {
    this.#deps = deps;
  }

  get unindexedIds(): string[] {
    return this.#stored?.unindexedIds ?? [];
  }

  /** When the list was fetched; null if it never was. */
  get fetchedAtMs(): number | null {
    return this.#stored?.fetchedAtMs ?? null;
  }

  get isLoading(): boolean {
    return this.#loading !== null;
  }

  /** When the chain first appeared; null if it was in the first answer. */
  newSinceMs(chainId: string): number | null {
    // An id is the service's, and may be a name that every object has.
    const known = this.#stored?.newSinceMs ?? {};
    return Object.hasOwn(known, chainId) ? (known[chainId] ?? null) : null;
  }

  /** True when the list was fetched so recently that there is nothing new to expect. */
  isFresh(): boolean {
    return isYounger(this.fetchedAtMs, this.#deps.clock.nowMs(), addressChains.freshForMs);
  }

  /** Uses a stored answer; false when it cannot be decoded any more. */
  take(stored: StoredChains): boolean {
    const list = readStoredChains(stored.indexedJson);
    if (list === null) return false;
    this.#stored = { ...stored, unindexedIds: onlyUnindexed(list, stored.unindexedIds) };
    this.list = list;
    return true;
  }

  /** Fetches the list; concurrent callers share one request. */
  async load(isUrgent: boolean): Promise<Result<null>> {
    if (this.#loading === null) {
      const abort = new AbortController();
      const done = this.#fetch(isUrgent, abort.signal).then((fetched) => {
        // What follows from an answer is not wanted any more, even if it was stored.
        const result = abort.signal.aborted ? cancelled : fetched;
        this.#loading = null;
        this.error = result.ok || result.error.code === 'cancelled' ? null : result.error;
        return result;
      });
      this.#loading = { done, abort };
      this.#deps.changed();
    }
    return await this.#loading.done;
  }

  /** Cancels a request under way; resolves when it has ended. */
  async cancel(): Promise<void> {
    this.#loading?.abort.abort();
    await this.#loading?.done;
  }

  async #fetch(isUrgent: boolean, signal: AbortSignal): Promise<Result<null>> {
    const { address, service, save, log } = this.#deps;
    const priority = isUrgent ? 'user' : 'completion';
    const fetched = await service.fetch(addressChains, { address }, { priority, signal });
    if (!fetched.ok) return fetched;
    if (signal.aborted) return cancelled;
    const { data, fetchedAtMs, unreadableItems } = fetched.value;
    const indexed = data.indexedChains ?? [];
    const unindexedIds = data.unindexedChains ?? [];
    if (unreadableItems.length > 0) {
      // Any chain may be the one that could not be read, so none is taken for absent, and nothing is stored.
      this.list = distinct([...indexed, ...this.list], ({ chainId }) => chainId);
      return err(unreadableChains(unreadableItems.length));
    }
    const ids = [...indexed.map(({ chainId }) => chainId), ...unindexedIds];
    const chains: StoredChains = {
      indexedJson: JSON.stringify(indexed),
      unindexedIds,
      fetchedAtMs,
      newSinceMs: this.#newChains(ids, fetchedAtMs),
    };
    try {
      await save(chains);
    } catch (cause) {
      return err(errorOf(cause, log, 'watchlist.write-failed', 'Couldn’t save the chains.'));
    }
    this.take(chains);
    return ok(null);
  }

  #newChains(ids: readonly string[], nowMs: number): Record<string, number> {
    if (this.#stored === null) return {};
    const { newSinceMs, unindexedIds } = this.#stored;
    const known = new Set([
      ...this.list.map(({ chainId }) => chainId),
      ...unindexedIds,
      ...this.#deps.knownChains(),
    ]);
    const appeared = ids.filter((id) => !known.has(id) && !Object.hasOwn(newSinceMs, id));
    return { ...newSinceMs, ...Object.fromEntries(appeared.map((id) => [id, nowMs])) };
  }
}
