// The pages of those who manage: moments in the reader's own manner, and a list of
// jobs that keeps itself up to date while somebody looks at it.

const every = 5000;
const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

function tell(root) {
  for (const time of root.querySelectorAll("time[datetime]")) time.textContent = format.format(new Date(time.dateTime));
}

/** What of a part of the page its reader has moved: open details, the focus, how far a table is scrolled. */
function stateOf(part) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  return {
    open: [...part.querySelectorAll("details[data-keep][open]")].map((d) => d.dataset.keep),
    focus: focused?.dataset.testid ?? null,
    scroll: [...part.querySelectorAll(".admin-scroll")].map((e) => e.scrollLeft),
  };
}

function restore(part, state) {
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
  tell(fresh);
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

tell(document);
live();
