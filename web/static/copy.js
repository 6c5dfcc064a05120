// Buttons that copy what a field holds.

/** offerCopies shows the page's buttons for copying, and tells what came of them: copied, or what else to do. */
export function offerCopies(copied, otherwise) {
  for (const button of document.querySelectorAll("[data-copy]")) {
    const field = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener("click", async () => {
      let told = copied;
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        field.focus();
        field.select();
        told = otherwise;
      }
      document.querySelector("[data-copied]").textContent = told;
    });
  }
}
