/** Bytes that are written one after the other. */
export class ByteList {
  #bytes = new Uint8Array(1 << 12);
  #length = 0;

  push(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
