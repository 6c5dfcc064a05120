// The chat page: events in, messages out.

import { Announcer } from "./announce.js";
import { collect } from "./answers.js";
import { Composer, Reader } from "./composer.js";
import { highlight } from "./evidence.js";
import { Follow } from "./follow.js";
import { Messages } from "./messages.js";
import { Panel, labelOf } from "./panel.js";
import { QuestionCard } from "./question.js";
import { Research } from "./research.js";
import { newId, send, stop } from "./send.js";
import { Stream } from "./stream.js";
import { Transcript } from "./transcript.js";

const hiddenFor = 60_000; // a tab in the background lets go of its connection after this

/** Chat wires the page's parts together. */
class Chat {
  #page;
  #messages;
  #transcript;
  #question;
  #panel;
  #research;
  #composer;
  #follow;
  #announcer;
  #stream;
  #running;
  #sending = null;
  #askedIn = 0;
  #hiddenTimer = 0;

  constructor(root) {
    const page = JSON.parse(root.dataset.page);
    const who = (user) => (user === null || user === page.user ? page.words.you : user || page.words.someone);
    this.#page = page;
    this.#running = page.turn;
    this.#messages = new Messages(document.getElementById("transcript"));
    this.#transcript = new Transcript(this.#messages, this.#messages.known(), who);
    this.#question = new QuestionCard(page.reads ? document.createElement("div") : document.getElementById("now"), page.question, page.words);
    this.#panel = new Panel(page, who);
    this.#announcer = new Announcer(document.getElementById("announcer"));
    this.#research = new Research(page, (text) => this.#announcer.say(text));
    this.#stream = new Stream(`/api/v1/sessions/${encodeURIComponent(page.sessionId)}/events`, page.after, {
      event: (e) => this.#take(e),
      state: (state) => this.#connection(state),
    });
    this.#open();
  }

  #open() {
    document.addEventListener("click", (event) => this.#click(event));
    document.getElementById("panel").addEventListener("toggle", (event) => this.#drawer(event.newState === "open"));
    const dock = document.getElementById("dock");
    if (!dock && !this.#page.reads) return; // a closed interview is still
    this.#composer = dock ? new Composer(dock, this.#page.sessionId) : new Reader();
    this.#follow = new Follow(document.querySelector(".thread"), document.getElementById("jump") ?? document.createElement("button"));
    document.addEventListener("submit", (event) => this.#submit(event));
    document.getElementById("stop")?.addEventListener("click", () => this.#stop());
    document.addEventListener("visibilitychange", () => this.#visibility());
    addEventListener("online", () => this.#stream.wake());
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", (event) => event.persisted && this.#stream.wake());
    if (this.#running) this.#transcript.started({ turn: this.#running });
    this.#busy();
    this.#stream.start();
  }

  /** Events, by type. */
  #take(e) {
    switch (e.type) {
      case "session":
        return this.#began(e);
      case "delta":
        return this.#announcer.read(e.turn, this.#transcript.delta(e));
      case "message":
        this.#transcript.message(e);
        return this.#announcer.finish(e.turn, e.content);
      case "question":
        return this.#ask(e);
      case "obligation":
        this.#research.touched(e.key);
        return this.#announcer.say(this.#panel.learnt(e));
      case "completeness":
        return this.#panel.scored(e);
      case "phase":
        return this.#announcer.say(`Next phase: ${this.#panel.entered(e)}.`);
      case "negotiation":
        this.#research.touched(e.key);
        return this.#panel.disputed(e);
      case "conflict":
        return this.#panel.clashing(e);
      case "research":
        return this.#research.researching(e, labelOf);
      case "error":
        return this.#failed(e);
      case "done":
        return this.#done(e);
      default: // "memory" and what later versions add are not shown here
    }
  }

  #began(e) {
    this.#running = e.turn;
    this.#messages.forgive();
    this.#transcript.started(e);
    this.#composer.paused("");
    this.#question.turn("away");
    this.#busy();
  }

  #ask(question) {
    this.#askedIn = question.turn;
    this.#question.ask(question);
    this.#question.turn(this.#running ? "sending" : "open");
  }

  #done({ turn, reason }) {
    this.#ended(turn);
    if (reason === "answered" && this.#askedIn !== turn) this.#question.ask(null);
    if (reason === "completed") this.#close();
    else this.#composer.paused(this.#page.words.end[reason] ?? "");
  }

  #failed({ turn, detail, retryable }) {
    this.#ended(turn);
    const payload = this.#transcript.saidIn(turn);
    this.#messages.fail(`${turn}-user`, detail, { retry: retryable ? () => this.#say(payload) : null, edit: null });
  }

  #ended(turn) {
    this.#transcript.ended(turn);
    if (this.#running === turn) this.#running = 0;
    this.#question.turn("open");
    this.#busy();
  }

  /** The interview is complete: nothing more is asked. */
  #close() {
    this.#stream.stop();
    this.#question.ask(null);
    document.getElementById("dock")?.setAttribute("hidden", "");
    document.getElementById("closing").hidden = false;
    document.getElementById("closing-title").focus();
    this.#announcer.say(this.#page.words.end.completed);
  }

  #submit(event) {
    const form = event.target;
    if (!form.matches("[data-say]")) return;
    event.preventDefault();
    if (this.#running || this.#sending) return this.#announcer.say("Quaestor is still answering.");
    const widget = Boolean(form.closest("#question"));
    const payload = collect(widget ? this.#question.asked : null, [...new FormData(form, event.submitter)]);
    if (!payload.message) return widget ? this.#question.wantMore() : this.#composer.focus();
    if (form.matches(".composer")) this.#composer.clear();
    this.#say(payload);
  }

  /** Sends a message under a new id. */
  #say(payload) {
    const clientId = newId();
    this.#transcript.propose(clientId, payload);
    this.#follow.end();
    this.#rest();
    return this.#post(clientId, payload);
  }

  async #post(clientId, { message, answers }) {
    this.#sending = clientId;
    this.#question.turn("sending");
    this.#busy();
    const { sessionId, contextType } = this.#page;
    const result = await send({ sessionId, contextType, message, clientMessageId: clientId, ...(answers ? { answers } : {}) });
    this.#sending = null;
    if (result.ok) this.#transcript.accepted(clientId);
    else this.#refused(clientId, { message, answers }, result);
    this.#busy();
  }

  /** Nothing typed is lost: it can be sent again as it is, or edited. */
  #refused(clientId, payload, { detail, again }) {
    if (!this.#transcript.waits(clientId)) return; // its turn is here already
    this.#transcript.refused(clientId);
    if (!this.#running) this.#question.turn("open");
    const resend = () => {
      if (!this.#transcript.waits(clientId)) return;
      this.#transcript.again(clientId);
      this.#post(clientId, payload);
    };
    const edit = () => this.#composer.restore(this.#transcript.withdraw(clientId)?.message ?? "");
    this.#messages.fail(`pending-${clientId}`, detail, { retry: again ? resend : null, edit });
  }

  /** After sending, the focus is where one goes on; a phone's keyboard stays away. */
  #rest() {
    if (matchMedia("(pointer: coarse)").matches) this.#messages.focusLast();
    else this.#composer.focus();
  }

  #busy() {
    this.#composer.busy(Boolean(this.#running || this.#sending), this.#running);
  }

  async #stop() {
    const heard = await stop(this.#page.sessionId, this.#running);
    if (!heard) this.#announcer.say("The reply could not be stopped.");
  }

  #click(event) {
    const link = event.target.closest('[data-slot="quotelink"]');
    if (!link) return;
    event.preventDefault();
    const panel = document.getElementById("panel");
    if (panel.matches(":popover-open")) panel.hidePopover();
    this.#drawer(false); // the panel tells of its closing only later
    highlight(link);
  }

  /** What lies under the open drawer is out of reach. */
  #drawer(open) {
    for (const part of document.querySelectorAll("#transcript, #now, #dock")) part.inert = open;
  }

  #connection(state) {
    const note = document.getElementById("connection");
    note.textContent = state === "open" ? "" : navigator.onLine ? "Connecting again" : "Offline";
  }

  /** What was not sent is found in the box when one comes back. */
  #leave() {
    this.#stream.stop();
    this.#composer.keep(this.#transcript.unsent());
  }

  #visibility() {
    clearTimeout(this.#hiddenTimer);
    if (!document.hidden) this.#stream.wake();
    else this.#hiddenTimer = setTimeout(() => this.#stream.stop(), hiddenFor);
  }
}

new Chat(document.getElementById("chat"));
