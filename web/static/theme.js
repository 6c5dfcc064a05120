// How pages look: as the system has it, or as the reader chose on any of them.
// Not a module: it runs before a page is drawn, so that none shows in the wrong
// light first. Where nothing may be stored, a choice holds for the page.

(() => {
  const key = "quaestor-look";
  const root = document.documentElement;

  function kept() {
    try {
      return localStorage.getItem(key) ?? "";
    } catch {
      return "";
    }
  }

  function keep(look) {
    try {
      if (look) localStorage.setItem(key, look);
      else localStorage.removeItem(key);
    } catch {
      // the page looks as chosen all the same
    }
  }

  /** Shows the page as "light" or "dark"; as the system has it for all else. */
  function show(look) {
    const chosen = look === "light" || look === "dark" ? look : "";
    if (chosen) root.dataset.look = chosen;
    else delete root.dataset.look;
    for (const box of document.querySelectorAll('input[name="look"]')) box.checked = box.value === chosen;
  }

  show(kept());
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) show(kept());
  });
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-looks]")) button.hidden = false;
    show(root.dataset.look);
  });
  document.addEventListener("change", ({ target }) => {
    if (target.name !== "look") return;
    keep(target.value);
    show(target.value);
  });
})();
