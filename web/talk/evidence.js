// Where the words of a quote stand in the conversation.

import { slot } from "../static/pieces.js";

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
