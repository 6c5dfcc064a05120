// The browser's own hearing and voice, for servers that have none: each thing that is heard
// is sent as a message, and each reply is read out. One cannot break in.

/** Whether this browser hears by itself. */
export function mayRecognise(world = globalThis) {
  return Boolean(world.SpeechRecognition ?? world.webkitSpeechRecognition);
}

/** Whether this browser hears and speaks by itself. */
export function mayTalk(world = globalThis) {
  return mayRecognise(world) && Boolean(world.speechSynthesis);
}

/**
 * BrowserVoice holds a conversation with what the browser has. hooks: said(text) for what was
 * heard, state(name) on changes, failed(name) with the browser's name for what went wrong,
 * voiceless() once when it has no voice in the language.
 */
export class BrowserVoice {
  #hooks;
  #speech;
  #world;
  #recognition = null;
  #speaking = 0;
  #over = false;
  #voiceless = false; // which was told
  #half; // "hearing" or "speaking" when the server does the other

  /** speech: the language, and the name of a voice and the rate where they are set. half: what the browser does, where the server does the other. */
  constructor(speech, hooks, world = globalThis, half = "") {
    [this.#speech, this.#hooks, this.#world, this.#half] = [speech, hooks, world, half];
    this.#listen();
  }

  /** Reads a reply out, and listens again after it. */
  read(text) {
    if (this.#over || this.#half === "hearing" || !this.#mayRead()) return;
    this.#stopListening();
    const utterance = new this.#world.SpeechSynthesisUtterance(text.replace(/[*_`#>|]/g, ""));
    utterance.lang = this.#speech.language;
    if (this.#speech.speed) utterance.rate = this.#speech.speed;
    const voice = this.#speech.voice && this.#world.speechSynthesis.getVoices().find(({ name }) => name === this.#speech.voice);
    if (voice) utterance.voice = voice;
    this.#speaking += 1;
    utterance.onend = utterance.onerror = () => {
      this.#speaking -= 1;
      this.#listen();
    };
    this.#hooks.state("speaking");
    this.#world.speechSynthesis.speak(utterance);
  }

  /** Whether there is a voice in the language; browsers that tell of none at all may still have one. */
  #mayRead() {
    const voices = this.#world.speechSynthesis.getVoices();
    const language = this.#speech.language.split("-")[0].toLowerCase();
    if (voices.length === 0 || voices.some(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language)) return true;
    if (!this.#voiceless) this.#hooks.voiceless();
    this.#voiceless = true;
    this.#listen();
    return false;
  }

  /** Stops reading. */
  quiet() {
    this.#world.speechSynthesis?.cancel();
  }

  /** Listens no more while the server speaks, which it would hear. */
  wait(speaks) {
    this.#speaking = speaks ? 1 : 0;
    if (speaks) this.#stopListening();
    else this.#listen();
  }

  end() {
    this.#over = true;
    this.#stopListening();
    this.#world.speechSynthesis?.cancel();
  }

  #listen() {
    if (this.#over || this.#speaking > 0 || this.#recognition) return;
    if (this.#half === "speaking") return this.#hooks.state("listening");
    const recognition = new (this.#world.SpeechRecognition ?? this.#world.webkitSpeechRecognition)();
    this.#recognition = recognition;
    recognition.lang = this.#speech.language;
    recognition.onresult = ({ results }) => {
      const text = [...results].filter((r) => r.isFinal).map((r) => r[0].transcript.trim()).join(" ");
      if (!text) return;
      this.#stopListening();
      this.#hooks.state("thinking");
      this.#hooks.said(text);
    };
    recognition.onerror = ({ error }) => {
      if (error === "no-speech" || error === "aborted") return;
      this.end();
      this.#hooks.failed(error);
    };
    recognition.onend = () => {
      if (this.#recognition !== recognition) return;
      this.#recognition = null;
      this.#listen(); // nobody has said anything yet
    };
    this.#hooks.state("listening");
    recognition.start();
  }

  #stopListening() {
    const recognition = this.#recognition;
    this.#recognition = null;
    recognition?.abort();
  }
}
