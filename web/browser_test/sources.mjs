// A search engine and the pages it knows, which wait when a test says so.

import { createServer } from "node:http";

const filler = "Other paragraphs of the page speak of the weather, of the road to the station and of the people who pass by it every morning on their way to work.";

/** page is the HTML of a page with these sentences in its text. */
function page({ title, text }) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><article><h1>${title}</h1><p>${text}</p><p>${filler}</p><p>${filler}</p></article></body></html>`;
}

/** Sources serves what is searched and read; known is a list of {path, title, text}. */
export class Sources {
  #server;
  #known;
  #held = null;
  #free = null;

  constructor(known) {
    this.#known = known;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(known) {
    const sources = new Sources(known);
    await new Promise((resolve) => sources.#server.listen(0, "127.0.0.1", resolve));
    return sources;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** From now on searches wait. */
  hold() {
    this.#held ??= new Promise((resolve) => (this.#free = resolve));
  }

  /** What waits goes on. */
  release() {
    this.#free?.();
    this.#held = this.#free = null;
  }

  /** From now on the engine knows other pages. */
  know(known) {
    this.#known = known;
  }

  stop() {
    this.release();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request, response) {
    const base = this.url;
    const { pathname, searchParams } = new URL(request.url, base);
    if (pathname === "/search") {
      await this.#held;
      const results = this.#known.map(({ path, title, text }) => ({ url: base + path, title, content: text, engine: "test", engines: ["test"], score: 1 }));
      return send(response, "application/json", JSON.stringify({ query: searchParams.get("q"), number_of_results: results.length, results, answers: [], suggestions: [], unresponsive_engines: [] }));
    }
    const found = this.#known.find(({ path }) => path === pathname);
    if (!found) return response.writeHead(404).end();
    return send(response, "text/html; charset=utf-8", page(found));
  }
}

function send(response, kind, body) {
  response.writeHead(200, { "Content-Type": kind }).end(body);
}
