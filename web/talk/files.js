// Files that go with a message: chosen, dropped or pasted, read by the server at
// once, and sent by name.

import { fill, piece, show, slot } from "../static/pieces.js";
import { say } from "../static/said.js";

export const mostFiles = 5;
export const mostBytes = 10 * 1024 * 1024;

/** How long a pasted text is that one is asked about, in UTF-16 units. */
export const longText = 4000;

/** sizeWords words a number of bytes as the server does: "12 KB". */
export function sizeWords(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1e6).toFixed(1).replace(/\.0$/, "")} MB`;
}

/** refusalOf says why a file is not even sent; empty when it may be. There are so many files already. */
export function refusalOf(file, already) {
  if (already >= mostFiles) return say("At most {n} files go into one message; send the others with the next.", { n: mostFiles });
  if (file.size > mostBytes) return say("{name} has more than {n} MB; attach the part that matters.", { name: file.name, n: mostBytes >> 20 });
  if (file.size === 0) return say("{name} is empty; attach a file with text in it.", { name: file.name });
  return "";
}

/** faultOf says why the server did not take a file, from the status and the body of its answer. */
export function faultOf(status, body) {
  let detail = "";
  try {
    detail = JSON.parse(body).detail ?? "";
  } catch {
    // a proxy's page, or nothing
  }
  if (!detail) return status === 413 ? say("This file is too large.") : say("The file could not be sent. Remove it and attach it again.");
  const named = /^\S+\.\w+ /.test(detail); // the name of a file stays as it is
  const sentence = named ? detail : detail[0].toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** fileLinks draws the files of a message into list. */
export function fileLinks(list, files) {
  list.hidden = files.length === 0;
  list.replaceChildren(
    ...files.map((f) => {
      const li = piece("file");
      slot(li, "link").href = filePath(f.id);
      fill(li, "name", f.name);
      fill(li, "fact", sizeWords(f.size));
      return li;
    }),
  );
}

function filePath(id) {
  return `${location.pathname.replace(/\/$/, "")}/files/${encodeURIComponent(id)}`;
}

/** NoFiles stands in where nothing is attached. */
export class NoFiles {
  ready() {
    return [];
  }
  waits() {
    return false;
  }
  clear() {}
  put() {}
  drop() {}
}

/** Attachments are the chips in the dock, and all ways for a file to get there. */
export class Attachments {
  #list;
  #input;
  #box;
  #offer;
  #session;
  #say;
  #pasted = null;

  /** say(text) tells those who do not see. */
  constructor(dock, sessionId, say) {
    this.#list = dock.querySelector("#attached");
    this.#input = dock.querySelector("#file");
    this.#box = dock.querySelector("textarea");
    this.#offer = dock.querySelector("#offer");
    this.#session = sessionId;
    this.#say = say;
    this.#input.addEventListener("change", () => this.#chosen());
    this.#box.addEventListener("paste", (event) => this.#paste(event));
    this.#box.addEventListener("input", () => this.#box.value.length < longText && this.#settle());
    this.#offer.addEventListener("click", (event) => this.#answer(event));
    this.#list.addEventListener("click", (event) => this.#remove(event));
    this.#droppable(dock.closest(".talk"));
  }

  /** What goes with the next message: [{id, name, size}]. */
  ready() {
    return [...this.#list.children].filter((li) => li.dataset.file).map((li) => ({ id: li.dataset.file, name: li.dataset.name, size: Number(li.dataset.size) }));
  }

  /** Whether a file is still being sent or read. */
  waits() {
    return Boolean(this.#list.querySelector('[data-state="sending"]'));
  }

  /** Takes what went with a message, and what could not, out of the dock. */
  clear() {
    for (const li of [...this.#list.children]) if (li.dataset.state !== "sending") li.remove();
    this.#settle();
  }

  /** Puts files back that were not sent after all. */
  put(files) {
    for (const f of files) this.#done(this.#chip(f.name, f.size), f);
  }

  /** Takes files out that go with a message already. */
  drop(files) {
    for (const li of [...this.#list.children]) if (files.some((f) => f.id === li.dataset.file)) li.remove();
  }

  /** Sends files to be read, each by itself. */
  add(files) {
    for (const file of files) {
      const already = [...this.#list.children].filter((li) => li.dataset.state !== "failed").length;
      const fault = refusalOf(file, already);
      const li = this.#chip(file.name, file.size);
      if (fault) this.#fail(li, fault);
      else this.#send(li, file);
    }
  }

  #chosen() {
    this.add([...this.#input.files]);
    this.#input.value = "";
  }

  #chip(name, size) {
    const li = piece("attachment");
    li.dataset.name = name;
    li.dataset.size = String(size);
    delete li.dataset.file;
    fill(li, "name", name);
    fill(li, "fact", sizeWords(size));
    fill(li, "remove", say("Remove {name}", { name }));
    this.#list.append(li);
    return li;
  }

  #send(li, file) {
    const request = new XMLHttpRequest(); // fetch does not tell how far it has got
    const form = new FormData();
    form.append("file", file, file.name);
    li.dataset.state = "sending";
    li.cancel = () => request.abort();
    show(li, "progress", true);
    request.upload.addEventListener("progress", ({ loaded, total }) => this.#progress(li, loaded, total));
    request.addEventListener("load", () => this.#answered(li, request));
    request.addEventListener("error", () => this.#fail(li, say("The connection failed. Remove the file and attach it again.")));
    request.open("POST", `/api/v1/sessions/${encodeURIComponent(this.#session)}/files`);
    request.setRequestHeader("Accept", "application/json");
    request.send(form);
    fill(li, "fact", say("Sending"));
  }

  #progress(li, loaded, total) {
    const bar = slot(li, "progress");
    if (loaded < total) {
      bar.value = (100 * loaded) / total;
    } else {
      bar.removeAttribute("value");
      fill(li, "fact", say("Reading"));
    }
  }

  #answered(li, request) {
    if (request.status !== 200 && request.status !== 201) return this.#fail(li, faultOf(request.status, request.responseText));
    const [file] = JSON.parse(request.responseText).items;
    if (this.ready().some((f) => f.id === file.id)) return li.remove(); // the same content is attached already
    this.#done(li, file);
    this.#say(say("{name} was read and goes with your message.", { name: file.name }));
  }

  #done(li, file) {
    li.dataset.file = file.id;
    li.dataset.name = file.name;
    li.dataset.state = "ready";
    li.fresh = file.new === true;
    fill(li, "name", file.name);
    fill(li, "fact", sizeWords(file.size));
    show(li, "progress", false);
  }

  #fail(li, fault) {
    li.dataset.state = "failed";
    show(li, "progress", false);
    show(li, "fault", true);
    fill(li, "fact", say("Not attached"));
    fill(li, "fault", fault);
    this.#say(fault);
  }

  /** A file that nobody was given is forgotten by the server too. */
  #remove(event) {
    const button = event.target.closest('[data-act="remove"]');
    if (!button) return;
    event.preventDefault();
    const li = button.closest("li");
    li.cancel?.();
    const id = li.dataset.file;
    if (id && li.fresh !== false) fetch(`/api/v1/sessions/${encodeURIComponent(this.#session)}/files/${encodeURIComponent(id)}`, { method: "DELETE" }).catch(() => {});
    this.#say(say("{name} is removed.", { name: li.dataset.name }));
    li.remove();
    this.#box.focus({ preventScroll: true });
  }

  #droppable(area) {
    const carries = (event) => event.dataTransfer?.types.includes("Files");
    const over = (on) => area.classList.toggle("dropping", on);
    area.addEventListener("dragover", (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      over(true);
    });
    area.addEventListener("dragleave", (event) => area.contains(event.relatedTarget) || over(false));
    area.addEventListener("drop", (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      over(false);
      this.add([...event.dataTransfer.files]);
    });
  }

  #paste(event) {
    const { files } = event.clipboardData;
    if (files.length > 0) {
      event.preventDefault();
      return this.add([...files]);
    }
    const text = event.clipboardData.getData("text/plain");
    if (text.length < longText) return;
    this.#pasted = text.replaceAll("\r\n", "\n");
    this.#offer.hidden = false;
  }

  #answer(event) {
    const act = event.target.closest("[data-act]")?.dataset.act;
    const pasted = this.#pasted;
    if (act === "attach-paste" && pasted) {
      this.#box.value = this.#box.value.replaceAll("\r\n", "\n").replace(pasted, () => "").trim();
      this.#box.dispatchEvent(new Event("input")); // which keeps the draft, and settles the offer
      this.add([new File([pasted], "pasted-text.txt", { type: "text/plain" })]);
    }
    if (act) {
      this.#settle();
      this.#box.focus({ preventScroll: true });
    }
  }

  #settle() {
    this.#pasted = null;
    this.#offer.hidden = true;
  }
}
