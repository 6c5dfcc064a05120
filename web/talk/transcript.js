// What has been said, as the events tell it: each message once, whatever is
// repeated.

import { Reply } from "./reply.js";

/**
 * Transcript turns events into entries and hands them to view.show(entry) and
 * view.drop(id). An entry is {id, turn, role, author, text, state, note, files}; its id
 * is "12-user" or, until the server has it, "pending-" and the client's id.
 *
 * States: "sending", "waiting", "failed" and "said" of the person's messages,
 * "thinking", "writing", "cut", "whole", "stopped" and "interrupted" of replies.
 */
export class Transcript {
  #view;
  #name;
  #whole;
  #replies = new Map();
  #said = new Map();
  #pending = new Map();
  #newest = 0;

  /**
   * known lists the ids of messages the page has already; name(user) says who
   * that is.
   */
  constructor(view, known, name) {
    this.#view = view;
    this.#name = name;
    this.#whole = new Set(known);
    for (const id of known) this.#newest = Math.max(this.#newest, parseInt(id, 10) || 0);
  }

  /** The person sends payload {message, answers} under a new client id. */
  propose(clientId, payload) {
    this.#pending.set(clientId, { payload, after: this.#newest, accepted: false, failed: false });
    this.#showPending(clientId, "sending");
  }

  /** The server has taken the message. */
  accepted(clientId) {
    const pending = this.#pending.get(clientId);
    if (!pending) return;
    pending.accepted = true;
    if (this.#saidAfter(pending.after)) this.withdraw(clientId);
  }

  /** The message was not taken; what it said is kept. */
  refused(clientId) {
    if (!this.#pending.has(clientId)) return;
    this.#pending.get(clientId).failed = true;
    this.#showPending(clientId, "failed");
  }

  /** The message goes out once there is a connection. */
  delayed(clientId) {
    if (this.#pending.has(clientId)) this.#showPending(clientId, "waiting");
  }

  /** The connection broke: replies that are being written say so until they go on. */
  broken() {
    for (const [turn, reply] of this.#replies) this.#assistant(turn, reply.text, reply.text ? "cut" : "thinking");
  }

  /** The same message is sent again. */
  again(clientId) {
    this.#pending.get(clientId).failed = false;
    this.#showPending(clientId, "sending");
  }

  /** The message is taken back; returns its payload. */
  withdraw(clientId) {
    const pending = this.#pending.get(clientId);
    this.#pending.delete(clientId);
    this.#view.drop(`pending-${clientId}`);
    return pending?.payload;
  }

  /** Whether the message still waits for the server's word. */
  waits(clientId) {
    return this.#pending.has(clientId);
  }

  /** The messages that were refused and not sent again. */
  unsent() {
    return [...this.#pending.values()].filter((p) => p.failed).map((p) => p.payload.message);
  }

  /** What the person said in a turn; empty when nothing is known. */
  saidIn(turn) {
    return this.#said.get(turn)?.payload ?? { message: "" };
  }

  /** Event "session": a turn has begun. */
  started({ turn, message = "", userId = "", clientMessageId = "", files = [] }) {
    this.#newest = Math.max(this.#newest, turn);
    if (message || files.length > 0) this.#person(turn, { message, ...(files.length > 0 ? { files } : {}) }, userId, clientMessageId);
    const id = `${turn}-assistant`;
    if (!this.#whole.has(id) && !this.#replies.has(turn)) this.#assistant(turn, "", "thinking");
  }

  /** Event "delta": a piece of the reply. */
  delta(piece) {
    if (this.#whole.has(`${piece.turn}-assistant`)) return "";
    const reply = this.#replies.get(piece.turn) ?? new Reply();
    this.#replies.set(piece.turn, reply);
    const text = reply.add(piece);
    this.#assistant(piece.turn, text, text ? "writing" : "thinking");
    return text;
  }

  /** Event "message": the whole reply. Returns whether it is new here. */
  message({ turn, role, content, complete = true, degraded = "" }) {
    const id = `${turn}-${role}`;
    if (role !== "assistant" || this.#whole.has(id)) return false;
    this.#whole.add(id);
    this.#replies.delete(turn);
    this.#assistant(turn, content, complete ? "whole" : "stopped", degraded);
    return true;
  }

  /** Event "interruption": the person broke into a spoken reply; this much was heard of it. */
  interrupted({ turn, content }) {
    this.#assistant(turn, content, "interrupted");
  }

  /** Events "done" and "error": a half reply does not stay. */
  ended(turn) {
    const id = `${turn}-assistant`;
    this.#replies.delete(turn);
    if (!this.#whole.has(id)) this.#view.drop(id);
  }

  #person(turn, said, userId, sentAs) {
    const id = `${turn}-user`;
    const { message } = said;
    const mine = sentAs ? this.#pending.has(sentAs) && sentAs : this.#match(turn, message);
    const payload = mine ? this.withdraw(mine) : said;
    this.#said.set(turn, { payload, message });
    if (this.#whole.has(id)) return;
    this.#whole.add(id);
    this.#view.show({ id, turn, role: "user", author: this.#name(userId), text: message, state: "said", ...filesOf(said) });
  }

  /** The client id of the message that has become turn's; undefined for none. */
  #match(turn, message) {
    for (const [clientId, p] of this.#pending) {
      if (turn > p.after && p.payload.message === message) return clientId;
    }
    for (const [clientId, p] of this.#pending) {
      if (turn > p.after && p.accepted) return clientId;
    }
    return undefined;
  }

  #saidAfter(turn) {
    return [...this.#said.keys()].some((t) => t > turn);
  }

  #showPending(clientId, state) {
    const { payload } = this.#pending.get(clientId);
    this.#view.show({ id: `pending-${clientId}`, turn: Infinity, role: "user", author: this.#name(null), text: payload.message, state, ...filesOf(payload) });
  }

  #assistant(turn, text, state, note = "") {
    this.#view.show({ id: `${turn}-assistant`, turn, role: "assistant", author: "", text, state, note });
  }
}

/** The files of a message, for its entry; nothing where there are none. */
function filesOf({ files }) {
  return files ? { files } : {};
}
