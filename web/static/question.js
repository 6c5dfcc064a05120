// The question card: widgets to answer by picking.

import { fill, phrase, piece, show, slot } from "./pieces.js";
import { displayValue, thousands, unitWords } from "./values.js";

/** QuestionCard shows one question at a time in place. */
export class QuestionCard {
  #place;
  #words;
  #asked;

  constructor(place, asked, words) {
    this.#place = place;
    this.#asked = asked ?? null;
    this.#words = words;
    place.addEventListener("input", clearRivals);
  }

  /** The question being asked; null for none. */
  get asked() {
    return this.#asked;
  }

  /** Asks question, null for nothing. */
  ask(question) {
    this.#asked = question;
    this.#place.replaceChildren(...(question ? [card(question, this.#words)] : []));
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
  }

  /** Points at the first field of a card that was sent empty. */
  wantMore() {
    this.#place.querySelector("input")?.focus();
  }
}

/** Typing something else takes back the choice made beside it. */
function clearRivals({ target }) {
  if (target.dataset.slot !== "otherinput" || !target.value.trim()) return;
  for (const radio of target.closest(".field").querySelectorAll('input[type="radio"]')) radio.checked = false;
}

function card(q, words) {
  const section = piece(`question-${q.purpose}`);
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
  slot(el, "options").append(...(q.values ?? []).map((v, i) => option("radio", `answer.${q.key ?? ""}`, String(i), displayValue(q, v))));
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
