// Where the person writes: Enter sends, nothing typed is lost.

import { drafts } from "./drafts.js";
import { Attachments, NoFiles } from "./files.js";

/** Reader stands in for the composer where one only reads along. */
export class Reader {
  files = new NoFiles();
  clear() {}
  restore() {}
  keep() {}
  focus() {}
  holds() {
    return false;
  }
  busy() {}
  paused() {}
  offer() {}
}

/**
 * Composer wraps the dock; it keeps the draft of a session over reloads. say(text)
 * tells those who do not see what becomes of files.
 */
export class Composer {
  /** The files that go with the next message. */
  files;
  #dock;
  #box;
  #key;

  constructor(dock, sessionId, say = () => {}) {
    this.files = new Attachments(dock, sessionId, say);
    this.#dock = dock;
    this.#box = dock.querySelector("textarea");
    this.#key = `quaestor.draft.${sessionId}`;
    this.#box.required = false; // the script says it better
    if (!this.#box.value) this.#box.value = drafts.read(this.#key);
    this.#box.addEventListener("input", () => drafts.write(this.#key, this.#box.value));
    this.#box.addEventListener("keydown", (event) => this.#enter(event));
  }

  /** Empties the box. */
  clear() {
    this.#box.value = "";
    this.files.clear();
    drafts.write(this.#key, "");
  }

  /** Puts text back, before what was typed since. */
  restore(text) {
    this.#box.value = [text, this.#box.value].filter(Boolean).join("\n");
    drafts.write(this.#key, this.#box.value);
    this.focus();
  }

  /** Keeps messages that were not sent, with the draft, for the next visit. */
  keep(unsent) {
    drafts.write(this.#key, [...unsent, this.#box.value].filter(Boolean).join("\n"));
  }

  /** Whether something is typed that was not sent. */
  holds() {
    return this.#box.value !== "";
  }

  /** Moves the focus to the box. */
  focus() {
    this.#box.focus({ preventScroll: true });
  }

  /**
   * Shows whether a turn runs: 0 for none. Writing goes on, sending waits; the
   * stop button is there once the turn is known.
   */
  busy(running, turn) {
    this.#dock.classList.toggle("busy", running);
    const stop = this.#dock.querySelector("#stop");
    if (!running && document.activeElement === stop) this.focus(); // else it would be lost
    stop.hidden = !running || !turn;
    for (const button of this.#dock.querySelectorAll('button[type="submit"]')) button.setAttribute("aria-disabled", String(running));
  }

  /** Says why an interview rests; nothing for one that goes on. */
  paused(text) {
    this.#dock.querySelector("#paused").textContent = text;
  }

  /** Shows or hides one of the quick answers. */
  offer(name, useful) {
    this.#dock.querySelector(`[data-testid="quick-${name}"]`).hidden = !useful;
  }

  #enter(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.#box.form.requestSubmit();
  }
}
