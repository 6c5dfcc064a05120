// The transcript on the page: entries of the model drawn as articles.

import { fileLinks } from "./files.js";
import { build, parse, settledUpTo, update } from "./markdown.js";
import { renew } from "../static/parts.js";
import { fill, piece, slot } from "../static/pieces.js";
import { say } from "../static/said.js";

/** Messages draws entries into section, in the order of their turns. */
export class Messages {
  #section;

  constructor(section) {
    this.#section = section;
  }

  /** The ids of the messages that are there already. */
  known() {
    return [...this.#section.querySelectorAll(".message[id]")].map((el) => el.id.replace(/^m-/, ""));
  }

  /** Draws an entry, or draws it anew. */
  show(entry) {
    const el = this.#find(entry.id) ?? this.#insert(entry);
    el.dataset.state = entry.state;
    if (entry.author) fill(el, "author", entry.author);
    fill(el, "note", entry.note ? say("Answered by the built-in interviewer: {reason}", { reason: entry.note }) : noteOf(entry.state));
    drawBody(slot(el, "body"), entry);
    if (entry.files && slot(el, "files")) fileLinks(slot(el, "files"), entry.files);
  }

  /** Takes an entry away. */
  drop(id) {
    const el = this.#find(id);
    if (el?.nextElementSibling?.matches(".failure")) el.nextElementSibling.remove();
    el?.remove();
  }

  /**
   * Tells under the message with that id why it was not sent or answered;
   * without such a message, at the end. retry and edit are what the buttons do,
   * null for no button. Returns what tells it.
   */
  fail(id, detail, { retry, edit }) {
    const el = this.#find(id) ?? this.#section.lastElementChild;
    if (el?.nextElementSibling?.matches(".failure")) el.nextElementSibling.remove();
    const box = piece("failure");
    fill(box, "detail", detail);
    for (const [act, run] of Object.entries({ retry, edit })) {
      const button = box.querySelector(`[data-act="${act}"]`);
      if (!run) button.remove();
      else button.addEventListener("click", () => (box.remove(), run()));
    }
    if (el) el.after(box);
    else this.#section.append(box);
    return box;
  }

  /** Takes all failures away that no unsent message needs. */
  forgive() {
    for (const box of this.#section.querySelectorAll(".failure")) {
      if (box.previousElementSibling?.dataset.state !== "failed") box.remove();
    }
  }

  /** Shows under each message what a page of the server has noted of it. */
  noted(page) {
    for (const line of page.querySelectorAll("[data-noted]")) {
      const old = this.#find(line.dataset.noted)?.querySelector('[data-slot="noted"]');
      if (old) renew(old, line.firstElementChild);
    }
  }

  /** Marks the list in the last message that a form says again below: it is left out while the form stands there. */
  abridge(question) {
    const prompts = (question?.fields ?? []).map((f) => f.prompt.trim());
    for (const list of this.#section.querySelectorAll(".from-assistant:last-child .prose > ul")) {
      list.classList.toggle("in-form", [...list.children].every((item) => prompts.includes(item.textContent.trim())));
    }
  }

  /** Moves the focus to the last message, for those who have no keyboard out. */
  focusLast() {
    [...this.#section.querySelectorAll(".message")].at(-1)?.focus({ preventScroll: true });
  }

  #find(id) {
    return document.getElementById(`m-${id}`);
  }

  #insert(entry) {
    const el = piece(entry.role);
    el.id = `m-${entry.id}`;
    const place = rank(entry.id);
    const before = [...this.#section.querySelectorAll(".message")].find((other) => rank(other.id.slice(2)) > place);
    if (before) before.before(el);
    else this.#section.append(el);
    return el;
  }
}

/** Where a message stands: by turn, the person first, unsent ones last. */
function rank(id) {
  const turn = parseInt(id, 10);
  if (Number.isNaN(turn)) return Infinity;
  return turn * 2 + (id.endsWith("-assistant") ? 1 : 0);
}

const notes = {
  sending: () => say("Sending"),
  waiting: () => say("Waits for the connection, and goes out by itself"),
  failed: () => say("Not sent"),
  cut: () => say("Interrupted: it goes on once the connection is back"),
  stopped: () => say("Stopped"),
  interrupted: () => say("Interrupted here"),
};

function noteOf(state) {
  return notes[state]?.() ?? "";
}

function drawBody(body, { role, state, text }) {
  if (role === "user") {
    if (body.textContent !== text) body.textContent = text;
  } else if (state === "thinking") {
    settled.delete(body);
    body.textContent = say("One moment");
  } else if (state === "writing" || state === "cut") {
    grow(body, text);
  } else {
    body.replaceChildren(...build(parse(text)));
  }
}

/** How much of a reply that grows was read for good: the text, and how many nodes it makes. */
const settled = new WeakMap();

/** Draws a reply that grows, reading anew only what may still change. */
function grow(body, text) {
  const head = text.slice(0, settledUpTo(text));
  if (settled.get(body)?.head !== head) {
    const nodes = parse(head);
    update(body, nodes);
    settled.set(body, { head, count: nodes.length });
  }
  update(body, parse(text.slice(head.length)), settled.get(body).count);
}
