// What is said aloud: one line at a time, for screen readers.

import { Sentences } from "./sentences.js";

const kept = 12;

/** Announcer adds lines to a polite live region. */
export class Announcer {
  #region;
  #reading = null;

  constructor(region) {
    this.#region = region;
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
    if (this.#reading?.turn !== turn) this.#reading = { turn, sentences: new Sentences() };
    for (const sentence of this.#reading.sentences.upTo(text)) this.say(sentence);
  }

  /** Reads what is left of a turn's reply; known says it was on the page before. */
  finish(turn, text) {
    if (this.#reading?.turn !== turn) this.#reading = { turn, sentences: new Sentences() };
    for (const sentence of this.#reading.sentences.rest(text)) this.say(sentence);
  }
}
