// A language model that says what a test wants, as slowly as it wants.

import { once } from "node:events";
import { createServer } from "node:http";

/**
 * Model answers POST /v1/chat/completions. A request for a stream is a reply; any
 * other asks what a message means, and hears that it means nothing much. While
 * held, a reply stops after its first half.
 */
export class Model {
  #server;
  #gate = null;
  #begun = 0;
  #watchers = [];

  /** What it replies, word by word. */
  reply = "Thank you. What else should I know?";

  static async start() {
    const model = new Model();
    model.#server = createServer((request, response) =>
      model.#answer(request, response).catch((error) => {
        if (!request.destroyed) throw error; // else the program was killed while it asked
      }),
    );
    model.#server.listen(0, "127.0.0.1");
    await once(model.#server, "listening");
    return model;
  }

  /** The base URL for --model-url. */
  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/v1`;
  }

  /** Makes replies stop half-way from now on. */
  hold() {
    if (!this.#gate) this.#gate = gate();
  }

  /** Lets held replies go on, and later ones run through. */
  release() {
    this.#gate?.open();
    this.#gate = null;
  }

  /** Waits until so many replies have been asked for since the start. */
  async begun(count) {
    while (this.#begun < count) await new Promise((resolve) => this.#watchers.push(resolve));
  }

  /** How many replies have been asked for. */
  get count() {
    return this.#begun;
  }

  stop() {
    this.release();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request, response) {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    if (JSON.parse(body).stream) await this.#stream(response);
    else meaning(response);
  }

  async #stream(response) {
    const held = this.#gate;
    this.#begun++;
    for (const tell of this.#watchers.splice(0)) tell();
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const words = this.reply.match(/\S+\s*/g);
    const half = Math.ceil(words.length / 2);
    for (const [i, word] of words.entries()) {
      if (i === half && held) await held.opened;
      response.write(chunk({ content: word }, null));
    }
    response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
  }
}

function chunk(delta, reason) {
  return `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
}

function meaning(response) {
  const nothing = { intent: "answer", about: null, findings: [], research: [], proposals: [], topic: null, follow_ups: [], relationships: [], preferences: [], style: null };
  const message = { role: "assistant", content: JSON.stringify(nothing) };
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ id: "1", object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }], usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } }));
}

function gate() {
  const made = {};
  made.opened = new Promise((resolve) => (made.open = resolve));
  return made;
}
