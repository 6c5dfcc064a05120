// What the server draws of an interview, brought again when something came of it: the
// question's card, what is to be settled, what is known.

import { Latest, fetchPage } from "../static/parts.js";

const firstWait = 1000; // milliseconds until a fetch that failed is tried again
const mostTries = 6; // half a minute; after that the next event asks again

/** Events after which the server draws something else than the page shows. */
const telling = new Set(["question", "obligation", "completeness", "phase", "negotiation", "conflict", "participant", "done", "error"]);

/** Live fetches the parts from url, and hands them to draw(page). */
export class Live {
  #url;
  #draw;
  #load = new Latest(() => this.#fetch());
  #failed = 0;
  #timer = 0;

  constructor(url, draw) {
    this.#url = url;
    this.#draw = draw;
  }

  /** An event of the session; those of a turn that still runs are drawn at its end. */
  heard(e, running) {
    if (telling.has(e.type) && !running) this.renew();
  }

  /** The connection is back: what could not be had is asked for again. */
  connected() {
    if (this.#failed > 0) this.renew();
  }

  /** Brings the parts; resolves when they are drawn, or could not be had. */
  async renew() {
    clearTimeout(this.#timer);
    const panel = document.getElementById("panel");
    panel.setAttribute("aria-busy", "true");
    await this.#load.ask("parts");
    if (this.#failed === 0 || this.#failed >= mostTries) panel.removeAttribute("aria-busy");
  }

  async #fetch() {
    const page = await fetchPage(this.#url);
    if (page) {
      this.#failed = 0;
      this.#draw(page);
    } else if (++this.#failed < mostTries) {
      this.#timer = setTimeout(() => this.renew(), firstWait * 2 ** (this.#failed - 1));
    }
  }
}
