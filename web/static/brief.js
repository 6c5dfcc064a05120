// What a brief's pages add for hands: to print, and to copy a link.

const print = document.querySelector("[data-print]");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}

const copy = document.querySelector("[data-copy]");
const box = copy && document.getElementById(copy.dataset.copy);
if (box) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    document.querySelector("[data-copied]").textContent = await copied(box);
  });
}

/** Copies what a box holds and says so, or selects it and says how to go on. */
async function copied(input) {
  try {
    await navigator.clipboard.writeText(input.value);
    return "The link is copied.";
  } catch {
    input.focus();
    input.select();
    return "The link is selected; copy it with your keyboard.";
  }
}
