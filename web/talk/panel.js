// The panel of what is known, which the server draws.

import { renew } from "../static/parts.js";
import { slot } from "../static/pieces.js";

/** drawPanel shows the panel of a page of the server. Returns what there is to say of it. */
export function drawPanel(page) {
  const before = new Map([...rows()].map((row) => [row.id, { ...shown(row), text: row.textContent }]));
  for (const id of ["known", "people"]) renew(document.getElementById(id), page.getElementById(id));
  const progress = slot(document.getElementById("known"), "progress").textContent;
  for (const place of document.querySelectorAll('.bar [data-slot="progress"]')) place.textContent = progress;

  const told = [];
  for (const row of rows()) {
    const old = before.get(row.id);
    if (old?.text === row.textContent) continue;
    row.classList.add("changed"); // draws the eye to it, once
    const { value, known } = shown(row);
    if (known && !(old?.known && old.value === value)) told.push(`Noted: ${slot(row, "name").textContent}, ${value}.`);
  }
  return told;
}

/** labelOf is what an obligation is called. */
export function labelOf(key) {
  const row = document.getElementById(`ob-${key}`);
  return row ? slot(row, "name").textContent : key.replaceAll("_", " ");
}

/** phaseName is what a phase is called. */
export function phaseName(phase) {
  return document.querySelector(`#steps [data-phase="${phase}"]`)?.textContent.trim() ?? phase;
}

function rows() {
  return document.querySelectorAll("#groups .ob");
}

function shown(row) {
  return { value: slot(row, "value").textContent, known: row.classList.contains("ob-satisfied") };
}
