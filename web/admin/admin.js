// The pages of those who manage: a list of jobs that keeps itself up to date while
// somebody looks at it.

import { offerCopies } from "../static/copy.js";
import { fetchPart, keepFresh } from "../static/parts.js";

const every = 5000;

/** The list keeps itself up to date while its box is ticked and no words in it are marked. */
function live() {
  const control = document.querySelector("[data-live-control]");
  const box = control?.querySelector("[data-live]");
  if (!box) return;
  control.hidden = false;
  box.checked = true;
  const url = new URL(location.href);
  url.searchParams.set("part", "now");
  keepFresh("#now", every, { url: () => url, wanted: () => box.checked && getSelection()?.type !== "Range" });
}

const pause = 400;

/** The address of what the days in a form would delete, or null when one of them was not changed. */
export function forecastAddress(base, fields, now) {
  const kept = Object.entries(now).filter(([name]) => name.startsWith("kept"));
  if (kept.every(([name, value]) => value.trim() === (fields[name] ?? "").trim())) return null;
  return `${base}?${new URLSearchParams(kept)}`;
}

const written = (form) => Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === "string"));

/** Shows what the days in a form would delete while they are typed. */
function forecasts() {
  const form = document.querySelector("form[data-forecast]");
  if (!form) return;
  const before = Object.fromEntries([...form.elements].filter((e) => e.name).map((e) => [e.name, e.defaultValue ?? ""]));
  let timer = 0;
  let latest = 0;
  form.addEventListener("input", (event) => {
    if (!event.target.name?.startsWith("kept")) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const mine = ++latest;
      const part = document.getElementById("forecast");
      const address = forecastAddress(form.dataset.forecast, before, written(form));
      if (!address) return part.replaceChildren();
      const fresh = await fetchPart(address, "#forecast");
      if (fresh && mine === latest) part.replaceChildren(...fresh.childNodes);
    }, pause);
  });
}

if (globalThis.document) {
  live();
  offerCopies("Copied.", "It could not be copied; it is selected.");
  forecasts();
}
