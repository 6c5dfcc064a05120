// The panel of what is known, kept up to date.

import { evidenceItem } from "./evidence.js";
import { fill, piece, show, slot } from "./pieces.js";
import { displayValue } from "./values.js";

/** Panel draws events into the page's panel. who(user) names a person. */
export class Panel {
  #page;
  #who;

  constructor(page, who) {
    this.#page = page;
    this.#who = who;
  }

  /** Event "obligation". Returns what there is to say of it. */
  learnt(e) {
    const { words } = this.#page;
    const row = rowOf(e.key) ?? newRow(e);
    const shape = shapeOf(row);
    row.className = `ob ob-${e.status}`;
    row.querySelector(".chip use").setAttribute("href", `#i-${e.status}`);
    fill(row, "status", (e.status === "skipped" && words.skip[e.skipReason]) || words.status[e.status] || e.status);
    fill(row, "value", displayValue(shape, e.value));
    show(row, "surebox", e.value !== undefined);
    fill(row, "band", words.band[e.band] ?? "");
    fill(row, "confidence", e.confidence.toFixed(2));
    if (e.previousValue !== undefined) {
      fill(row, "previous", displayValue(shape, e.previousValue));
      show(row, "previousbox", true);
    }
    if (e.status === "satisfied") fill(row, "flag", "");
    slot(row, "evidence").replaceChildren(
      ...(e.evidence ?? []).map((one) => evidenceItem(one, shape, { words, name: this.#who, label: labelOf, session: this.#page.sessionId })),
    );
    flash(row);
    return e.status === "satisfied" ? `Noted: ${labelOf(e.key)}, ${displayValue(shape, e.value)}.` : "";
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
  }

  /** Event "phase". Returns the phase's name. */
  entered({ phase }) {
    const order = this.#page.phases;
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
  disputed({ key, status }) {
    this.#flag(key, this.#page.words.dispute[status] ?? "");
  }

  /** Event "conflict". */
  clashing({ keys, status }) {
    for (const key of keys) this.#flag(key, status === "open" ? this.#page.words.conflict : "");
  }

  #flag(key, text) {
    const row = rowOf(key);
    if (!row) return;
    fill(row, "flag", text);
    flash(row);
  }
}

/** labelOf is what an obligation is called. */
export function labelOf(key) {
  const row = rowOf(key);
  return row ? slot(row, "name").textContent : key.replaceAll("_", " ");
}

/** shapeOf is what an obligation's values look like. */
export function shapeOf(row) {
  return JSON.parse(row.dataset.shape || "{}");
}

function percent(x) {
  return Math.round(x * 100);
}

function rowOf(key) {
  return document.getElementById(`ob-${key}`);
}

/** An obligation that came up in the conversation gets its row. */
function newRow({ key, label, category = "" }) {
  const row = piece("obligation");
  row.id = `ob-${key}`;
  row.dataset.key = key;
  row.dataset.testid = `obligation-${key}`;
  fill(row, "name", label);
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

/** Draws the eye to what has changed, once. */
function flash(row) {
  row.classList.remove("changed");
  requestAnimationFrame(() => row.classList.add("changed"));
}
