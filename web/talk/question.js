// The question card, which the server draws, and what is filled into it.

import { HalfFilled } from "./drafts.js";
import { renew } from "../static/parts.js";
import { show } from "../static/pieces.js";

/** The fields a question is answered in; the sides of a conflict are picked anew. */
const answerable = '.question:not([data-purpose="conflict"]) [data-say] .field';

/**
 * QuestionCard shows one question at a time in place. What is filled in and not sent
 * stays filled in when the same is asked again, also over a reload.
 */
export class QuestionCard {
  /** The question being asked; null for none. */
  asked;
  #place;
  #filled;
  #another = false; // than the card shows

  constructor(place, page) {
    this.#place = place;
    this.asked = page.question ?? null;
    this.#filled = new HalfFilled(page.sessionId);
    place.addEventListener("input", (event) => this.#typed(event));
    this.#refill();
  }

  /** Asks question, null for nothing; its card is drawn later. */
  ask(question) {
    this.asked = question;
    this.#another = true;
  }

  /** Shows the server's card, null for none. */
  draw(fresh) {
    const now = this.#place.firstElementChild;
    if (now && fresh && !this.#another) return renew(now, fresh);
    this.#another = false;
    this.#place.replaceChildren(...(fresh ? [fresh] : []));
    this.#refill();
  }

  /** Forgets what is filled in: it was sent. */
  sent() {
    for (const field of this.#fields()) this.#filled.forget(field.dataset.key);
  }

  /** Event "obligation": what is known, or left out, is filled in no more. */
  learnt({ key, status, value }) {
    if (value !== undefined || status === "skipped") this.#filled.forget(key);
  }

  /**
   * "open" takes answers; "sending" does not, but keeps what is filled in; "away" hides
   * the card while the reply is written.
   */
  turn(state) {
    const card = this.#place.firstElementChild;
    if (card) card.inert = state !== "open";
    this.#place.hidden = state === "away";
  }

  /** Tells what is missing of a card that was sent empty, and points at its first field. */
  wantMore() {
    show(this.#place, "empty", true);
    this.#place.querySelector(".field input, .field textarea")?.focus();
  }

  #typed(event) {
    clearRivals(event);
    show(this.#place, "empty", false);
    const field = event.target.closest(answerable);
    if (field) this.#filled.keep(field);
  }

  #refill() {
    for (const field of this.#fields()) this.#filled.restore(field);
  }

  #fields() {
    return this.#place.querySelectorAll(answerable);
  }
}

/** Typing something else takes back what was picked beside it, and the other way round. */
export function clearRivals({ target }) {
  const field = target.closest(".field");
  if (target.dataset.slot === "otherinput" && target.value.trim()) {
    for (const radio of field.querySelectorAll('input[type="radio"]')) radio.checked = false;
    for (const day of field.querySelectorAll('input[type="date"]')) day.value = "";
  } else if (target.type === "radio" || (target.type === "date" && target.value)) {
    for (const other of field.querySelectorAll('[data-slot="otherinput"]')) other.value = "";
  }
}
