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

/** aim makes link lead to another answer for key, which is called name. */
export function aim(link, { sessionId }, key, name) {
  link.setAttribute("href", `/s/${encodeURIComponent(sessionId)}/answers/${encodeURIComponent(key)}`);
  link.dataset.edit = key;
  const hidden = link.querySelector(".sr-only");
  if (hidden && name) hidden.textContent = `: ${name}`;
}

/** phrase puts values into the {places} of a phrase. */
export function phrase(text, values) {
  return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

/** fetchPage returns a page of the server as a document; null when it cannot be had. */
export async function fetchPage(url) {
  try {
    const response = await fetch(url, { headers: { Accept: "text/html" } });
    return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
  } catch {
    return null;
  }
}

/** fetchPart returns what a selector finds in a page of the server, to be put into this one; null for nothing. */
export async function fetchPart(url, selector) {
  const part = (await fetchPage(url))?.querySelector(selector);
  return part ? document.adoptNode(part) : null;
}
