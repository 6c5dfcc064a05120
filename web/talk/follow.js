// Following the conversation: the page stays at its end unless one scrolls up.

const nearEnough = 80;
const air = 16;

/**
 * Follow keeps the newest of thread in view: its end, but never more of it than
 * fits below the start of the last message, while that grows and the dock below it
 * does (none on a page that one only reads). jump is the button back there.
 */
export class Follow {
  #stuck = true;
  #at = 0;
  #thread;
  #jump;

  constructor(thread, dock, jump) {
    this.#thread = thread;
    this.#jump = jump;
    addEventListener("scroll", () => this.#look(), { passive: true });
    addEventListener("resize", () => this.#grown());
    const sizes = new ResizeObserver(() => this.#grown());
    sizes.observe(thread);
    if (dock) sizes.observe(dock);
    jump.addEventListener("click", () => this.end());
    if (!location.hash) this.end();
  }

  /** Goes to the newest and stays there. */
  end() {
    this.#stuck = true;
    this.#jump.hidden = true;
    scrollTo({ top: this.#target() });
    this.#at = scrollY;
  }

  /** Only somebody who scrolls up leaves the end: it may move away by itself. */
  #look() {
    const up = scrollY < this.#at - 1;
    this.#at = scrollY;
    const near = scrollY > this.#target() - nearEnough;
    if (near) this.#stuck = true;
    else if (up) this.#stuck = false;
    this.#jump.hidden = near || this.#stuck;
  }

  #grown() {
    if (this.#stuck && scrollY < this.#target()) this.end();
    else this.#look();
  }

  /** Where the newest begins, or the end of the page when all of it fits. */
  #target() {
    const end = document.documentElement.scrollHeight - innerHeight;
    const last = [...this.#thread.querySelectorAll(".message")].at(-1);
    if (!last) return end;
    const bar = document.querySelector(".bar").getBoundingClientRect();
    return Math.min(end, scrollY + last.getBoundingClientRect().top - bar.height - air);
  }
}
