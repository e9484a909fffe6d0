/** The bytes of a body, received in chunks. They are copied: many small chunks would need far more memory than their bytes. */
export class ReceivedBytes {
  #buffer = new Uint8Array(0);
  size = 0;

  add(chunk) {
    const needed = this.size + chunk.byteLength;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.size);
    this.size = needed;
  }

  all() {
    return this.size === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.size);
  }
}
