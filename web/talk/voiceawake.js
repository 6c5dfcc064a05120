// A call keeps the screen of a phone on: a phone that locks itself takes the microphone away.

/** Awake keeps the screen on until end, where the browser can; a page that was hidden asks again once it is seen. */
export class Awake {
  #world;
  #lock = null;
  #over = false;
  #seen = () => this.#ask();

  constructor(world = globalThis) {
    this.#world = world;
    world.document.addEventListener("visibilitychange", this.#seen);
    this.#ask();
  }

  async #ask() {
    if (this.#over || this.#world.document.visibilityState !== "visible") return;
    try {
      this.#lock = await this.#world.navigator.wakeLock?.request("screen");
    } catch {
      return; // the battery is low, or the page was hidden meanwhile
    }
    if (this.#over) this.#lock?.release();
  }

  end() {
    this.#over = true;
    this.#world.document.removeEventListener("visibilitychange", this.#seen);
    this.#lock?.release();
  }
}
