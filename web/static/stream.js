// The one live source of a chat page: the session's event stream, kept open
// through lost connections.

const firstWait = 500;
const longestWait = 30_000;

/**
 * Stream reads events from url, starting after a sequence number. The browser
 * resumes a broken connection by itself; where it gives up, Stream opens a new
 * one after the last event seen, waiting longer each time.
 *
 * hooks: event(payload) for each event, state("open" | "waiting") on changes.
 * world: what the outside gives, to be replaced in tests.
 */
export class Stream {
  #url;
  #last;
  #hooks;
  #world;
  #source = null;
  #timer = null;
  #wait = firstWait;

  constructor(url, after, hooks, world = browser) {
    this.#url = url;
    this.#last = after;
    this.#hooks = hooks;
    this.#world = world;
  }

  /** The sequence number of the last event that had one. */
  get last() {
    return this.#last;
  }

  /** Opens the stream, at once even when it waits to try again. */
  start() {
    this.stop();
    const source = this.#world.open(`${this.#url}?after=${this.#last}`);
    this.#source = source;
    source.onopen = () => this.#opened(source);
    source.onmessage = (message) => this.#take(message);
    source.onerror = () => this.#lost(source);
  }

  /** Opens the stream if nothing keeps it open. */
  wake() {
    if (!this.#source || this.#source.readyState === this.#world.closed) this.start();
  }

  /** Closes the stream; start() goes on where it was. */
  stop() {
    this.#world.cancel(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #opened(source) {
    if (source !== this.#source) return;
    this.#wait = firstWait;
    this.#hooks.state("open");
  }

  #take(message) {
    const seq = Number(message.lastEventId);
    let payload;
    try {
      payload = JSON.parse(message.data);
    } catch {
      return; // not ours
    }
    // A piece of a reply has no id of its own: the browser repeats the one before.
    if (payload.type !== "delta" && seq > this.#last) this.#last = seq;
    this.#hooks.event(payload);
  }

  #lost(source) {
    if (source !== this.#source) return;
    this.#hooks.state("waiting");
    if (source.readyState !== this.#world.closed) return; // the browser tries again
    source.close();
    const wait = this.#wait * (0.5 + this.#world.random() / 2);
    this.#wait = Math.min(this.#wait * 2, longestWait);
    this.#timer = this.#world.later(() => this.start(), wait);
  }
}

const browser = {
  open: (url) => new EventSource(url),
  closed: 2,
  later: (run, wait) => setTimeout(run, wait),
  cancel: (timer) => clearTimeout(timer),
  random: Math.random,
};
