// The first page and the lists it leads to: results by arrow keys, and questions
// that are being looked up.

import { nextPlace } from "./steps.js";
import { localise } from "./times.js";

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

const pause = 4000;

/** Draws the list of questions anew while one of them is being looked up. */
async function refresh() {
  const list = document.querySelector("#asked[data-again]");
  if (!list) return;
  if (!document.hidden && !list.contains(document.activeElement)) await redraw(list);
  setTimeout(refresh, pause);
}

async function redraw(list) {
  try {
    const response = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!response.ok) return;
    const drawn = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("asked");
    localise(drawn);
    if (drawn.textContent !== list.textContent) list.replaceWith(document.adoptNode(drawn));
  } catch {
    // the next time may go better
  }
}

if (document.querySelector("[data-results]")) document.addEventListener("keydown", walk);
document.querySelector('[role="search"]')?.addEventListener("submit", () => wait(true));
addEventListener("pageshow", () => wait(false));
setTimeout(refresh, pause);
