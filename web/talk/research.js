// What is being looked up: cards kept up to date from events, and forms sent
// without leaving the page. Cards are the server's: a script only fills in what
// happens now, and asks for the card anew when something came of it.

import { Latest, fetchPart, renew } from "../static/parts.js";
import { fill, slot } from "../static/pieces.js";
import { newId, sendForms } from "../static/send.js";

const over = new Set(["completed", "failed", "cancelled"]);

/**
 * cardFor tells what an event calls for, given what the card on the page knows
 * ({status, steered, disputed}, null for no card): "fresh" for the card anew, "fill" for
 * what happens now, "" for nothing. An event that is told again changes nothing.
 */
export function cardFor(card, { status, steering = [], disputed = "" }) {
  if (!card) return "fresh";
  if (over.has(card.status)) return disputed && disputed !== card.disputed ? "fresh" : "";
  if (over.has(status) || steering.length > card.steered) return "fresh";
  return "fill";
}

/** standing names where a task is: by what came of it, or by its status. */
export function standing({ status, outcome }) {
  return (status === "completed" && outcome) || status;
}

/** counted says how much was read and found; empty when an event does not know. */
export function counted({ sources, claims }) {
  if (sources === undefined && claims === undefined) return "";
  return `${many(sources ?? 0, "source read", "sources read")}, ${many(claims ?? 0, "claim", "claims")}`;
}

function many(n, one, more) {
  return n === 1 ? `1 ${one}` : `${n} ${more}`;
}

/** Research draws events into the page's list of what is looked up. */
export class Research {
  #page;
  #say;
  #box = document.getElementById("research");
  #now = new Map();
  #cards = new Latest((id) => this.#redraw(id));

  /** say(text) tells people who do not see the page. */
  constructor(page, say) {
    this.#page = page;
    this.#say = say;
    sendForms("[data-research]", (form, result) => this.#sent(form, result));
  }

  /** Event "research". label(key) is what an obligation is called. */
  researching(e, label) {
    const card = this.#card(e.taskId);
    const calls = cardFor(card && { status: card.dataset.status, steered: Number(card.dataset.steered), disputed: card.dataset.disputed }, e);
    if (!calls) return;
    if (!over.has(e.status)) this.#now.set(e.taskId, e);
    const subject = e.key ? label(e.key) : e.query;
    if (!card || card.dataset.status !== e.status) this.#say(`${subject}: ${this.#standing(e)}.`);
    if (card) fillIn(card, e, this.#standing(e));
    if (calls === "fresh") this.#bring(e.taskId);
  }

  /** An obligation changed: what may be done with what was proposed for it may, too. */
  touched(key) {
    for (const card of this.#box.querySelectorAll(".task")) {
      if (card.dataset.key === key && card.dataset.status === "completed") this.#bring(card.dataset.task);
    }
  }

  #card(id) {
    return document.getElementById(`task-${id}`);
  }

  #standing(e) {
    return this.#page.words.research[standing(e)] ?? e.status;
  }

  async #bring(id) {
    this.#box.setAttribute("aria-busy", "true");
    await this.#cards.ask(id);
    this.#box.removeAttribute("aria-busy");
  }

  /** Makes the card what the server draws; what happens now is told again. */
  async #redraw(id) {
    const fresh = await fetchPart(`/s/${encodeURIComponent(this.#page.sessionId)}/research/${encodeURIComponent(id)}/card`, ".task");
    if (!fresh) return;
    const card = this.#card(id);
    if (card) renew(card, fresh);
    else slot(this.#box, "tasks").append(fresh);
    this.#box.hidden = false;
    const now = this.#now.get(id);
    if (over.has(fresh.dataset.status)) this.#now.delete(id);
    else if (now) fillIn(this.#card(id), now, this.#standing(now));
  }

  #sent(form, { ok, detail }) {
    const said = document.getElementById("research-said");
    said.textContent = ok ? form.dataset.done : detail;
    said.classList.toggle("refused", !ok);
    if (!ok) return;
    const fresh = form.querySelector("[data-fresh]");
    form.reset();
    if (fresh) fresh.value = newId();
    const box = form.closest("details");
    if (box) box.open = false;
    const id = form.closest(".task")?.dataset.task;
    if (id) this.#bring(id);
    (box?.querySelector("summary") ?? form.closest(".task"))?.focus();
  }
}

/** Tells in a card what happens now, and how far it is. */
function fillIn(card, e, state) {
  card.classList.replace(`task-${card.dataset.standing}`, `task-${standing(e)}`);
  Object.assign(card.dataset, { status: e.status, standing: standing(e) });
  fill(card, "state", state);
  fill(card, "doing", over.has(e.status) ? "" : (e.doing ?? ""));
  fill(card, "note", e.failure ?? e.note ?? "");
  if (counted(e)) fill(card, "counts", counted(e));
}
