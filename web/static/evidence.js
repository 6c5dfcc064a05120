// Why a value is what it is, and where it was said.

import { fill, phrase, piece, show, slot } from "./pieces.js";
import { displayValue } from "./values.js";

/**
 * toldOnce returns list without the words that only put in writing what was picked or
 * entered with the same message: those are shown with it.
 */
export function toldOnce(list) {
  const out = [];
  for (const e of list) {
    const picked = e.kind === "stated" && e.message && out.find((o) => o.kind === "widget" && o.message === e.message);
    if (!picked) out.push({ ...e });
    else if (!picked.quote) Object.assign(picked, { quote: e.quote, span: e.span });
  }
  return out;
}

/**
 * evidenceItem draws one piece of evidence for a value of shape. words are the
 * page's; name(user) says who that is and label(key) what it is called; session
 * is the session's id.
 */
export function evidenceItem(e, shape, { words, name, label, session }) {
  const li = piece("evidence");
  const value = e.proposal ? `“${displayValue(shape, e.proposal.value)}”` : "";
  fill(li, "intro", phrase(words.evidence[e.kind] ?? "", { who: name(e.by), value, from: (e.premises ?? []).map(label).join(", "), source: e.source || "a document" }));
  const link = slot(li, "quotelink");
  link.setAttribute("href", `#m-${e.message ?? ""}`);
  link.dataset.span = e.span ? JSON.stringify([e.span.start, e.span.end]) : "";
  show(li, "quotelink", Boolean(e.quote && e.message));
  show(li, "plainquote", Boolean(e.quote && !e.message && !e.file));
  drawFile(li, e, session);
  fill(li, "quote", e.quote ?? "");
  fill(li, "plainquote", e.quote ?? "");
  drawSource(slot(li, "source"), e.kind === "document" ? "" : (e.source ?? ""));
  slot(li, "claim").setAttribute("href", `/s/${encodeURIComponent(session)}/research/${encodeURIComponent(e.task ?? "")}#claim-${e.claim ?? 0}`);
  show(li, "claim", Boolean(e.task));
  fill(li, "flag", words.flag[e.flag] ?? "");
  return li;
}

/** Words in a file lead to where they stand there. */
function drawFile(li, e, session) {
  show(li, "filequote", Boolean(e.file));
  if (!e.file) return;
  const at = e.span ? `?from=${e.span.start}&to=${e.span.end}#found` : "";
  slot(li, "filequote").href = `/s/${encodeURIComponent(session)}/files/${encodeURIComponent(e.file)}${at}`;
  fill(li, "filewords", e.quote ?? "");
}

/**
 * place finds the characters of a quote in text: the span [start, end] when its
 * words stand there, else where they first occur, else null.
 */
export function place(text, span, quote) {
  if (span && text.slice(span[0], span[1]) === quote) return span;
  const at = quote ? text.indexOf(quote) : -1;
  return at < 0 ? null : [at, at + quote.length];
}

/** highlight shows in the transcript the words a quote's link leads to. */
export function highlight(link) {
  const message = document.getElementById(link.hash.slice(1));
  if (!message) return;
  clearHighlight();
  const body = slot(message, "body");
  const quote = slot(link, "quote").textContent;
  const found = message.dataset.role === "user" ? place(body.textContent, spanOf(link), quote) : null;
  const target = found ? mark(body, found) : body;
  if (!found) body.classList.add("pointed");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  target.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
  message.focus({ preventScroll: true });
}

function clearHighlight() {
  for (const old of document.querySelectorAll("mark.pointed")) {
    const body = old.parentNode;
    body.textContent = body.textContent;
  }
  for (const old of document.querySelectorAll(".pointed")) old.classList.remove("pointed");
}

/** Puts a mark around characters of a body that is one text node. */
function mark(body, [start, end]) {
  const text = body.textContent;
  const el = document.createElement("mark");
  el.className = "pointed";
  el.textContent = text.slice(start, end);
  body.replaceChildren(text.slice(0, start), el, text.slice(end));
  return el;
}

function spanOf(link) {
  return link.dataset.span ? JSON.parse(link.dataset.span) : null;
}

/** A claim's source is a link when it is on the web. */
function drawSource(old, source) {
  if (!/^https?:\/\/[^/]/i.test(source) || !URL.canParse(source)) {
    old.textContent = source;
    return;
  }
  const link = document.createElement("a");
  link.className = old.className;
  link.dataset.slot = "source";
  link.href = source;
  link.rel = "nofollow noopener noreferrer";
  link.target = "_blank";
  link.textContent = source;
  old.replaceWith(link);
}
