// What is said aloud: one line at a time, for screen readers.

import { Sentences } from "./sentences.js";

const kept = 12;

/**
 * Announcer adds lines to a polite live region. memory keeps how much of which
 * turn's reply was read, as {turn, told}, over a reload: load() and save(it).
 */
export class Announcer {
  #region;
  #memory;
  #reading = null;

  constructor(region, memory = { load: () => null, save: () => {} }) {
    this.#region = region;
    this.#memory = memory;
  }

  /** Says one line. */
  say(text) {
    if (!text) return;
    const line = document.createElement("p");
    line.textContent = text;
    this.#region.append(line);
    while (this.#region.childElementCount > kept) this.#region.firstElementChild.remove();
  }

  /** Reads a growing reply of a turn, sentence by sentence. */
  read(turn, text) {
    this.#tell(turn, (sentences) => sentences.upTo(text));
  }

  /** Reads what is left of a turn's reply. */
  finish(turn, text) {
    this.#tell(turn, (sentences) => sentences.rest(text));
  }

  #tell(turn, read) {
    if (this.#reading?.turn !== turn) {
      const kept = this.#memory.load();
      this.#reading = { turn, sentences: new Sentences(kept?.turn === turn ? kept.told : 0) };
    }
    const { sentences } = this.#reading;
    const fresh = read(sentences);
    for (const sentence of fresh) this.say(sentence);
    if (fresh.length > 0) this.#memory.save({ turn, told: sentences.told });
  }
}

/** toldIn keeps what was read of a session in the tab's storage. */
export function toldIn(sessionId) {
  const key = `quaestor.told.${sessionId}`;
  return {
    load() {
      try {
        return JSON.parse(sessionStorage.getItem(key) ?? "null");
      } catch {
        return null;
      }
    },
    save(told) {
      try {
        sessionStorage.setItem(key, JSON.stringify(told));
      } catch {
        // a reload may read it again
      }
    },
  };
}
