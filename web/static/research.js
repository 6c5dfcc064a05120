// What is being looked up: cards kept up to date from events, and forms sent
// without leaving the page. Cards are the server's: a script only fills in what
// happens now, and asks for the card anew when something came of it.

import { fetchPart, fill, piece, slot } from "./pieces.js";
import { newId, postForm } from "./send.js";

const over = new Set(["completed", "failed", "cancelled"]);

/**
 * cardFor tells what an event calls for, given what the card on the page knows
 * ({status, steered}, null for no card): "fresh" for the card anew, "fill" for
 * what happens now, "" for nothing. An event that is told again changes nothing.
 */
export function cardFor(card, { status, steering = [] }) {
  if (!card) return "fresh";
  if (over.has(card.status)) return "";
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

/** Latest runs a job for a name; asked again while it runs, it runs once more. */
export class Latest {
  #run;
  #busy = new Map();

  constructor(run) {
    this.#run = run;
  }

  /** Runs the job for name; resolves when nothing is left to do for it. */
  async ask(name) {
    if (this.#busy.has(name)) return this.#busy.set(name, true);
    do {
      this.#busy.set(name, false);
      await this.#run(name);
    } while (this.#busy.get(name));
    return this.#busy.delete(name);
  }
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
    document.addEventListener("submit", (event) => this.#submit(event));
  }

  /** Event "research". label(key) is what an obligation is called. */
  researching(e, label) {
    const card = this.#card(e.taskId);
    const calls = cardFor(card && { status: card.dataset.status, steered: Number(card.dataset.steered) }, e);
    if (!calls) return;
    if (!over.has(e.status)) this.#now.set(e.taskId, e);
    const subject = e.key ? label(e.key) : e.query;
    if (!card || card.dataset.status !== e.status) this.#say(`${subject}: ${this.#standing(e)}.`);
    if (!card) this.#add(e, subject);
    this.#fill(e);
    if (calls === "fresh") this.#cards.ask(e.taskId);
  }

  /** An obligation changed: what may be done with what was proposed for it may, too. */
  touched(key) {
    for (const card of this.#box.querySelectorAll(".task")) {
      if (card.dataset.key === key && card.dataset.status === "completed") this.#cards.ask(card.dataset.task);
    }
  }

  #card(id) {
    return document.getElementById(`task-${id}`);
  }

  #standing(e) {
    return this.#page.words.research[standing(e)] ?? e.status;
  }

  #add(e, subject) {
    const card = Object.assign(piece("task"), { id: `task-${e.taskId}` });
    Object.assign(card.dataset, { task: e.taskId, key: e.key ?? "", steered: "0" });
    fill(card, "subject", subject);
    slot(this.#box, "tasks").append(card);
    this.#box.hidden = false;
  }

  /** What happens now, and how far it is. */
  #fill(e) {
    const card = this.#card(e.taskId);
    card.dataset.status = e.status;
    card.className = `task task-${standing(e)}`;
    fill(card, "state", this.#standing(e));
    fill(card, "doing", over.has(e.status) ? "" : (e.doing ?? ""));
    fill(card, "note", e.failure ?? e.note ?? "");
    if (counted(e)) fill(card, "counts", counted(e));
  }

  /** Puts the server's card in the place of the one that is there. */
  async #redraw(id) {
    const fresh = await fetchPart(`/s/${encodeURIComponent(this.#page.sessionId)}/research/${encodeURIComponent(id)}/card`, ".task");
    const old = this.#card(id);
    if (!fresh || !old) return;
    swap(old, fresh);
    const now = this.#now.get(id);
    if (over.has(fresh.dataset.status)) this.#now.delete(id);
    else if (now) this.#fill(now);
  }

  async #submit(event) {
    const form = event.target;
    if (!form.matches("[data-research]")) return;
    event.preventDefault();
    if (form.dataset.sending) return;
    form.dataset.sending = "yes";
    const { ok, detail } = await postForm(form);
    delete form.dataset.sending;
    const said = document.getElementById("research-said");
    said.textContent = ok ? form.dataset.done : detail;
    said.classList.toggle("refused", !ok);
    if (ok) this.#sent(form);
  }

  #sent(form) {
    const fresh = form.querySelector("[data-fresh]");
    form.reset();
    if (fresh) fresh.value = newId();
    const box = form.closest("details");
    if (box) box.open = false;
    const id = form.closest(".task")?.dataset.task;
    if (id) this.#cards.ask(id);
    (box?.querySelector("summary") ?? form.closest(".task"))?.focus();
  }
}

/** swap puts a card in another's place; what somebody was about to write or press is there, too. */
export function swap(old, fresh) {
  const at = old.contains(document.activeElement) ? document.activeElement : null;
  for (const part of old.querySelectorAll("details, textarea, input")) {
    const same = twin(part, fresh);
    if (same) Object.assign(same, part.matches("details") ? { open: part.open } : { value: part.value });
  }
  old.replaceWith(fresh);
  if (at) (twin(at.closest("[data-testid]"), fresh) ?? fresh).focus({ preventScroll: true });
}

/** The same part in fresh: of several of a name, the one below the same id. */
function twin(part, fresh) {
  const id = part.closest("[id]")?.id;
  const near = (id && fresh.querySelector(`#${CSS.escape(id)}`)) || fresh;
  const name = `[data-testid="${part.dataset.testid}"]`;
  return near.matches(name) ? near : near.querySelector(name);
}
