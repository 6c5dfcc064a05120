// The level of a voice over the last seconds, as a row of bars.

const width = 3;

/** Wave draws levels, 0 to 1, into a canvas: the newest at its end. */
export class Wave {
  #canvas;
  #levels = [];
  #due = false;

  constructor(canvas) {
    this.#canvas = canvas;
  }

  add(level) {
    this.#levels.push(level);
    const room = Math.floor(this.#canvas.clientWidth / width);
    if (this.#levels.length > room) this.#levels.splice(0, this.#levels.length - room);
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#due = false;
    const { clientWidth: wide, clientHeight: height } = this.#canvas;
    const dots = globalThis.devicePixelRatio || 1;
    [this.#canvas.width, this.#canvas.height] = [wide * dots, height * dots]; // which clears it
    const pen = this.#canvas.getContext("2d");
    pen.scale(dots, dots);
    pen.fillStyle = getComputedStyle(this.#canvas).color;
    this.#levels.forEach((level, i) => {
      const bar = Math.max(1, height * barOf(level));
      pen.fillRect(i * width, (height - bar) / 2, width - 1, bar);
    });
  }
}

/** barOf is how high the bar of a level is, 0 to 1: −60 dB is nothing, −10 dB is all. */
export function barOf(level) {
  return Math.min(1, Math.max(0, (20 * Math.log10(Math.max(level, 1e-6)) + 60) / 50));
}
