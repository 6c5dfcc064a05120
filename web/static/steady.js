// What is read stays where it is, while the page around it changes.

const lines = 48; // pixels: what shows less of itself is on its way out of sight

/**
 * beingRead is the id of the part that somebody reads: the first that reaches some
 * lines below the head of the page and begins above the middle of the window; "" for
 * none.
 */
export function beingRead(parts, head, middle) {
  return parts.find((part) => part.bottom > head + lines && part.top < middle)?.id ?? "";
}

/**
 * steadily changes the page. Of the parts that a selector finds, each with an id, the
 * one that is read does not move; at the top of the page nothing is read yet.
 */
export function steadily(selector, change) {
  const id = scrollY > 0 ? beingRead(places(selector), document.querySelector(".bar")?.offsetHeight ?? 0, innerHeight / 2) : "";
  const before = topOf(id);
  change();
  if (id) scrollBy({ top: topOf(id) - before, behavior: "instant" });
}

function places(selector) {
  return [...document.querySelectorAll(selector)].map((part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return { id: part.id, top, bottom };
  });
}

function topOf(id) {
  return document.getElementById(id)?.getBoundingClientRect().top ?? 0;
}
