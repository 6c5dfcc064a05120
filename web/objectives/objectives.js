// The pages of objectives: forms whose fields follow the kind of answer, and nothing
// lost on the way to another page. What is typed is saved and checked by htmx; see the
// forms' hx- attributes.

/** Shows the fields that belong to the kind of answer. */
function followKind(form) {
  const kind = form.querySelector('[name="widgetType"]');
  const part = form.querySelector("[data-answer]");
  if (kind && part) part.dataset.answer = kind.value;
}

/** Puts an empty row behind the choices and goes there. */
function addChoice(button) {
  const rows = document.getElementById("choice-rows");
  const row = rows.lastElementChild.cloneNode(true);
  const n = rows.children.length + 1;
  for (const input of row.querySelectorAll("input")) input.value = "";
  for (const words of row.querySelectorAll(".sr-only")) words.textContent = words.textContent.replace(/\d+/, n);
  for (const input of row.querySelectorAll("[data-testid]")) input.dataset.testid = `choice-label-${n}`;
  rows.append(row);
  row.querySelector("input").focus();
  button.scrollIntoView({ block: "nearest" });
}

/** Marks the fields that have a fault, as their notes say. */
function markFaults() {
  for (const notes of document.querySelectorAll(".field-notes")) {
    const field = document.getElementById(notes.id.replace("notes-", "f-"));
    if (!field?.matches("input, select, textarea")) continue;
    if (notes.querySelector(".form-wrong")) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

/** Keeps open what its reader opened when htmx draws it anew. */
const opened = new Set();

function noteOpened({ target }) {
  if (!target.dataset?.keep) return;
  if (target.open) opened.add(target.dataset.keep);
  else opened.delete(target.dataset.keep);
}

function reopen() {
  for (const details of document.querySelectorAll("details[data-keep]")) if (opened.has(details.dataset.keep)) details.open = true;
}

const form = document.querySelector("[data-draft-form]");
let dirty = false;

/** A change that waited for another carries what that one left behind. */
function refresh({ detail }) {
  const { ctx } = detail;
  if (ctx.sourceElement !== form) return;
  ctx.request.body.set("seen", document.getElementById("seen").value);
  dirty = false;
}

/** Sends what was typed and not yet saved when its writer goes on. */
function hurry() {
  if (!dirty) return;
  dirty = false;
  navigator.sendBeacon(form.action, new URLSearchParams(new FormData(form)));
}

/** The button that moved a question stays where the keyboard is. */
let moved = null;

function noteMoved({ detail }) {
  const from = detail.ctx.sourceElement;
  if (from?.matches(".outline-moves")) moved = document.activeElement?.id ?? null;
}

function afterSwap() {
  markFaults();
  reopen();
  if (moved) document.getElementById(moved)?.focus();
  moved = null;
}

/** A fault's link leads into what is folded. */
function unfoldTarget() {
  const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  target?.closest("details")?.setAttribute("open", "");
  target?.querySelector("details")?.setAttribute("open", "");
  if (target?.matches("input, select, textarea, [tabindex], summary")) target.focus();
}

function begin() {
  document.addEventListener("toggle", noteOpened, true);
  for (const button of document.querySelectorAll("[data-add-choice]")) {
    button.hidden = false;
    button.addEventListener("click", () => addChoice(button));
  }
  for (const busy of document.querySelectorAll("[data-busy-form]")) {
    busy.addEventListener("submit", () => (busy.querySelector("[data-busy]").hidden = false));
  }
  addEventListener("pageshow", () => {
    for (const words of document.querySelectorAll("[data-busy]")) words.hidden = true;
  });
  document.addEventListener("htmx:before:request", (event) => {
    if (form) refresh(event);
    noteMoved(event);
  });
  document.addEventListener("htmx:after:swap", afterSwap);
  addEventListener("hashchange", unfoldTarget);
  unfoldTarget();
  document.getElementById("played")?.focus();
  if (!form) return;
  followKind(form);
  form.addEventListener("input", () => {
    dirty = true;
    followKind(form);
  });
  form.addEventListener("submit", () => (dirty = false));
  addEventListener("pagehide", hurry);
}

begin();
