// Speaking with the interviewer: the part of the page with the microphone.

import { say } from "../static/said.js";
import { slot } from "../static/pieces.js";
import { newId } from "../static/send.js";
import { devices, mayHear, rate, Sound } from "./voiceaudio.js";
import { Encoder, mayEncode } from "./voicecodec.js";
import { Awake } from "./voiceawake.js";
import { BrowserVoice, mayRecognise, mayTalk } from "./voicebrowser.js";
import { Line } from "./voiceline.js";
import { Place } from "./voiceplace.js";
import { Wave } from "./voicewave.js";

const audible = 0.01; // a level above this is a voice: −40 dBFS

/** What the states of a call are called. */
const states = {
  listening: () => say("Listening"),
  hearing: () => say("Hearing you"),
  thinking: () => say("Thinking"),
  speaking: () => say("Speaking"),
};

/** What the browser's refusals of a microphone mean. */
const refusals = {
  NotAllowedError: () => say("The browser was not allowed to use the microphone. Allow it for this page, and begin again."),
  NotFoundError: () => say("No microphone was found. Connect one, and begin again."),
  OverconstrainedError: () => say("No microphone was found. Connect one, and begin again."),
  NotReadableError: () => say("The microphone cannot be used just now; another program may hold it."),
};

/** The same by the names that a browser's own hearing has for them. */
const ownRefusals = { "not-allowed": refusals.NotAllowedError, "service-not-allowed": refusals.NotAllowedError, "audio-capture": refusals.NotFoundError, "language-not-supported": () => say("This browser does not hear the language of the interview; please type."), network: () => say("This browser hears over the network, which it cannot reach just now; please type.") };

/**
 * Voice is the panel with the microphone. hooks: unsent(text, detail) for words that
 * could not be sent, tell(text) for those who do not see, say(text) to send words that
 * the browser itself has heard.
 */
export class Voice {
  #panel;
  #open;
  #page;
  #hooks;
  #sound = null;
  #line = null;
  #encoder = null; // null while sound is sent as it is
  #own = null; // the browser's own voice, where the server has none
  #awake = null; // while a call is held
  #waves;
  #loud = false; // the microphone hears something just now
  #muted = false;
  #held = false;
  #place = { turn: 0, at: 0 }; // of the next sound, in samples of its reply
  #heard = new Place(); // of the latest reply

  /** Makes the panel work where there is one and the browser has a microphone. */
  static of(page, hooks) {
    const panel = document.getElementById("voice");
    const note = document.getElementById("voice-none");
    if (!panel) return null;
    if (page.worklet ? mayHear() : mayTalk()) {
      note.hidden = true;
      return new Voice(panel, page, hooks);
    }
    note.hidden = false;
    return null;
  }

  constructor(panel, page, hooks) {
    [this.#panel, this.#page, this.#hooks] = [panel, page, hooks];
    this.#open = document.getElementById("voice-open");
    this.#waves = { yours: new Wave(slot(panel, "yours")), theirs: new Wave(slot(panel, "theirs")) };
    this.#open.hidden = false;
    this.#open.addEventListener("click", () => (panel.hidden ? this.#show() : this.#hide()));
    const acts = { begin: () => this.#begin(), listen: () => this.#listenOnly(), test: () => this.#test(), close: () => this.#hide(), mute: () => this.#mute(), quiet: () => (this.#own?.quiet(), this.#line?.send({ type: "interrupt" })), push: () => this.#mode(true), free: () => this.#mode(false), end: () => this.#end(""), allow: () => this.#consent(true), decline: () => this.#consent(false) };
    panel.addEventListener("click", (event) => acts[event.target.closest("[data-act]")?.dataset.act]?.());
    slot(panel, "loudspeaker").addEventListener("change", () => this.#sound && this.#playOn(this.#sound));
    this.#holding(panel.querySelector('[data-act="hold"]'));
    addEventListener("pagehide", () => this.#end(""));
    if (page.lacks === "hearing") for (const part of ["microphones", "modes"]) slot(panel, part).hidden = true;
    if (page.worklet) return;
    for (const act of ["test", "listen"]) panel.querySelector(`[data-act="${act}"]`).hidden = true; // the browser asks for itself
    for (const part of panel.querySelectorAll(".voice-setup > .row")) part.hidden = true; // devices and modes
  }

  /** A reply has come: the browser reads it out, if the server does not. */
  reply(text) {
    this.#own?.read(text);
  }

  #show() {
    this.#panel.hidden = false;
    this.#open.setAttribute("aria-expanded", "true");
    this.#trouble("");
    if (this.#page.worklet) this.#list();
    this.#panel.querySelector('[data-act="begin"]').focus();
  }

  #hide() {
    this.#end("");
    this.#panel.hidden = true;
    this.#open.setAttribute("aria-expanded", "false");
    this.#open.focus();
  }

  /** Lists the devices, whose names a browser tells once it may use one. */
  async #list() {
    const { microphones, loudspeakers } = await devices();
    choices(slot(this.#panel, "microphone"), microphones);
    choices(slot(this.#panel, "loudspeaker"), loudspeakers);
    slot(this.#panel, "loudspeakers").hidden = loudspeakers.length === 0;
  }

  /** Opens microphone and loudspeaker, or the latter alone; false when the browser refuses. */
  async #listen(heard, silent = false) {
    this.#sound?.close();
    this.#trouble("");
    const chosen = { microphone: slot(this.#panel, "microphone").value, silent };
    try {
      this.#sound = await Sound.open(this.#page.worklet, chosen, {
        heard,
        level: (side, level) => this.#level(side, level),
        lost: () => this.#end(say("The microphone is gone. Connect it, and begin again.")),
      });
    } catch (err) {
      this.#trouble(refusals[err.name]?.() ?? say("The microphone cannot be used just now; another program may hold it."));
      return false;
    }
    slot(this.#panel, "waves").hidden = false;
    slot(this.#panel, "yours-wave").hidden = silent;
    await this.#playOn(this.#sound);
    this.#list();
    return true;
  }

  /** Plays on the loudspeaker that is chosen, or else on the usual one, and says so. */
  async #playOn(sound) {
    const select = slot(this.#panel, "loudspeaker");
    const can = await sound.playOn(select.value);
    if (!can) select.value = "";
    this.#trouble(can ? "" : say("That loudspeaker cannot be used just now; you hear the default one."));
    if (slot(this.#panel, "tested").textContent && !this.#line) sound.tones();
  }

  /** Lets one hear and be heard before it begins. */
  async #test() {
    const tested = slot(this.#panel, "tested");
    tested.textContent = say("Say something: the upper line moves when you are heard. You should hear two tones.");
    if (!(await this.#listen(() => {}))) tested.textContent = "";
  }

  #level(side, level) {
    this.#waves[side].add(level);
    if (side === "yours") this.#loud = level > audible;
    const tested = slot(this.#panel, "tested");
    if (side === "yours" && level > audible && tested.textContent && !this.#line) tested.textContent = say("The microphone hears you.");
  }

  /** Begins with what the browser has. */
  #beginAlone() {
    this.#swap(true, false);
    for (const act of ["mute", "push"]) this.#panel.querySelector(`[data-act="${act}"]`).hidden = true;
    this.#own = new BrowserVoice(this.#speech(), {
      said: (text) => (this.#caption(text), this.#hooks.say(text)),
      state: (name) => this.#state(name, states[name]()),
      voiceless: () => this.#trouble(say("This browser has no voice in the language of the interview: replies are written, and you may still answer aloud.")),
      failed: (name) => this.#end(ownRefusals[name]?.() ?? say("The microphone cannot be used just now; another program may hold it.")),
    });
    this.#panel.querySelector('[data-act="end"]').focus();
  }

  async #begin() {
    if (!this.#page.worklet) return this.#own ?? this.#beginAlone();
    if (this.#page.lacks === "hearing") return this.#beginUnheard();
    if (this.#line || !(await this.#listen((samples) => (this.#encoder ? this.#encoder.add(samples) : this.#line?.hear(samples, this.#loud))))) return;
    const opus = await mayEncode();
    if (opus) this.#encoder = new Encoder({ packet: (packet) => this.#line?.hear(packet, this.#loud), failed: () => this.#end(refusals.NotReadableError()) });
    const mode = this.#panel.querySelector('[name="voice-mode"]:checked').value;
    this.#muted = false;
    this.#swap(true, mode === "push");
    this.#state("connecting", say("Connecting"));
    this.#dial({ call: newId(), mode, codec: opus ? "opus" : "pcm16" });
    if (this.#page.lacks) this.#readOut();
    this.#panel.querySelector(mode === "push" ? '[data-act="hold"]' : '[data-act="mute"]').focus();
  }

  /** Begins where the server speaks and does not hear: the browser hears, if it can. */
  async #beginUnheard() {
    if (this.#line || !(await this.#listen(() => {}, true))) return;
    this.#swap(true, false);
    for (const act of ["mute", "push"]) this.#panel.querySelector(`[data-act="${act}"]`).hidden = true;
    this.#state("connecting", say("Connecting"));
    this.#dial({ call: newId(), mode: "push" }); // and presses nothing
    this.#panel.querySelector('[data-act="end"]').focus();
    const unheard = () => this.#trouble(say("Nothing hears you here: replies are spoken, and you type."));
    if (!mayRecognise()) return unheard();
    this.#own = new BrowserVoice(this.#speech(), { said: (text) => (this.#caption(text), this.#hooks.say(text)), state() {}, failed: () => (this.#own?.end(), (this.#own = null), unheard()) }, globalThis, "hearing");
    this.#own.wait(true); // until the server says that it listens
  }

  /** Has replies read out by the browser where the server hears and does not speak. */
  #readOut() {
    this.#own = new BrowserVoice(this.#speech(), { state: (name) => this.#line?.send({ type: "mute", muted: name === "speaking" || this.#muted }), voiceless: () => this.#trouble(say("This browser has no voice in the language of the interview: replies are written, and you may still answer aloud.")) }, globalThis, "speaking");
  }

  #speech() {
    return { language: document.documentElement.lang, ...this.#page.speech };
  }

  /** Changes how one speaks, in a call. */
  #mode(push) {
    if (push && this.#muted) this.#mute();
    this.#line?.send({ type: "mode", mode: push ? "push" : "hands_free" });
    this.#swap(true, push);
    this.#panel.querySelector(push ? '[data-act="hold"]' : '[data-act="mute"]').focus();
  }

  /** Hears the replies to somebody who speaks on another device, or types. */
  async #listenOnly() {
    if (this.#line || !(await this.#listen(() => {}, true))) return;
    this.#swap(true, false);
    for (const act of ["mute", "push", "quiet"]) this.#panel.querySelector(`[data-act="${act}"]`).hidden = true;
    this.#state("connecting", say("Connecting"));
    this.#dial({ watch: true, listen: true });
    this.#panel.querySelector('[data-act="end"]').focus();
  }

  #dial(start) {
    this.#awake = new Awake();
    this.#heard = new Place();
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/v1/sessions/${encodeURIComponent(this.#page.sessionId)}/voice`;
    this.#line = new Line(url, start, {
      event: (frame) => this.#take(frame),
      sound: (samples) => this.#play(samples),
      state: (state) => state === "waiting" && this.#state("connecting", say("Connecting again")),
      rest: () => this.#heard.rest(this.#sound?.place ?? { turn: 0, ms: 0 }),
    });
  }

  #take(frame) {
    switch (frame.type) {
      case "state":
        if (this.#page.lacks === "hearing") this.#own?.wait(frame.state !== "listening");
        return this.#state(frame.state, this.#muted && frame.state === "listening" ? say("Microphone off") : states[frame.state]?.());
      case "message":
        return frame.role === "assistant" ? this.#heard.reply(frame.turn) : undefined;
      case "spoken":
        return this.#heard.spoken(frame);
      case "caption":
        this.#heard.caption(frame);
        if (frame.turn !== this.#place.turn || frame.ms === 0) this.#place = { turn: frame.turn, at: (frame.ms * rate) / 1000 };
        return this.#caption(frame.text);
      case "consent":
        slot(this.#panel, "consent-text").textContent = frame.text;
        slot(this.#panel, "consent").hidden = false;
        return this.#panel.querySelector('[data-act="allow"]').focus();
      case "recorded":
        return this.#recorded(frame.on);
      case "partial":
        return this.#caption(frame.text);
      case "heard":
        return this.#caption(frame.text || say("No words were heard."));
      case "stop":
        return this.#stop(frame.turn);
      case "resume":
        this.#heard.resume(frame.turn);
        return (this.#place = { turn: frame.turn, at: (frame.ms * rate) / 1000 });
      case "reminder":
        if (frame.typing) document.getElementById("say").scrollIntoView({ block: "nearest" });
        return undefined;
      case "trouble":
        return this.#trouble(frame.detail);
      case "unsent":
        return this.#hooks.unsent(frame.text, frame.detail);
      case "end":
        return this.#end(frame.reason === "completed" ? say("Speaking has ended.") : frame.detail);
      default: // the events of the session come with the page's own stream
        return undefined;
    }
  }

  #consent(allowed) {
    this.#line?.send({ type: "consent", allowed });
  }

  /** Shows whether what one says is recorded. */
  #recorded(on) {
    const asked = slot(this.#panel, "consent");
    if (asked.contains(document.activeElement)) this.#panel.querySelector('[data-act="end"]').focus();
    asked.hidden = true;
    slot(this.#panel, "recorded").hidden = false;
    slot(this.#panel, "recorded-text").textContent = on ? say("What you say is recorded.") : say("Nothing is recorded.");
    slot(this.#panel, "recorded-stop").hidden = !on;
  }

  #play(samples) {
    this.#sound?.play(this.#place.turn, this.#place.at, samples);
    this.#place.at += samples.length;
  }

  /** The person speaks: silence at once, and how much was heard. */
  async #stop(turn) {
    this.#heard.stop(turn);
    const played = await this.#sound.stop();
    if (!this.#line?.watches) this.#line?.send({ type: "played", turn, ms: played.turn === turn ? played.ms : 0 });
  }

  #state(name, words) {
    this.#panel.dataset.state = name;
    slot(this.#panel, "state").textContent = words ?? "";
  }

  #caption(text) {
    slot(this.#panel, "caption").textContent = text;
  }

  #trouble(text) {
    slot(this.#panel, "trouble").textContent = text;
  }

  #mute() {
    this.#muted = !this.#muted;
    const button = this.#panel.querySelector('[data-act="mute"]');
    button.setAttribute("aria-pressed", String(this.#muted));
    button.textContent = this.#muted ? say("Unmute") : say("Mute");
    this.#line?.send({ type: "mute", muted: this.#muted });
    if (this.#panel.dataset.state === "listening") this.#state("listening", this.#muted ? say("Microphone off") : say("Listening"));
  }

  /** The button that is held while one speaks: by pointer, Space or Enter. */
  #holding(button) {
    const press = (down) => {
      if (down === this.#held || !this.#line) return;
      this.#held = down;
      button.toggleAttribute("data-held", down);
      this.#line.send({ type: down ? "press" : "release" });
    };
    const key = (event, down) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      press(down);
    };
    button.addEventListener("pointerdown", (event) => (button.setPointerCapture(event.pointerId), press(true)));
    for (const kind of ["pointerup", "pointercancel", "blur"]) button.addEventListener(kind, () => press(false));
    button.addEventListener("keydown", (event) => key(event, true));
    button.addEventListener("keyup", (event) => key(event, false));
  }

  /** Ends the call, if there is one, and tells why. */
  #end(reason) {
    const was = this.#line ?? this.#own;
    this.#line?.end();
    this.#own?.end();
    this.#sound?.close();
    this.#encoder?.close();
    this.#awake?.end();
    [this.#line, this.#own, this.#sound, this.#encoder, this.#awake, this.#held, this.#muted] = [null, null, null, null, null, false, false];
    for (const part of ["waves", "consent", "recorded"]) slot(this.#panel, part).hidden = true;
    slot(this.#panel, "tested").textContent = "";
    this.#swap(false, false);
    this.#state("off", "");
    this.#caption("");
    this.#trouble(reason);
    if (was && reason) this.#hooks.tell(reason);
  }

  /** Shows what is needed before a call, or during one. */
  #swap(during, push) {
    for (const part of ["setup", "before"]) slot(this.#panel, part).hidden = during;
    for (const part of ["live", "during"]) slot(this.#panel, part).hidden = !during;
    this.#panel.querySelector('[data-act="hold"]').hidden = !push;
    for (const act of ["mute", "push"]) this.#panel.querySelector(`[data-act="${act}"]`).hidden = push;
    this.#panel.querySelector('[data-act="free"]').hidden = !push;
    this.#panel.querySelector('[data-act="quiet"]').hidden = false;
    this.#panel.querySelector('[data-act="mute"]').textContent = this.#muted ? say("Unmute") : say("Mute");
    this.#panel.querySelector('[data-act="mute"]').setAttribute("aria-pressed", String(this.#muted));
  }
}

/** Puts devices into a select, after its first option, and keeps what is chosen. */
function choices(select, list) {
  const chosen = select.value;
  for (const option of [...select.options].slice(1)) option.remove();
  for (const { id, name } of list) select.append(new Option(name, id));
  if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
}
