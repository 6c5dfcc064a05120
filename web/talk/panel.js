// The panel of what is known, which the server draws.

import { renew } from "../static/parts.js";
import { slot } from "../static/pieces.js";
import { say } from "../static/said.js";

/** The part that the interview was last at; null when it was at none since the page was opened. */
let followed = null;

/** drawPanel shows the panel of a page of the server. Returns what there is to say of it. */
export function drawPanel(page) {
  const before = new Map([...rows()].map((row) => [row.id, { ...shown(row), text: row.textContent }]));
  followed = current() ?? followed;
  for (const id of ["known", "people"]) renew(document.getElementById(id), page.getElementById(id));
  const progress = slot(document.getElementById("known"), "progress").textContent;
  for (const place of document.querySelectorAll('.bar [data-slot="progress"]')) place.textContent = progress;

  const told = [];
  follow();
  for (const row of rows()) {
    const old = before.get(row.id);
    if (old?.text === row.textContent) continue;
    const { value, known } = shown(row);
    const part = row.closest(".part > details");
    if (part.open) row.classList.add("changed"); // draws the eye to it, once
    else if (old?.value !== value) part.firstElementChild.classList.add("changed");
    if (known && !(old?.known && old.value === value)) told.push(say("Noted: {name}, {value}.", { name: slot(row, "name").textContent, value }));
  }
  return told;
}

/** labelOf is what an obligation is called. */
export function labelOf(key) {
  const row = document.getElementById(`ob-${key}`);
  return row ? slot(row, "name").textContent : key.replaceAll("_", " ");
}

/** drawCompleteness shows the figures of an event before the server has drawn the rest. */
export function drawCompleteness(e) {
  const known = document.getElementById("known");
  const percent = String(Math.round(e.progress * 100));
  document.getElementById("meter").value = percent;
  slot(known, "progress").textContent = percent;
  for (const place of document.querySelectorAll('.bar [data-slot="progress"]')) place.textContent = percent;
  for (const name of ["satisfied", "partial", "skipped", "total"]) slot(known, name).textContent = e[name];
  for (const name of ["partial", "skipped"]) slot(known, `${name}box`).hidden = e[name] === 0;
  for (const c of e.categories ?? []) {
    const part = [...parts()].find((one) => one.dataset.category === c.name);
    if (!part) continue; // the server draws one that came up
    slot(part, "count").textContent = c.satisfied + c.skipped;
    slot(part, "of").textContent = c.total;
  }
}

/**
 * Opens the part that the interview has come to, and folds the one it was at, unless the
 * reader is in there. While nothing of a part is asked, the last one stays as it is.
 */
function follow() {
  const now = current();
  if (!now || now === followed) return;
  now.querySelector("details").open = true;
  if (followed?.isConnected && !followed.contains(document.activeElement)) followed.querySelector("details").open = false;
  followed = now;
}

function current() {
  return document.querySelector('#groups .part[data-state="now"]');
}

function parts() {
  return document.querySelectorAll("#groups .part");
}

function rows() {
  return document.querySelectorAll("#groups .ob");
}

function shown(row) {
  return { value: slot(row, "value").textContent, known: row.classList.contains("ob-satisfied") };
}
