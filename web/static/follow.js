// Following the conversation: the page stays at its end unless one scrolls up.

const nearEnough = 80;
const air = 16;

/**
 * Follow keeps the newest of thread in view: its end, but never more of it than
 * fits below the start of the last message. jump is the button back there.
 */
export class Follow {
  #stuck = true;
  #thread;
  #jump;

  constructor(thread, jump) {
    this.#thread = thread;
    this.#jump = jump;
    addEventListener("scroll", () => this.#look(), { passive: true });
    addEventListener("resize", () => this.#grown());
    new ResizeObserver(() => this.#grown()).observe(thread);
    jump.addEventListener("click", () => this.end());
    if (!location.hash) this.end();
  }

  /** Goes to the newest and stays there. */
  end() {
    this.#stuck = true;
    this.#jump.hidden = true;
    scrollTo({ top: this.#target() });
  }

  #look() {
    this.#stuck = scrollY > this.#target() - nearEnough;
    this.#jump.hidden = this.#stuck;
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
