// What the list of interviews adds for hands: one box that chooses a whole page.

const all = document.querySelector("[data-choose-all]");
const boxes = [...document.querySelectorAll('input[name="session"]')];

if (all && boxes.length > 0) {
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
  });
  for (const box of boxes) box.addEventListener("change", agree);
}

/** The box on top says whether all, some or none are chosen. */
function agree() {
  const chosen = boxes.filter((box) => box.checked).length;
  all.checked = chosen === boxes.length;
  all.indeterminate = chosen > 0 && chosen < boxes.length;
}
