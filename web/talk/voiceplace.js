// How far the latest reply was heard: where it goes on when the line broke meanwhile.

/** Place follows a reply by what the server tells of it. */
export class Place {
  #turn = 0;
  #begins = []; // {ms, from} of its sentences
  #length = null; // milliseconds of it, once all was sent
  #over = true; // it was broken off, or there is none

  /** The reply of a turn is there, or begins to be spoken. */
  reply(turn) {
    if (turn <= this.#turn) return;
    [this.#turn, this.#begins, this.#length, this.#over] = [turn, [], null, false];
  }

  /** A sentence follows; it begins at ms of the sound, and at a place of the text. Turn 0 is no reply. */
  caption({ turn, ms, from }) {
    if (turn === 0) return;
    this.reply(turn);
    if (ms === 0) this.#begins = []; // it begins anew
    this.#begins.push({ ms, from });
  }

  spoken({ turn, ms }) {
    if (turn === this.#turn) this.#length = ms;
  }

  /** The person speaks, or goes on listening. */
  stop(turn) {
    if (turn === this.#turn) this.#over = true;
  }

  resume(turn) {
    if (turn === this.#turn) this.#over = false;
  }

  /** {turn, from} of the sentence that was not heard to its end; null when all was. played: {turn, ms}. */
  rest(played) {
    if (this.#over) return null;
    const at = played.turn === this.#turn ? played.ms : 0;
    if (this.#length !== null && at >= this.#length - 100) return null; // the last block of sound
    const heard = this.#begins.filter(({ ms }) => ms <= at);
    return { turn: this.#turn, from: heard.at(-1)?.from ?? 0 };
  }
}
