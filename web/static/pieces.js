// Pieces of the page: the server's components drawn empty, to be cloned and
// filled. Text goes in as text only.

/** piece clones the piece called name. */
export function piece(name) {
  return document.getElementById(`piece-${name}`).content.firstElementChild.cloneNode(true);
}

/** slot finds the place called name in element; null when it has none. */
export function slot(element, name) {
  const selector = `[data-slot="${name}"]`;
  return element.matches(selector) ? element : element.querySelector(selector);
}

/** fill writes text into the place called name. */
export function fill(element, name, text) {
  const place = slot(element, name);
  if (place && place.textContent !== text) place.textContent = text;
}

/** show hides or shows the place called name. */
export function show(element, name, shown) {
  const place = slot(element, name);
  if (place) place.hidden = !shown;
}
