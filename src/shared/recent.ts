/** Values by key: the most recently used ones, up to a size of all together. */
export class Recent<Key, Value> {
  /** Ordered by last use, the latest at the end. */
  readonly #values = new Map<Key, Value>();
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  #size = 0;

  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined && this.#values.delete(key)) this.#values.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#drop(key);
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#most) break;
      this.#drop(oldest);
    }
  }

  values(): Iterable<Value> {
    return this.#values.values();
  }

  clear(): void {
    this.#values.clear();
    this.#size = 0;
  }

  #drop(key: Key): void {
    const value = this.#values.get(key);
    if (value !== undefined && this.#values.delete(key)) this.#size -= this.#sizeOf(value);
  }
}
