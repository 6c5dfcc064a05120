// The first page and the lists it leads to: results by arrow keys, and questions
// that are being looked up.

import { keepFresh } from "./parts.js";
import { nextPlace } from "./steps.js";

/** Up and down lead from the words that are searched for through what was found. */
function walk(event) {
  const stops = [...document.querySelectorAll("#search-words, [data-results] .card-link")];
  const to = nextPlace(stops.indexOf(document.activeElement), event.key, stops.length);
  if (to < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stops[to].focus();
}

/** Says that a search runs, until its page is there or is come back to. */
function wait(busy) {
  const results = document.querySelector("[data-results]");
  if (!results) return;
  results.setAttribute("aria-busy", String(busy));
  results.querySelector("[data-waiting]").hidden = !busy;
}

if (document.querySelector("[data-results]")) document.addEventListener("keydown", walk);
document.querySelector('[role="search"]')?.addEventListener("submit", () => wait(true));
addEventListener("pageshow", () => wait(false));
keepFresh("#asked[data-again]", 4000);
