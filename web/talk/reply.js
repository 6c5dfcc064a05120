// A reply while it is being written: pieces with places, in any order.

/**
 * Reply puts together the pieces of one reply. A piece says at which UTF-16
 * unit it stands, so pieces may overlap, repeat or arrive out of order. A piece
 * of a later attempt begins the text anew; one of an earlier attempt is dropped.
 */
export class Reply {
  #attempt = 0;
  #ahead = [];

  /** What is known from the start without a gap. */
  text = "";

  /** Adds a piece and returns the text. */
  add({ attempt = 0, offset, content }) {
    if (attempt < this.#attempt) return this.text;
    if (attempt > this.#attempt) {
      this.#attempt = attempt;
      this.#ahead = [];
      this.text = "";
    }
    this.#ahead.push({ offset, content });
    this.#join();
    return this.text;
  }

  #join() {
    this.#ahead.sort((a, b) => a.offset - b.offset);
    while (this.#ahead.length > 0 && this.#ahead[0].offset <= this.text.length) {
      const { offset, content } = this.#ahead.shift();
      this.text += content.slice(this.text.length - offset);
    }
  }
}
