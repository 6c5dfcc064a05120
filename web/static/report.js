// A report while its question is being looked up: what came since is drawn by the
// server, and put where it belongs. A question of its own has no stream of events, so
// the page asks now and then.

import { fetchPart } from "./pieces.js";
import { swap } from "./research.js";
import { steadily } from "./steady.js";
import { localise } from "./times.js";

const pause = 3000;
const main = document.querySelector("[data-live]");

async function renew() {
  const fresh = document.hidden ? null : await fetchPart(location.href, "#main");
  if (fresh) draw(fresh);
  if (!fresh || "live" in fresh.dataset) setTimeout(renew, pause);
}

function draw(fresh) {
  const before = state(main);
  localise(fresh);
  steadily("#main li[id], #main section:not(:has(li[id]))", () => place([...fresh.children]));
  if (state(main) !== before) main.querySelector("[data-said]").textContent = state(main);
}

/** Puts each part where it belongs; those that are as they were stay untouched. */
function place(parts) {
  let last = main.querySelector("[data-said]");
  for (const part of parts.filter((p) => p.id)) {
    const old = document.getElementById(part.id);
    if (old?.isEqualNode(part)) {
      last = old;
      continue;
    }
    if (old) swap(old, part);
    else last.after(part);
    last = part;
  }
}

function state(of) {
  return of.querySelector("#finding-title").textContent;
}

if (main) setTimeout(renew, pause);
