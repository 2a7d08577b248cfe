/** The listeners of an event. */
export interface Listeners<T> {
  /** Returns the function that ends the listening. */
  add: (listener: (value: T) => void) => () => void;
  emit(value: T): void;
}

export function createListeners<T>(): Listeners<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    add: (listener) => {
      // A wrapper, so that the same function added twice is two listeners.
      const own = (value: T) => listener(value);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    emit: (value) => {
      for (const listener of [...listeners]) listener(value);
    },
  };
}
