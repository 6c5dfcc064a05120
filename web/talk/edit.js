// Another answer where the value stands: the server's form, put beside the link
// that leads to it.

import { fetchPart } from "../static/parts.js";
import { fill, show } from "../static/pieces.js";
import { clearRivals } from "./question.js";
import { say } from "../static/said.js";
import { sendForms } from "../static/send.js";

const hosts = ".message, .matter, .question, .ob-more";

/** Editing opens one such form at a time. say(text) tells people who do not see the page. */
export class Editing {
  #say;
  #form = null;
  #link = null;

  constructor(say) {
    this.#say = say;
    document.addEventListener("click", (event) => this.#click(event));
    sendForms("[data-answer]", (form, result) => this.#sent(form, result));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest("a[data-edit], a[data-cancel]");
    if (!link?.closest(hosts)) return;
    event.preventDefault();
    if (link.matches("[data-cancel]") || (link === this.#link && this.#form)) this.#close();
    else this.#open(link);
  }

  async #open(link) {
    this.#form?.remove();
    this.#link = link;
    const form = await fetchPart(link.href, "[data-answer]");
    if (this.#link !== link) return; // another one was opened meanwhile
    this.#form = form;
    if (!form) return this.#say(say("That cannot be changed just now. Try again in a moment."));
    form.dataset.own = "yes";
    form.addEventListener("input", clearRivals);
    const host = link.closest(hosts);
    if (host.matches(".ob-more")) link.parentElement.after(form);
    else host.append(form);
    firstField(form).focus();
    form.scrollIntoView({ block: "nearest" });
  }

  /**
   * Takes the form away; the focus goes back to where it was opened. A card goes
   * when what it asks is saved: then it goes to the box.
   */
  #close(saved = false) {
    const link = this.#link;
    this.#form?.remove();
    this.#form = this.#link = null;
    if (!saved || !link.closest(".question, .matter")) link.focus();
    if (document.activeElement !== link) document.getElementById("say")?.focus();
  }

  #key(event) {
    if (event.key !== "Escape" || !this.#form?.contains(event.target)) return;
    event.preventDefault(); // an open drawer stays open
    this.#close();
  }

  #sent(form, { ok, detail }) {
    if (!ok) return refuse(form, detail);
    this.#say(say("Saved."));
    if (form === this.#form) this.#close(true);
  }
}

function firstField(form) {
  return form.querySelector("input:checked") ?? form.querySelector("textarea, input:not([type=hidden])");
}

/** Tells at the field why it was not taken. */
function refuse(form, detail) {
  fill(form, "wrong", detail);
  show(form, "wrong", true);
  for (const field of form.querySelectorAll("textarea, input:not([type=hidden])")) field.setAttribute("aria-invalid", "true");
  firstField(form).focus();
}
