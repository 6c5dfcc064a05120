// Messages on their way: kept by the tab until the server has taken them, so that
// neither a lost connection nor a reload loses or doubles one.

/** Outbox keeps {clientId: payload} of a session in storage; null for none. */
export class Outbox {
  #key;
  #storage;

  constructor(sessionId, storage = ofTab()) {
    this.#key = `quaestor.outbox.${sessionId}`;
    this.#storage = storage;
  }

  /** Keeps a message until it is dropped. */
  put(clientId, payload) {
    this.#write({ ...this.#read(), [clientId]: payload });
  }

  /** Forgets a message that was taken, or taken back. */
  drop(clientId) {
    const { [clientId]: _, ...rest } = this.#read();
    this.#write(rest);
  }

  /** The messages [[clientId, payload], …], oldest first. */
  all() {
    return Object.entries(this.#read());
  }

  #read() {
    try {
      return JSON.parse(this.#storage?.getItem(this.#key) ?? "{}");
    } catch {
      return {};
    }
  }

  #write(all) {
    try {
      if (Object.keys(all).length > 0) this.#storage?.setItem(this.#key, JSON.stringify(all));
      else this.#storage?.removeItem(this.#key);
    } catch {
      // nothing is kept; sending goes on
    }
  }
}

/** The tab's storage; null where it is refused. */
function ofTab() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
