// The panel of what is known, kept up to date.

import { evidenceItem, toldOnce } from "./evidence.js";
import { aim, fill, phrase, piece, show, slot } from "./pieces.js";
import { displayValue, heldValue } from "./values.js";

const farthest = 3;

/** Panel draws events into the page's panel. who(user) names a person. */
export class Panel {
  #page;
  #who;
  #phase = document.querySelector("#steps [aria-current]")?.dataset.phase;
  #progress = document.getElementById("meter").value;
  #asked;

  constructor(page, who) {
    this.#page = page;
    this.#who = who;
    this.#asked = keysOf(page.question);
  }

  /** Event "question", null for none: says of what is open what is being asked now. */
  asking(question) {
    this.#asked = keysOf(question);
    for (const row of document.querySelectorAll("#groups .ob-in_progress")) fill(row, "status", this.#statusWords({ key: row.dataset.key, status: "in_progress" }));
  }

  /** Event "obligation". Returns what there is to say of it. */
  learnt(e) {
    const { words } = this.#page;
    const row = rowOf(e.key) ?? newRow(e, this.#page);
    const shape = shapeOf(row);
    row.className = `ob ob-${e.status}`;
    row.querySelector(".chip use").setAttribute("href", `#i-${e.status}`);
    fill(row, "status", this.#statusWords(e));
    const value = slot(row, "value");
    if (e.value !== undefined || value.dataset.disputed === undefined) value.textContent = heldValue(shape, e.value, e.evidence);
    show(row, "surebox", e.value !== undefined);
    fill(row, "band", words.band[e.band] ?? "");
    fill(row, "confidence", e.confidence.toFixed(2));
    if (e.previousValue !== undefined) {
      fill(row, "previous", displayValue(shape, e.previousValue));
      show(row, "previousbox", true);
    }
    fill(row, "editword", e.value === undefined ? words.answer : words.change);
    slot(row, "evidence").replaceChildren(
      ...toldOnce(e.evidence ?? []).map((one) => evidenceItem(one, shape, { words, name: this.#who, label: labelOf, session: this.#page.sessionId })),
    );
    flash(row);
    this.#farthest();
    return e.status === "satisfied" ? `Noted: ${labelOf(e.key)}, ${heldValue(shape, e.value, e.evidence)}.` : "";
  }

  #statusWords({ key, status, skipReason }) {
    const { words } = this.#page;
    if (status === "in_progress" && this.#asked.includes(key)) return words.asking;
    return (status === "skipped" && words.skip[skipReason]) || words.status[status] || status;
  }

  /** Event "completeness". */
  scored(e) {
    const score = { progress: percent(e.progress), score: percent(e.score), satisfied: e.satisfied, partial: e.partial, skipped: e.skipped, total: e.total };
    for (const [name, number] of Object.entries(score)) {
      for (const place of document.querySelectorAll(`[data-slot="${name}"]`)) place.textContent = String(number);
    }
    for (const name of ["partial", "skipped"]) show(document.getElementById("progress"), `${name}box`, score[name] > 0);
    document.getElementById("meter").value = percent(e.progress);
    const box = document.getElementById("progress");
    const missing = e.missingRequired ?? [];
    fill(box, "missing", missing.map(labelOf).join(", "));
    show(box, "missingbox", missing.length > 0);
    this.#progress = score.progress;
    this.#next();
  }

  /** Says what the phase means, and when the next one begins. */
  #next() {
    const { phases, words } = this.#page;
    const at = phases.findIndex((p) => p.phase === this.#phase);
    const about = document.getElementById("about");
    fill(about, "phasename", phases[at]?.name ?? "");
    fill(about, "phasemeaning", phases[at]?.meaning ?? "");
    const next = phases[at + 1];
    fill(about, "nextphase", next ? phrase(words.nextPhase, { name: next.name, from: next.from, now: this.#progress }) : words.lastPhase);
  }

  /** Names what is open and matters most. */
  #farthest() {
    const open = [...document.querySelectorAll("#groups .ob:not(.ob-satisfied, .ob-skipped)")].sort((a, b) => Number(b.dataset.priority ?? 0) - Number(a.dataset.priority ?? 0));
    const about = document.getElementById("about");
    fill(about, "nextlist", open.slice(0, farthest).map((row) => slot(row, "name").textContent).join(", "));
    show(about, "nextbox", open.length > 0);
  }

  /** Event "phase". Returns the phase's name. */
  entered({ phase }) {
    const order = this.#page.phases.map((p) => p.phase);
    this.#phase = phase;
    this.#next();
    let name = phase;
    for (const step of document.querySelectorAll("#steps .step")) {
      const distance = order.indexOf(step.dataset.phase) - order.indexOf(phase);
      step.className = `step step-${distance < 0 ? "done" : distance > 0 ? "ahead" : "current"}`;
      step.toggleAttribute("aria-current", false);
      if (distance === 0) {
        step.setAttribute("aria-current", "step");
        name = step.textContent.trim();
      }
    }
    return name;
  }

  /** Event "negotiation". */
  disputed({ key, status, rounds = [] }) {
    const { words } = this.#page;
    this.#flag(key, "dispute", words.dispute[status] ?? "");
    const row = rowOf(key);
    const value = row && slot(row, "value");
    const proposal = rounds.at(-1)?.agentProposal;
    if (!value) return;
    if (words.dispute[status] === undefined) delete value.dataset.disputed;
    else if (value.textContent === "" && proposal !== undefined) {
      value.dataset.disputed = "";
      value.textContent = phrase(words.disputed, { value: displayValue(shapeOf(row), proposal) });
    }
  }

  /** Event "participant". Returns what there is to say of it. */
  attended({ userId, role, change }) {
    const { parts } = this.#page.words;
    const list = document.querySelector("#people ul");
    const there = [...list.children].find((li) => li.dataset.user === userId);
    if (change !== "joined") there?.remove();
    else if (!there) list.append(person(userId, this.#who(userId), parts[role] ?? role));
    return change === "joined" ? `${this.#who(userId)} takes part now.` : `${this.#who(userId)} takes part no longer.`;
  }

  /** Event "conflict". */
  clashing({ keys, status }) {
    for (const key of keys) this.#flag(key, "clash", status === "open" ? this.#page.words.conflict : "");
  }

  #flag(key, what, text) {
    const row = rowOf(key);
    if (!row) return;
    fill(row, what, text);
    flash(row);
  }
}

/** labelOf is what an obligation is called. */
export function labelOf(key) {
  const row = rowOf(key);
  return row ? slot(row, "name").textContent : key.replaceAll("_", " ");
}

/** knowable tells whether some source outside may know what a question asks, null for no question. */
export function knowable(question) {
  return keysOf(question).some((key) => key && !shapeOf(rowOf(key)).private);
}

/** shapeOf is what an obligation's values look like; nothing is known of a row that is not there. */
export function shapeOf(row) {
  return JSON.parse(row?.dataset.shape || "{}");
}

/** The keys a question is about, null for no question. */
function keysOf(question) {
  return question?.fields?.map((f) => f.key) ?? [question?.key];
}

function percent(x) {
  return Math.round(x * 100);
}

function rowOf(key) {
  return document.getElementById(`ob-${key}`);
}

/** An obligation that came up in the conversation gets its row. */
function newRow({ key, label, category = "" }, page) {
  const row = piece("obligation");
  row.id = `ob-${key}`;
  row.dataset.key = key;
  row.dataset.testid = `obligation-${key}`;
  fill(row, "name", label);
  const edit = row.querySelector("[data-edit]");
  if (edit) aim(edit, page, key, label);
  slot(groupOf(category), "rows").append(row);
  return row;
}

function groupOf(category) {
  const groups = document.getElementById("groups");
  const found = [...groups.children].find((g) => g.dataset.category === category);
  if (found || (!category && groups.lastElementChild)) return found ?? groups.lastElementChild;
  const group = piece("category");
  group.dataset.category = category;
  fill(group, "name", category);
  groups.append(group);
  return group;
}

function person(user, name, part) {
  const li = document.createElement("li");
  const role = Object.assign(document.createElement("span"), { className: "quiet", textContent: part });
  Object.assign(li.dataset, { user, testid: "person" });
  li.append(`${name} `, role);
  return li;
}

/** Draws the eye to what has changed, once. */
function flash(row) {
  row.classList.remove("changed");
  requestAnimationFrame(() => row.classList.add("changed"));
}
