// A run as it goes on: its events say that something happened, and the server
// draws what is there now. Without this the page is as it was when it came.

import { Latest, fetchPage, fetchPart, keepFresh, renew } from "../static/parts.js";
import { sendForms } from "../static/send.js";
import { steadily } from "../static/steady.js";
import { Stream } from "../static/stream.js";

/** firstWanted is the number after which steps are drawn anew: those that were under way, and all behind them. */
export function firstWanted(steps) {
  const asked = steps.filter((s) => s.asked).map((s) => s.n);
  const all = steps.map((s) => s.n);
  return asked.length > 0 ? Math.min(...asked) - 1 : Math.max(0, ...all);
}

/** spoken says what is new to who hears the page: another status, else the last step. */
export function spoken(title, status) {
  return status || (title ?? "");
}

const listed = "#run-steps > li";
const rest = 400; // milliseconds between two looks: steps may come by the dozen

/** Page keeps the page of a run up to date. */
class Page {
  #main;
  #stream = null;
  #looks = new Latest(() => this.#look());

  constructor(main) {
    this.#main = main;
    main.addEventListener("toggle", (event) => this.#unfold(event.target), true);
    sendForms("[data-feedback]", (form, result) => this.#judged(form, result));
    if (main.dataset.over !== "true") this.#follow();
  }

  #follow() {
    this.#stream = new Stream(this.#main.dataset.stream, Number(this.#main.dataset.last), { event: () => this.#looks.ask("now"), state: () => {} });
    this.#stream.start();
    addEventListener("pagehide", () => this.#stream.stop());
    addEventListener("pageshow", (event) => event.persisted && this.#stream.wake());
  }

  async #look() {
    const since = firstWanted([...this.#list().children].map((li) => ({ n: Number(li.dataset.n), asked: "asked" in li.dataset })));
    const query = new URLSearchParams({ since, show: this.#main.dataset.show });
    const drawn = await fetchPage(`/data/runs/${this.#main.dataset.run}/live?${query}`);
    if (drawn) {
      steadily(listed, () => this.#draw(drawn));
      steadily(listed, () => this.#foldOld()); // what is in sight is known again
    }
    await new Promise((done) => setTimeout(done, rest));
  }

  #list() {
    return document.getElementById("run-steps");
  }

  #draw(drawn) {
    const before = document.getElementById("run-now").dataset.status;
    for (const id of ["run-now", "run-findings", "run-shows"]) renew(document.getElementById(id), drawn.getElementById(id));
    const fresh = [...drawn.querySelectorAll(listed)];
    for (const li of fresh.reverse()) this.#put(li);
    if (fresh.length > 0) document.getElementById("run-empty")?.remove();
    const now = document.getElementById("run-now");
    const said = spoken(fresh.at(-1)?.querySelector("h3")?.textContent, now.dataset.status !== before ? now.querySelector(".state").textContent.trim() : "");
    if (said) this.#main.querySelector("[data-said]").textContent = said;
    if (now.dataset.over === "true") this.#stream.stop();
  }

  #put(li) {
    const old = document.getElementById(li.id);
    if (old) renew(old, li);
    else this.#list().prepend(li);
  }

  /** Of a long run the earlier steps are folded, so that the page stays light. */
  #foldOld() {
    const open = [...this.#list().children].filter((li) => li.querySelector(":scope > .step-top"));
    for (const li of open.slice(mostOpen)) if (!li.contains(document.activeElement) && !inSight(li)) fold(li, this.#main.dataset.run);
  }

  async #unfold(details) {
    if (!details.matches?.(".step-fold") || !details.open) return;
    const part = await fetchPart(details.dataset.part, ".step");
    const li = details.closest(".step");
    if (!part || !li) return;
    const focused = li.contains(document.activeElement);
    li.replaceWith(part);
    if (focused) {
      part.tabIndex = -1;
      part.focus();
    }
  }

  async #judged(form, { ok, detail }) {
    const said = this.#main.querySelector("[data-said]");
    if (!ok) return void (said.textContent = detail);
    const part = await fetchPart(`${new URL(form.action).pathname.replace(/\/feedback$/, "")}?part=yes`, ".step");
    if (!part) return;
    renew(form.closest(".step"), part);
    said.textContent = "Noted.";
  }
}

const mostOpen = 12;

function inSight(li) {
  const { top, bottom } = li.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Folds a step into its head. */
function fold(li, run) {
  const details = Object.assign(document.createElement("details"), { className: "step-fold" });
  details.dataset.part = `/data/runs/${run}/steps/${li.dataset.n}?part=yes`;
  const summary = document.createElement("summary");
  summary.append(...li.querySelector(":scope > .step-top").childNodes);
  details.append(summary);
  li.replaceChildren(details);
}

if (globalThis.document) keepFresh("#data-now[data-live], #data-sample[data-live]", 3000);

const main = globalThis.document?.querySelector("[data-run]");
if (main) new Page(main);
