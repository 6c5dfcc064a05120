// Moments, on every page, in the reader's own time and manner. The server writes them
// in UTC; what it wrote stays at hand where the pointer rests.

const format = globalThis.document && new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** localise tells the moments in root as the reader tells them. */
export function localise(root) {
  for (const time of root.querySelectorAll("time[datetime]")) tell(time);
}

function tell(time) {
  time.title ||= time.textContent;
  time.textContent = format.format(new Date(time.dateTime));
}

/** Whatever is put into the page later is told so, too. */
function follow({ addedNodes }) {
  for (const node of addedNodes) {
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    if (node.matches("time[datetime]")) tell(node);
    localise(node);
  }
}

if (globalThis.document) {
  localise(document);
  new MutationObserver((changes) => changes.forEach(follow)).observe(document.body, { childList: true, subtree: true });
}
