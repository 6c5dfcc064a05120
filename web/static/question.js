// The question card: widgets to answer by picking.

import { HalfFilled } from "./drafts.js";
import { aim, fill, phrase, piece, show, slot } from "./pieces.js";
import { displayValue, thousands, unitWords } from "./values.js";

/** The fields a question is answered in; the sides of a conflict are picked anew. */
const answerable = '.question:not([data-purpose="conflict"]) [data-say] .field';

/**
 * QuestionCard shows one question at a time in place. What is filled in and not sent
 * stays filled in when the same is asked again, also over a reload.
 */
export class QuestionCard {
  #place;
  #page;
  #asked;
  #filled;
  #dress = null;

  constructor(place, page) {
    this.#place = place;
    this.#asked = page.question ?? null;
    this.#page = page;
    this.#filled = new HalfFilled(page.sessionId);
    place.addEventListener("input", (event) => this.#typed(event));
    this.#refill();
  }

  /** The question being asked; null for none. */
  get asked() {
    return this.#asked;
  }

  /** Asks question, null for nothing. */
  ask(question) {
    this.#asked = question;
    this.#dress = null;
    this.#place.replaceChildren(...(question ? [card(question, this.#page)] : []));
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
   * "open" takes answers; "sending" does not, but keeps what is filled in;
   * "away" hides the card while the reply is written. A question the page was
   * drawn without appears when it is opened.
   */
  turn(state) {
    if (state === "open" && this.#asked && !this.#place.firstElementChild) this.ask(this.#asked);
    const section = this.#place.firstElementChild;
    if (section) section.inert = state !== "open";
    this.#place.hidden = state === "away";
    if (state === "open" && this.#dress) this.dress(this.#dress);
  }

  /**
   * Puts the server's card in the place of this one: it says more of where values
   * come from. A card somebody is at stays, unless what it asks is settled.
   */
  dress(fresh) {
    const now = this.#place.firstElementChild;
    this.#dress = now?.inert ? fresh : null; // until the card takes answers
    if (!now || !fresh || now.inert || this.#place.hidden) return;
    const settled = fresh.dataset.purpose === "settled";
    const same = fresh.dataset.purpose === now.dataset.purpose && fresh.dataset.key === now.dataset.key;
    const busy = now.contains(document.activeElement) || now.querySelector(":checked, .answer, [open]");
    if (settled || (same && !busy && ["confirm", "conflict"].includes(now.dataset.purpose))) now.replaceWith(document.adoptNode(fresh));
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

  /** Says what is missing of a card that was sent empty, and points at its first field. */
  wantMore() {
    show(this.#place, "empty", true);
    this.#place.querySelector(".field input, .field textarea")?.focus();
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

function card(q, page) {
  const { words } = page;
  const section = piece(`question-${q.missing?.length > 0 ? "without" : q.purpose}`);
  section.dataset.key = q.key ?? "";
  const change = section.querySelector("[data-edit]");
  if (change) aim(change, page, q.key, q.label || q.prompt);
  const title = slot(section, "title");
  if (q.purpose !== "form" && q.purpose !== "finish") title.textContent = (q.label || q.prompt) + title.textContent;
  slot(section, "fields").append(...fields(q, words));
  if (q.purpose === "ask" && q.widgetType === "text") section.querySelector(".question-foot").replaceChildren();
  if (q.purpose === "ask" && q.attempt > 1 && q.examples?.length > 0) slot(section, "examples").append(...examples(q.examples));
  fill(section, "why", q.why ?? "");
  show(section, "whybox", Boolean(q.why));
  return section;
}

function fields(q, words) {
  switch (q.purpose) {
    case "form":
      return q.fields.map((f) => field(f, words, true));
    case "ask":
      return q.widgetType === "text" ? [] : [field(q, words, false)];
    case "confirm":
      return [proposal(displayValue(q, q.proposal))];
    case "conflict":
      return [sides(q, words)];
    default:
      return [];
  }
}

function field(q, words, prompted) {
  const el = named(piece(`field-${q.widgetType || "text"}`), q, prompted);
  const options = slot(el, "options");
  const type = q.widgetType === "multiselect" ? "checkbox" : "radio";
  options?.append(...(q.choices ?? []).map((c) => option(type, `answer.${q.key}`, c.value, c.label)));
  if (options && !q.allowOther) slot(el, "other").remove();
  if (q.widgetType === "number") bounds(el, q, words);
  return el;
}

/** Gives a field its question's name everywhere. */
function named(el, q, prompted) {
  const key = q.key ?? "";
  el.dataset.key = key;
  el.dataset.testid = `field-${key}`;
  fill(el, "prompt", q.prompt);
  slot(el, "prompt").classList.toggle("sr-only", !prompted);
  for (const [name, prefix, test] of [["input", "answer.", "input-"], ["otherinput", "other.", "other-"]]) {
    const input = slot(el, name);
    if (!input) continue;
    input.name = prefix + key;
    input.dataset.testid = test + key;
  }
  return el;
}

function option(type, name, value, label) {
  const el = piece("option");
  const input = slot(el, "input");
  input.type = type;
  input.name = name;
  input.value = value;
  input.dataset.testid = `option-${value}`;
  fill(el, "label", label || value);
  return el;
}

function bounds(el, q, words) {
  const input = slot(el, "input");
  input.step = q.integer ? "1" : "any";
  if (q.min !== undefined) input.min = String(q.min);
  if (q.max !== undefined) input.max = String(q.max);
  const [min, max] = [q.min, q.max].map((x) => (x === undefined ? "" : thousands(x)));
  fill(el, "unit", unitWords(q.unit));
  const text = min && max ? words.between : min ? words.atLeast : max ? words.atMost : "";
  fill(el, "hint", phrase(text, { min, max }));
}

function proposal(text) {
  const el = piece("proposal");
  el.textContent = text;
  return el;
}

function sides(q, words) {
  const el = field({ ...q, widgetType: "choice", choices: [], allowOther: false }, words, false);
  const box = slot(el, "options");
  box.className = "sides";
  box.append(...(q.values ?? []).map((v, i) => side(q, i, displayValue(q, v))));
  return el;
}

function side(q, i, text) {
  const el = piece("side");
  Object.assign(slot(el, "input"), { name: `answer.${q.key ?? ""}`, value: String(i) });
  fill(el, "label", text);
  return el;
}

function examples(list) {
  const lead = document.createElement("p");
  lead.className = "quiet";
  lead.textContent = "For example:";
  const ul = document.createElement("ul");
  ul.className = "examples";
  ul.append(...list.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  return [lead, ul];
}
