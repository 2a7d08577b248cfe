import { notFound } from '../../shared/errors.ts';
import { Turns } from '../../shared/turns.ts';
import type { Log, Random } from './ports.ts';

/** Something removed that can still be restored; until then it is hidden and not polled or fetched. */
export interface Removal {
  putBack(): unknown;
  /** Deletes its data for good. */
  finish(): unknown;
}

/**
 * Removals that can be undone, until the window no longer offers that or the app ends. Not stored: after a crash, an
 * unfinished one is either restored or deleted by the next start.
 */
export class Removals {
  readonly #deps: { random: Random; log: Log };
  readonly #open = new Map<string, Removal>();
  readonly #deletions = new Turns();

  constructor(deps: { random: Random; log: Log }) {
    this.#deps = deps;
  }

  /** `undoId` is the argument of `settle`. */
  offer(removal: Removal): { undoId: string } {
    const undoId = this.#deps.random.id();
    this.#open.set(undoId, removal);
    return { undoId };
  }

  /**
   * Restores it, or deletes its data. If deleting fails, restores it and throws the error. What cannot be restored stays
   * removed, and may be restored later.
   */
  async settle(undoId: string, putBack: boolean): Promise<void> {
    const removal = this.#open.get(undoId) ?? notFound('This can no longer be undone.');
    this.#open.delete(undoId);
    const restore = async (): Promise<void> => {
      try {
        await removal.putBack();
      } catch (cause) {
        this.#open.set(undoId, removal);
        throw cause;
      }
    };
    if (putBack) await restore();
    else
      try {
        await this.#delete(removal);
      } catch (cause) {
        await restore();
        throw cause;
      }
  }

  /** Deletes what was removed when no window offers to undo it any more; what cannot be deleted is restored. Never rejects. */
  async finishOffered(): Promise<void> {
    for (const undoId of [...this.#open.keys()])
      await this.settle(undoId, false).catch(
        (cause: unknown) => void this.#deps.log.error('removal.failed', cause),
      );
  }

  /**
   * Deletes everything removed, also meanwhile, and resolves when what was being deleted is, too: the app ends, or another
   * service is chosen. Never rejects.
   */
  async finishAll(): Promise<void> {
    // A map's iteration also comes to what is added during it.
    for (const [undoId, removal] of this.#open) {
      this.#open.delete(undoId);
      try {
        await this.#delete(removal);
      } catch (cause) {
        this.#deps.log.error('removal.failed', cause);
      }
    }
    await this.#deletions.settled();
  }

  #delete(removal: Removal): Promise<unknown> {
    return this.#deletions.take(async () => await removal.finish());
  }
}
