// Older messages, brought when they are asked for.

import { fetchPage } from "../static/parts.js";
import { say } from "../static/said.js";

/** Earlier puts older messages before those of the page. say(text) tells of it. */
export class Earlier {
  #say;
  #line = document.getElementById("earlier");
  #section = document.getElementById("transcript");

  constructor(say) {
    this.#say = say;
    this.#line.addEventListener("click", (event) => this.#click(event));
  }

  /** Brings messages until the one with that id is there; resolves to whether it is. */
  async reach(id) {
    while (!document.getElementById(id) && this.#link()) {
      if ((await this.#more()) === 0) break;
    }
    return Boolean(document.getElementById(id));
  }

  #link() {
    return this.#line.querySelector("a");
  }

  async #click(event) {
    if (!event.target.closest("[data-earlier]")) return;
    event.preventDefault();
    const first = this.#section.querySelector(".message");
    const count = await this.#more();
    this.#say(count > 0 ? say("{n} earlier messages.", { n: count }) : say("Earlier messages could not be loaded."));
    if (count > 0) (this.#link() ?? first?.previousElementSibling)?.focus({ preventScroll: true });
  }

  /** Brings one part; what is looked at stays where it is. Returns how many messages came. */
  async #more() {
    const link = this.#link();
    link.setAttribute("aria-disabled", "true");
    const drawn = await fetchPage(link.href);
    link.removeAttribute("aria-disabled");
    if (!drawn) return 0;
    const fresh = [...drawn.querySelectorAll("#main .message")].filter((m) => !document.getElementById(m.id));
    const height = document.documentElement.scrollHeight;
    this.#section.prepend(...fresh);
    this.#line.replaceChildren(...(drawn.getElementById("earlier")?.children ?? []));
    scrollBy(0, document.documentElement.scrollHeight - height);
    return fresh.length;
  }
}
