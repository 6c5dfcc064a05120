// A report while its question is being looked up: what came since is drawn by the server.
// A question of its own has no stream of events, so the page asks now and then.

import { keepFresh } from "../static/parts.js";
import { steadily } from "../static/steady.js";

/** Shows what is new where what is read stays in its place, and tells of another finding. */
function draw(change) {
  const state = () => document.getElementById("finding-title").textContent;
  const before = state();
  steadily("#main li[id], #main section:not(:has(li[id]))", change);
  if (state() !== before) document.querySelector("[data-said]").textContent = state();
}

keepFresh("#main[data-live]", 3000, { around: draw });
