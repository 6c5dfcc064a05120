// Parts of a page that the server draws anew: how they are fetched, and how they take
// the place of what is there without disturbing a person who reads or types.

import { localise } from "./times.js";

/** fetchPage returns a page of the server as a document; null when it cannot be had. */
export async function fetchPage(url) {
  try {
    const response = await fetch(url, { headers: { Accept: "text/html" } });
    if (!response.ok) return null;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    localise(page);
    return page;
  } catch {
    return null;
  }
}

/** fetchPart returns what a selector finds in a page of the server; null for nothing. */
export async function fetchPart(url, selector) {
  return (await fetchPage(url))?.querySelector(selector) ?? null;
}

/** Latest runs a job for a name; asked again while it runs, it runs once more. */
export class Latest {
  #run;
  #jobs = new Map();

  constructor(run) {
    this.#run = run;
  }

  /** Runs the job for name; resolves when nothing is left to do for it. */
  ask(name) {
    const running = this.#jobs.get(name);
    if (running) {
      running.again = true;
      return running.done;
    }
    const job = { again: false };
    this.#jobs.set(name, job);
    job.done = this.#all(name, job);
    return job.done;
  }

  async #all(name, job) {
    do {
      job.again = false;
      await this.#run(name);
    } while (job.again);
    this.#jobs.delete(name);
  }
}

/** Attributes that the reader or a script sets; the server knows nothing of them. */
const own = new Set(["open", "inert", "aria-busy", "data-sending"]);

/**
 * renew makes old what fresh is. What is in both stays, and with it what somebody
 * opened, typed, scrolled or has the focus on; so does what a script put in and marked
 * data-own.
 */
export function renew(old, fresh) {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  match(old, fresh);
  if (!focused || document.activeElement === focused) return;
  const next = old.matches("[tabindex]") ? old : old.querySelector("a, button, [tabindex]");
  next?.focus({ preventScroll: true });
}

function match(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if ("said" in old.dataset) return; // spoken by a script
  for (const name of old.getAttributeNames()) if (!own.has(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    if (!own.has(name) && old.getAttribute(name) !== fresh.getAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
  }
  let at = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const same = twin(at, child);
    if (!same) {
      old.insertBefore(child, at);
      continue;
    }
    while (at !== same) at = passed(at);
    match(same, child);
    at = same.nextSibling;
  }
  while (at) at = passed(at);
}

/**
 * The node, from at on, that stands for the same as fresh; null for none. Nodes without
 * a name are only the same where they stand at the same place.
 */
function twin(at, fresh) {
  const name = nameOf(fresh);
  let node = at;
  while (node && (name ? nameOf(node) !== name : node.dataset?.own !== undefined)) node = node.nextSibling;
  return node && node.nodeName === fresh.nodeName && nameOf(node) === name ? node : null;
}

/** What tells an element from others of its kind; empty for nothing. */
function nameOf({ id = "", dataset = {} }) {
  return [id, dataset.key, dataset.category, dataset.slot, dataset.testid].filter(Boolean).join(" ");
}

/** Removes what fresh does not have; returns what follows. */
function passed(node) {
  const next = node.nextSibling;
  if (node.dataset?.own === undefined) node.remove();
  return next;
}

/**
 * keepFresh draws what a selector finds anew every pause milliseconds, for as long as the
 * server draws something that it finds. options: url() is where from, the page itself
 * unless told; wanted() reports whether to look now; around(change) does the change.
 */
export function keepFresh(selector, pause, { url = () => location.href, wanted = () => true, around = (change) => change() } = {}) {
  const look = async () => {
    const page = !document.hidden && wanted() ? await fetchPage(url()) : null;
    for (const part of page ? document.querySelectorAll(selector) : []) {
      const fresh = page.getElementById(part.id);
      if (fresh) around(() => renew(part, fresh));
    }
    if (document.querySelector(selector)) setTimeout(look, pause);
  };
  if (document.querySelector(selector)) setTimeout(look, pause);
}
