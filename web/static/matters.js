// What is to be settled: values that were proposed, and values that cannot all
// hold. The cards are the server's; they are asked for anew when something came
// of them.

import { fetchPage } from "./pieces.js";
import { Latest } from "./research.js";
import { postForm } from "./send.js";

const proposing = new Set(["research", "inferred", "document"]);

/**
 * concerns tells whether an event may change what is to be settled; shown(key)
 * whether a card about that is on the page, asked is what is being asked.
 */
export function concerns(e, shown, asked) {
  switch (e.type) {
    case "negotiation":
    case "conflict":
      return true;
    case "obligation":
      return shown(e.key) || asked?.key === e.key || (e.evidence ?? []).some((one) => proposing.has(one.kind));
    case "question":
      return weighs(e) || weighs(asked);
    default:
      return false;
  }
}

/** Whether a question is about values that are there already. */
function weighs(question) {
  return question?.purpose === "confirm" || question?.purpose === "conflict";
}

/** Matters keeps the cards. hooks: say(text), asked() and dress(card) of the question. */
export class Matters {
  #url;
  #hooks;
  #load = new Latest(() => this.#redraw());

  constructor(page, hooks) {
    this.#url = `/s/${encodeURIComponent(page.sessionId)}/matters`;
    this.#hooks = hooks;
    document.addEventListener("submit", (event) => this.#submit(event));
  }

  /** An event of the session. */
  heard(e) {
    if (concerns(e, (key) => Boolean(document.getElementById(`offer-${key}`)), this.#hooks.asked())) this.#load.ask("all");
  }

  async #redraw() {
    const drawn = await fetchPage(this.#url);
    const fresh = drawn?.getElementById("matters");
    if (!fresh) return; // the next event asks again
    swap(document.getElementById("matters"), document.adoptNode(fresh));
    this.#hooks.dress(drawn.getElementById("question"));
  }

  async #submit(event) {
    const form = event.target;
    if (!form.matches("[data-settle]")) return;
    event.preventDefault();
    if (form.dataset.sending) return;
    form.dataset.sending = "yes";
    const { ok, detail } = await postForm(form, event.submitter);
    delete form.dataset.sending;
    const wrong = form.closest(".matter")?.querySelector('[data-slot="wrong"]');
    if (ok) {
      this.#hooks.say("Settled.");
      await this.#load.ask("all");
      (document.querySelector(".matter") ?? document.getElementById("say"))?.focus();
    } else if (wrong) {
      wrong.hidden = false;
      wrong.textContent = detail;
    }
  }
}

/** Puts cards in the place of those that are there; what somebody is at stays as it is. */
function swap(old, fresh) {
  const at = old.querySelector(".matter:focus-within");
  for (const card of fresh.children) {
    const same = document.getElementById(card.id);
    if (same && (same === at || same.querySelector(".answer, details[open], input:checked"))) card.replaceWith(same);
  }
  const within = document.activeElement;
  old.hidden = fresh.hidden;
  old.replaceChildren(...fresh.children);
  if (at && within?.isConnected) within.focus();
  else if (at) document.getElementById("say")?.focus();
}
