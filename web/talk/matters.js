// What is to be settled: values that were proposed, and values that cannot all hold.
// The cards are the server's; their forms are sent from here.

import { renew } from "../static/parts.js";
import { fill, show } from "../static/pieces.js";
import { say } from "../static/said.js";
import { sendForms } from "../static/send.js";

/** settleForms sends the cards' forms. tell(text) tells of it, fetched() brings the cards anew. */
export function settleForms(tell, fetched) {
  sendForms("[data-settle]", async (form, { ok, detail }) => {
    const card = form.closest(".matter");
    if (!ok) {
      fill(card, "wrong", detail);
      return show(card, "wrong", true);
    }
    tell(say("Settled."));
    await fetched();
    (document.querySelector(".matter") ?? document.getElementById("say"))?.focus();
  });
}

/** drawMatters shows the cards of a page of the server. */
export function drawMatters(page) {
  const section = document.getElementById("matters");
  const within = section.contains(document.activeElement);
  renew(section, page.getElementById("matters"));
  if (within && !section.contains(document.activeElement)) document.getElementById("say")?.focus();
}
