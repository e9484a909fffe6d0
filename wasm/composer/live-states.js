// Follows the states of messages of the sandbox by its event stream.

/** The stream ends after this time, because a sandbox has few of them. */
const LONGEST = 5 * 60_000;
/** The time to wait for the connection before the request is sent. */
const CONNECTING = 2_000;
/** The statuses after which another one can follow. */
const OPEN = ["accepted", "Created", "Ready", "Sent"];

const isOpen = ({ status, passcode }) => (passcode ? passcode.status === "pending" && OPEN.includes(status) : OPEN.includes(status));

export class LiveStates {
  #source;
  #timer;
  /** The newest state of each message that has changed since the stream was opened. */
  #newest = new Map();
  /** `{ message, changed }` of the messages that are followed. */
  #followed = new Map();

  constructor() {
    addEventListener("pagehide", () => this.close());
  }

  /** Opens the stream of an account. Open it before a request is sent, so that no change is lost. Resolves when it is open, or cannot be opened. */
  open(sid) {
    this.close();
    const source = new EventSource(`/_sandbox/stream?account=${encodeURIComponent(sid)}`);
    this.#source = source;
    this.#timer = setTimeout(() => this.close(), LONGEST);
    source.addEventListener("update", ({ data }) => this.#update(JSON.parse(data)));
    return new Promise((done) => {
      setTimeout(done, CONNECTING);
      source.onopen = done;
      source.onerror = () => {
        if (source === this.#source) this.close();
        done();
      };
    });
  }

  /**
   * Calls `changed(message, isFollowed)` now and at each change of a message; `isFollowed` is false if the page no longer learns of changes.
   * @param {{ n: number, status: string }[]} messages
   */
  follow(messages, changed) {
    for (const message of messages) this.#followed.set(message.n, { message: this.#newest.get(message.n) ?? message, changed });
    for (const one of this.#followed.values()) this.#show(one);
    this.#closeIfFinal();
  }

  close() {
    this.#source?.close();
    this.#source = undefined;
    clearTimeout(this.#timer);
    const followed = [...this.#followed.values()];
    this.#followed.clear();
    this.#newest.clear();
    for (const one of followed) this.#show(one);
  }

  #show({ message, changed }) {
    changed(message, !isOpen(message) || this.#source !== undefined);
  }

  #update(message) {
    this.#newest.set(message.n, message);
    const one = this.#followed.get(message.n);
    if (!one) return;
    one.message = message;
    this.#show(one);
    this.#closeIfFinal();
  }

  #closeIfFinal() {
    if ([...this.#followed.values()].every(({ message }) => !isOpen(message))) this.close();
  }
}
