// A growing text, told sentence by sentence: what a screen reader is given.

const abbreviation = /^\s*\d+\.$|(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|no|mr|mrs|ms|dr|st|\p{L})\.$/iu;
const boundary = /[.!?…]+["'”’)\]]*(?=\s)|[。！？]+|\n+/gu;

/** The signs of Markdown are not for reading aloud. */
const signs = /^\s*(?:[-*+>]|#{1,6}|\d+[.)])\s+|\*\*|`/g;

/** Sentences gives out each sentence of a text once, as soon as it is whole. */
export class Sentences {
  #told;

  /** told is how many characters were given out before. */
  constructor(told = 0) {
    this.#told = told;
  }

  /** How many characters have been given out. */
  get told() {
    return this.#told;
  }

  /** Takes the text so far and returns the sentences that have become whole. */
  upTo(text) {
    const out = [];
    boundary.lastIndex = this.#told;
    for (let m = boundary.exec(text); m; m = boundary.exec(text)) {
      const end = m.index + m[0].length;
      const sentence = text.slice(this.#told, end);
      if (m[0] === "." && abbreviation.test(sentence)) continue;
      this.#told = end;
      if (sentence.trim()) out.push(aloud(sentence));
    }
    return out;
  }

  /** Takes the whole text and returns what was not told yet. */
  rest(text) {
    const out = this.upTo(text);
    const last = aloud(text.slice(this.#told));
    this.#told = Math.max(this.#told, text.length);
    return last ? [...out, last] : out;
  }
}

function aloud(sentence) {
  return sentence.replace(signs, "").trim();
}
