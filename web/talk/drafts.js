// What is typed and not sent, kept by the tab; where storage is refused, nothing
// outlives the page.

/** drafts reads and writes one text by name. */
export const drafts = {
  read(key) {
    try {
      return sessionStorage.getItem(key) ?? "";
    } catch {
      return "";
    }
  },
  write(key, text) {
    try {
      if (text) sessionStorage.setItem(key, text);
      else sessionStorage.removeItem(key);
    } catch {
      // no draft is kept
    }
  },
};

/**
 * HalfFilled keeps what was filled into the fields of a session's questions, by the
 * obligation they ask for, so that it is there again when the question is drawn anew.
 */
export class HalfFilled {
  #key;
  #held;

  constructor(sessionId) {
    this.#key = `quaestor.fields.${sessionId}`;
    this.#held = JSON.parse(drafts.read(this.#key) || "{}");
  }

  /** Keeps what a field holds now. */
  keep(field) {
    const held = inputsOf(field).filter((i) => (picks(i) ? i.checked : i.value)).map((i) => [i.name, i.value]);
    this.forget(field.dataset.key);
    if (held.length === 0) return;
    this.#held[field.dataset.key] = held;
    this.#write();
  }

  /** Puts back into a field what was kept of it. */
  restore(field) {
    const held = this.#held[field.dataset.key];
    if (!held) return;
    for (const input of inputsOf(field)) {
      if (picks(input)) input.checked = held.some(([name, value]) => name === input.name && value === input.value);
      else input.value = held.find(([name]) => name === input.name)?.[1] ?? "";
    }
  }

  /** Forgets what was kept of the field of key. */
  forget(key) {
    delete this.#held[key];
    this.#write();
  }

  #write() {
    drafts.write(this.#key, Object.keys(this.#held).length > 0 ? JSON.stringify(this.#held) : "");
  }
}

function inputsOf(field) {
  return [...field.querySelectorAll("input, textarea")];
}

function picks(input) {
  return input.type === "radio" || input.type === "checkbox";
}
