// The line of a call: a websocket that comes back when it is lost, without losing what was
// said.

const firstWait = 500;
const longestWait = 10_000;
const kept = 50; // messages of 20 ms that are kept while nobody speaks
const most = 3000; // and while what was said is not written down: a minute

/**
 * Line holds a call over url. hooks: event(frame) for each frame of JSON, sound(Int16Array),
 * state("open" | "waiting"). world: what the outside gives, to be replaced in tests.
 */
export class Line {
  #url;
  #start;
  #hooks;
  #world;
  #socket = null;
  #timer = null;
  #wait = firstWait;
  #after = null;
  #utterance = 1;
  #unheard = [];
  #quiet = true;
  #ready = false;
  #over = false;

  /** start holds what the first frame says beside what the line knows itself. */
  constructor(url, start, hooks, world = browser) {
    [this.#url, this.#start, this.#hooks, this.#world] = [url, start, hooks, world];
    this.#open();
  }

  /** Whether the line only follows: nothing may be sent. */
  get watches() {
    return Boolean(this.#start.watch);
  }

  /** Sends sound; what is said while there is no line is sent later. */
  hear(samples) {
    this.#unheard.push(samples);
    const limit = this.#quiet ? kept : most;
    if (this.#unheard.length > limit) this.#unheard.splice(0, this.#unheard.length - limit);
    if (this.#ready) this.#socket.send(samples);
  }

  /** Sends a frame of JSON, if there is a line; mode and muted are kept for the next. */
  send(frame) {
    if (frame.type === "mode") this.#start = { ...this.#start, mode: frame.mode };
    if (frame.type === "mute") this.#start = { ...this.#start, muted: frame.muted };
    if (this.#ready) this.#socket.send(JSON.stringify(frame));
  }

  /** Ends the call. */
  end() {
    this.#over = true;
    this.#world.cancel(this.#timer);
    this.#socket?.close(1000);
  }

  #open() {
    const socket = this.#world.open(this.#url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => {
      const after = this.#after === null ? {} : { after: this.#after };
      const next = this.watches ? {} : { utterance: this.#utterance };
      socket.send(JSON.stringify({ type: "start", rate: 16000, ...next, ...this.#start, ...after }));
    };
    socket.onmessage = ({ data }) => (typeof data === "string" ? this.#take(JSON.parse(data)) : this.#hooks.sound(new Int16Array(data)));
    socket.onclose = () => this.#lost(socket);
  }

  #take(frame) {
    if (frame.seq) this.#after = frame.seq;
    switch (frame.type) {
      case "ready":
        if (frame.utterance > this.#utterance) this.#unheard = []; // it had been taken
        this.#utterance = Math.max(this.#utterance, frame.utterance);
        this.#opened();
        break;
      case "heard":
        this.#utterance = Math.max(this.#utterance, frame.utterance + 1);
        this.#unheard = [];
        break;
      case "state":
        this.#quiet = frame.state === "listening" || frame.state === "speaking";
        break;
      case "end":
        this.#over = true;
    }
    this.#hooks.event(frame);
  }

  #opened() {
    this.#ready = true;
    this.#wait = firstWait;
    this.#hooks.state("open");
    if (!this.#quiet) for (const samples of this.#unheard) this.#socket.send(samples);
  }

  #lost(socket) {
    if (socket !== this.#socket) return;
    this.#ready = false;
    if (this.#over) return;
    this.#hooks.state("waiting");
    const wait = this.#wait * (0.5 + this.#world.random() / 2);
    this.#wait = Math.min(this.#wait * 2, longestWait);
    this.#timer = this.#world.later(() => this.#open(), wait);
  }
}

const browser = {
  open: (url) => new WebSocket(url),
  later: (run, wait) => setTimeout(run, wait),
  cancel: (timer) => clearTimeout(timer),
  random: Math.random,
};
