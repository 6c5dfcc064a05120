// What is to be settled: values that were proposed, and values that cannot all hold.
// The cards are the server's; their forms are sent from here.

import { renew } from "./parts.js";
import { show, fill } from "./pieces.js";
import { sendForms } from "./send.js";

/** Matters sends the cards' forms. hooks: say(text), and renew(), which brings the cards anew. */
export class Matters {
  constructor({ say, renew: anew }) {
    sendForms("[data-settle]", async (form, { ok, detail }) => {
      const card = form.closest(".matter");
      if (!ok) {
        fill(card, "wrong", detail);
        return show(card, "wrong", true);
      }
      say("Settled.");
      await anew();
      (document.querySelector(".matter") ?? document.getElementById("say"))?.focus();
    });
  }

  /** Shows the cards of a page of the server. */
  draw(page) {
    const section = document.getElementById("matters");
    const within = section.contains(document.activeElement);
    renew(section, page.getElementById("matters"));
    if (within && !section.contains(document.activeElement)) document.getElementById("say")?.focus();
  }
}
