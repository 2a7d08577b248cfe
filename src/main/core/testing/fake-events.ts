import type { EventChannel, EventContract } from '../../../shared/ipc/contract.ts';
import type { Emit } from '../ports.ts';

/** Stands for the window: what services emit is heard by who listens. */
export function createFakeEvents() {
  const listeners = new Set<(channel: EventChannel, payload: unknown) => void>();
  const emit: Emit = (channel, payload) => {
    for (const listener of [...listeners]) listener(channel, payload);
  };
  /** Returns the function that ends the listening. */
  function on<C extends EventChannel>(event: C, listener: (payload: EventContract[C]) => void): () => void {
    const heard = (channel: EventChannel, payload: unknown): void => {
      // Emitted under this very name.
      if (channel === event) listener(payload as EventContract[C]);
    };
    listeners.add(heard);
    return () => void listeners.delete(heard);
  }
  return { emit, on };
}
