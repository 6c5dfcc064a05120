// What the list of interviews adds for hands: one box that chooses a whole page, and
// how far an export is.

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

const bulk = document.querySelector("[data-bulk-export]");
bulk?.closest("form").addEventListener("submit", (event) => {
  const body = new URLSearchParams(new FormData(event.target, event.submitter));
  if (body.get("which") === "chosen" && !body.has("session")) return; // the server says what is wrong
  event.preventDefault();
  save(event.target, body);
});

/** Fetches an export, tells how far it is, and hands it over as a file. */
async function save(form, body) {
  if (bulk.dataset.busy) return;
  bulk.dataset.busy = "yes";
  const told = bulk.querySelector("[data-export-told]");
  told.textContent = "The export is being made …";
  try {
    const answer = await fetch(form.action, { method: "POST", body });
    if (!answer.ok) throw new Error(`answered ${answer.status}`);
    const total = Number(answer.headers.get("Quaestor-Export-Total"));
    const pieces = [];
    let size = 0;
    for (const reader = answer.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      size += value.length;
      told.textContent = `${total} interviews, ${words(size)} so far …`;
    }
    const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition"))[1];
    give(new Blob(pieces, { type: answer.headers.get("Content-Type") }), name);
    told.textContent = `${total} ${total === 1 ? "interview is" : "interviews are"} in ${name}, ${words(size)}.`;
  } catch {
    told.textContent = "The export broke off, and nothing was saved. Please try again.";
  }
  delete bulk.dataset.busy;
}

function words(bytes) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function give(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
