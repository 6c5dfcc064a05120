// The fixed words of scripts, in the language of the page.

let said = {};

/** speak takes a page's words in its language, by the English ones; what is missing is said in English. */
export function speak(words) {
  said = words ?? {};
}

/** say returns fixed words in the language of the page, with values in the places named "{like}" this. */
export function say(words, values = {}) {
  return (said[words] ?? words).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}
