// The pages of those who manage: a list of jobs that keeps itself up to date while
// somebody looks at it.

const every = 5000;

/** What of a part of the page its reader has moved: open details, the focus, how far a table is scrolled. */
export function stateOf(part) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  return {
    open: [...part.querySelectorAll("details[data-keep][open]")].map((d) => d.dataset.keep),
    focus: focused?.dataset.testid ?? null,
    scroll: [...part.querySelectorAll(".admin-scroll")].map((e) => e.scrollLeft),
  };
}

export function restore(part, state) {
  for (const name of state.open) part.querySelector(`details[data-keep="${CSS.escape(name)}"]`)?.setAttribute("open", "");
  [...part.querySelectorAll(".admin-scroll")].forEach((e, i) => {
    e.scrollLeft = state.scroll[i] ?? 0;
  });
  if (state.focus) part.querySelector(`[data-testid="${CSS.escape(state.focus)}"]`)?.focus({ preventScroll: true });
}

/** Fetches the part again and puts it in its place. What cannot be fetched leaves the page as it is. */
async function renew() {
  const address = new URL(location.href);
  address.searchParams.set("part", "now");
  const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("now");
  const part = document.getElementById("now");
  if (!fresh || !part || getSelection()?.type === "Range") return;
  const state = stateOf(part);
  part.replaceWith(fresh);
  restore(fresh, state);
}

function live() {
  const control = document.querySelector("[data-live-control]");
  const box = control?.querySelector("[data-live]");
  if (!box) return;
  control.hidden = false;
  box.checked = true;
  let busy = false;
  setInterval(async () => {
    if (busy || !box.checked || document.visibilityState !== "visible") return;
    busy = true;
    await renew().finally(() => (busy = false));
  }, every);
}

/** Offers to copy what an element holds, where the browser can. */
function copies() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    const field = document.getElementById(button.dataset.copy);
    if (!field || !navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await navigator.clipboard.writeText(field.value).then(
        () => true,
        () => false,
      );
      if (!done) field.select();
      const says = document.querySelector("[data-copied]");
      if (says) says.textContent = done ? "Copied." : "It could not be copied; it is selected.";
    });
  }
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
      const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
      if (!answer?.ok || mine !== latest) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("forecast");
      if (fresh) part.replaceChildren(...fresh.childNodes);
    }, pause);
  });
}

if (globalThis.document) {
  live();
  copies();
  forecasts();
}
