// The line of a call: a websocket that comes back when it is lost, without losing what was
// said.

const firstWait = 500;
const longestWait = 10_000;
const kept = 50; // messages of 20 ms that are kept while nobody speaks
const most = 3000; // and while what was said is not written down: a minute
const ended = Symbol("the end of an utterance"); // in what is kept

/**
 * Line holds a call over url. hooks: event(frame) for each frame of JSON, sound(Int16Array),
 * state("open" | "waiting"), rest() for the place at which a reply goes on over a new line, if there is one. world: what the outside gives, to be replaced in tests.
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
  #unheard = []; // sound, presses and releases of a button, and ends of utterances
  #quiet = true; // nothing that is said is waiting to be written down
  #held = false; // the button
  #state = "";
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

  /** Sends sound; what is said while there is no line is sent later. loud tells whether it may be a voice. */
  hear(samples, loud = false) {
    if (!this.#ready && loud) this.#quiet = false;
    if (!this.#pushes || this.#held) this.#keep(samples);
    if (this.#ready) this.#socket.send(samples);
  }

  /** Sends a frame of JSON, if there is a line; mode, muted, press and release are kept for the next. */
  send(frame) {
    const text = JSON.stringify(frame);
    if (frame.type === "mode") [this.#start, this.#held, this.#unheard] = [{ ...this.#start, mode: frame.mode }, false, []];
    if (frame.type === "mute") this.#start = { ...this.#start, muted: frame.muted };
    if (frame.type === "press" || frame.type === "release") this.#press(text, frame.type === "press");
    if (this.#ready) this.#socket.send(text);
  }

  get #pushes() {
    return this.#start.mode === "push";
  }

  #press(text, down) {
    this.#held = down;
    this.#keep(text);
    if (!down) this.#keep(ended);
  }

  #keep(item) {
    this.#unheard.push(item);
    const limit = this.#quiet && !this.#pushes ? kept : most;
    if (this.#unheard.length > limit) this.#unheard.splice(0, this.#unheard.length - limit);
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
      const rest = (this.#after !== null && !this.watches && this.#hooks.rest?.()) || null;
      if (rest) after.rest = rest;
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
        this.#heard(frame.utterance);
        break;
      case "state":
        this.#changed(frame.state);
        break;
      case "end":
        this.#over = true;
    }
    this.#hooks.event(frame);
  }

  /** An utterance is written down: what was said before its end is not sent again. 0 is a sound that was not waited out. */
  #heard(utterance) {
    this.#utterance = Math.max(this.#utterance, utterance + 1);
    if (utterance > 0) this.#unheard.splice(0, this.#unheard.indexOf(ended) + 1 || this.#unheard.length);
  }

  #changed(state) {
    if (!this.#pushes && this.#state === "hearing" && state === "thinking") this.#keep(ended);
    if (state === "listening" && !this.#held) this.#unheard = this.#pushes ? [] : this.#unheard.filter((item) => item !== ended); // it was no utterance
    this.#quiet = state === "listening" || state === "speaking";
    this.#state = state;
  }

  #opened() {
    this.#ready = true;
    this.#wait = firstWait;
    this.#hooks.state("open");
    if (this.#quiet && !this.#pushes) return;
    for (const item of this.#unheard) if (item !== ended) this.#socket.send(item);
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
