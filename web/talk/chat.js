// The chat page: events in, messages out.

import { Announcer, toldIn } from "./announce.js";
import { collect } from "./answers.js";
import { Composer, Reader } from "./composer.js";
import { Earlier } from "./earlier.js";
import { Editing } from "./edit.js";
import { highlight } from "./evidence.js";
import { Follow } from "./follow.js";
import { Live } from "./live.js";
import { drawMatters, settleForms } from "./matters.js";
import { Messages } from "./messages.js";
import { Outbox } from "./outbox.js";
import { drawCompleteness, drawPanel, labelOf } from "./panel.js";
import { renew } from "../static/parts.js";
import { say, speak } from "../static/said.js";
import { QuestionCard } from "./question.js";
import { Research } from "./research.js";
import { newId, send, stop } from "../static/send.js";
import { Stream } from "../static/stream.js";
import { Transcript } from "./transcript.js";
import { Voice } from "./voice.js";

const firstWait = 1000; // milliseconds until a message that got lost is sent again
const longestWait = 30_000;
const patience = 800; // milliseconds a connection may be gone before it is spoken of
const hiddenFor = 60_000; // a tab in the background lets go of its connection after this

/** Endings after which what was asked before may still be answered. */
const unanswered = ["left", "stopped", "error"];

/** Chat wires the page's parts together. */
class Chat {
  #page;
  #messages;
  #transcript;
  #question;
  #who;
  #live;
  #research;
  #composer;
  #follow;
  #announcer;
  #stream;
  #running;
  #earlier;
  #outbox;
  #voice = null;
  #sending = null;
  #delayed = null;
  #wait = firstWait;
  #resendTimer = 0;
  #noticeTimer = null;
  #goneLong = false; // the connection is gone, and that was told
  #askedIn = 0;
  #hiddenTimer = 0;

  constructor(root) {
    const page = JSON.parse(root.dataset.page);
    speak(page.words.said);
    this.#who = (user) => (user === null || user === page.user ? page.words.you : user || page.words.someone);
    this.#page = page;
    this.#running = page.turn;
    this.#messages = new Messages(document.getElementById("transcript"));
    this.#transcript = new Transcript(this.#messages, this.#messages.known(), this.#who);
    this.#question = new QuestionCard(document.getElementById("now"), page);
    this.#live = new Live(`/s/${encodeURIComponent(page.sessionId)}/matters`, (drawn) => this.#drawn(drawn));
    this.#announcer = new Announcer(document.getElementById("announcer"), toldIn(page.sessionId));
    const tell = (text) => this.#announcer.say(text);
    this.#research = new Research(page, tell);
    settleForms(tell, () => this.#live.renew());
    this.#earlier = new Earlier(tell);
    this.#outbox = new Outbox(page.sessionId);
    new Editing(tell);
    this.#stream = new Stream(`/api/v1/sessions/${encodeURIComponent(page.sessionId)}/events`, page.after, {
      event: (e) => this.#take(e),
      state: (state) => this.#connection(state),
    });
    this.#open();
  }

  #open() {
    document.addEventListener("click", (event) => this.#click(event));
    document.getElementById("panel").addEventListener("toggle", (event) => this.#drawer(event.newState === "open"));
    this.#messages.abridge(this.#question.asked);
    if (location.hash.startsWith("#m-")) this.#show(location.hash.slice(1));
    const dock = document.getElementById("dock");
    if (!dock && !this.#page.reads) return; // a closed interview is still
    this.#composer = dock ? new Composer(dock, this.#page.sessionId, (text) => this.#announcer.say(text)) : new Reader();
    this.#follow = new Follow(document.querySelector(".thread"), dock, document.getElementById("jump") ?? document.createElement("button"));
    document.addEventListener("submit", (event) => this.#submit(event));
    this.#voice = Voice.of(this.#page, {
      unsent: (text, detail) => this.#unsent(text, detail),
      tell: (text) => this.#announcer.say(text),
      say: (text) => (this.#running || this.#sending ? this.#unsent(text, say("Quaestor is still answering.")) : this.#say({ message: text })),
    });
    document.getElementById("stop")?.addEventListener("click", () => this.#stop());
    document.addEventListener("visibilitychange", () => this.#visibility());
    addEventListener("online", () => this.#stream.start());
    addEventListener("offline", () => this.#connection("waiting"));
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", (event) => event.persisted && this.#stream.wake());
    this.#greet();
    if (this.#running) this.#transcript.started({ turn: this.#running });
    this.#busy();
    this.#stream.start();
    for (const [clientId, payload] of this.#outbox.all()) {
      this.#composer.files.drop(payload.files ?? []);
      this.#transcript.propose(clientId, payload);
      this.#post(clientId, payload);
    }
  }

  /** In an interview that begins one can write at once, where that brings no keyboard up. */
  #greet() {
    const begun = document.querySelector(".from-user") || location.hash;
    if (!begun && matchMedia("(pointer: fine)").matches) this.#composer.focus();
  }

  #take(e) {
    this.#tell(e);
    this.#live.heard(e, this.#running);
  }

  /** Events, by type. */
  #tell(e) {
    switch (e.type) {
      case "session":
        return this.#began(e);
      case "delta":
        return this.#announcer.read(e.turn, this.#transcript.delta(e));
      case "message":
        return this.#whole(e);
      case "interruption":
        if (e.unasked) this.#ask(null);
        return this.#transcript.interrupted(e);
      case "question":
        return this.#ask(e);
      case "obligation":
        this.#question.learnt(e);
        return this.#research.touched(e.key);
      case "negotiation":
        return this.#research.touched(e.key);
      case "completeness":
        return drawCompleteness(e);
      case "research":
        return this.#research.researching(e, labelOf);
      case "participant":
        return this.#announcer.say(say(e.change === "joined" ? "{who} takes part now." : "{who} takes part no longer.", { who: this.#who(e.userId) }));
      case "error":
        return this.#failed(e);
      case "done":
        return this.#done(e);
      default: // "memory" and what later versions add are not shown here
    }
  }

  #whole(e) {
    if (!this.#transcript.message(e)) return;
    this.#announcer.finish(e.turn, e.content);
    this.#voice?.reply(e.content);
    this.#messages.abridge(this.#question.asked);
  }

  /** Puts in place what the server draws anew; the card waits while a reply is written. */
  #drawn(page) {
    for (const line of drawPanel(page)) this.#announcer.say(line);
    drawMatters(page);
    this.#messages.noted(page);
    if (this.#running) return;
    this.#question.draw(page.querySelector("#now > *"));
    this.#question.turn(this.#sending || this.#delayed ? "sending" : "open");
    this.#composer.offer("research", "knowable" in page.getElementById("now").dataset);
    const closing = document.getElementById("closing");
    if (!closing.hidden || page.getElementById("closing").hidden) return;
    renew(closing, page.getElementById("closing"));
    document.getElementById("closing-title").focus();
  }

  #began(e) {
    this.#running = e.turn;
    this.#messages.forgive();
    this.#transcript.started(e);
    if (this.#delayed && !this.#transcript.waits(this.#delayed.clientId)) this.#resend(); // it had arrived
    this.#composer.paused("");
    this.#question.turn("away");
    this.#busy();
  }

  /** Asks a question, null for nothing. */
  #ask(question) {
    this.#askedIn = question?.turn ?? 0;
    this.#question.ask(question);
    this.#messages.abridge(question);
  }

  #done({ turn, reason }) {
    this.#ended(turn);
    if (!unanswered.includes(reason) && this.#askedIn !== turn) this.#ask(null);
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
    this.#busy();
  }

  /** The interview is complete: nothing more is asked, and what was found stands. */
  #close() {
    this.#stream.stop();
    document.getElementById("dock")?.setAttribute("hidden", "");
    for (const way of document.querySelectorAll("a[data-edit], #research > .act")) way.remove();
    const research = document.getElementById("research");
    research.hidden = !research.querySelector(".task");
    this.#announcer.say(this.#page.words.end.completed);
  }

  #submit(event) {
    const form = event.target;
    if (!form.matches("[data-say]")) return;
    event.preventDefault();
    if (this.#delayed) return this.#announcer.say(say("The message before waits for the connection."));
    if (this.#running || this.#sending) return this.#announcer.say(say("Quaestor is still answering."));
    const widget = Boolean(form.closest("#question"));
    const payload = collect(widget ? this.#question.asked : null, [...new FormData(form, event.submitter)], document.documentElement.lang);
    if (form.matches(".composer") && !this.#attach(payload)) return;
    if (!payload.message && !payload.files) return widget ? this.#question.wantMore() : this.#composer.focus();
    if (form.matches(".composer")) this.#composer.clear();
    if (widget) this.#question.sent();
    this.#say(payload);
  }

  /** Adds the files that wait in the dock; false while one of them is still being read. */
  #attach(payload) {
    const { files } = this.#composer;
    if (files.waits()) this.#announcer.say(say("A file is still being read."));
    else if (files.ready().length > 0) payload.files = files.ready();
    return !files.waits();
  }

  /** Sends a message under a new id. */
  #say(payload) {
    const clientId = newId();
    this.#outbox.put(clientId, payload);
    this.#transcript.propose(clientId, payload);
    this.#follow.end();
    this.#rest();
    return this.#post(clientId, payload);
  }

  async #post(clientId, payload) {
    this.#sending = clientId;
    this.#question.turn("sending");
    this.#busy();
    const { sessionId, contextType } = this.#page;
    const { message, answers, files } = payload;
    const more = { ...(answers ? { answers } : {}), ...(files ? { files: files.map((f) => f.id) } : {}) };
    const result = await send({ sessionId, contextType, message, clientMessageId: clientId, ...more });
    this.#sending = null;
    if (result.lost && this.#transcript.waits(clientId)) this.#delay(clientId, payload);
    else this.#outbox.drop(clientId);
    if (!result.lost) this.#wait = firstWait;
    if (result.replayed) this.#known(clientId);
    else if (result.ok) this.#transcript.accepted(clientId);
    else if (!result.lost) this.#refused(clientId, payload, result);
    this.#busy();
  }

  /** The message was taken before: its turn is here already, or the stream brings it. */
  #known(clientId) {
    this.#transcript.withdraw(clientId);
    if (!this.#running) this.#question.turn("open");
  }

  /** The message goes out again, as the same one, when the stream is back or after a while. */
  #delay(clientId, payload) {
    this.#delayed = { clientId, payload };
    this.#transcript.delayed(clientId);
    this.#resendTimer = setTimeout(() => this.#resend(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, longestWait);
  }

  #resend() {
    clearTimeout(this.#resendTimer);
    if (!this.#delayed || this.#sending) return;
    const { clientId, payload } = this.#delayed;
    this.#delayed = null;
    if (!this.#transcript.waits(clientId)) {
      this.#outbox.drop(clientId);
      return this.#busy();
    }
    this.#transcript.again(clientId);
    this.#post(clientId, payload);
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
    const edit = () => {
      this.#composer.restore(this.#transcript.withdraw(clientId)?.message ?? "");
      this.#composer.files.put(payload.files ?? []);
    };
    const told = this.#messages.fail(`pending-${clientId}`, detail, { retry: again ? resend : null, edit });
    told.scrollIntoView({ block: "center" });
    if (!this.#composer.holds()) told.querySelector("button").focus({ preventScroll: true });
  }

  /** Words that were spoken and could not become a message are in the box. */
  #unsent(text, detail) {
    this.#composer.restore(text);
    this.#announcer.say(detail);
  }

  /** After sending, the focus is where one goes on; a phone's keyboard stays away. */
  #rest() {
    if (matchMedia("(pointer: coarse)").matches) this.#messages.focusLast();
    else this.#composer.focus();
  }

  #busy() {
    this.#composer.busy(Boolean(this.#running || this.#sending || this.#delayed), this.#running);
  }

  async #stop() {
    const heard = await stop(this.#page.sessionId, this.#running);
    if (!heard) this.#announcer.say(say("The reply could not be stopped."));
  }

  #click(event) {
    const link = event.target.closest('[data-slot="quotelink"]');
    if (!link) return;
    event.preventDefault();
    const panel = document.getElementById("panel");
    if (panel.matches(":popover-open")) panel.hidePopover();
    this.#drawer(false); // the panel tells of its closing only later
    this.#earlier.reach(link.hash.slice(1)).then((there) => there && highlight(link));
  }

  /** Goes to a message the page may not hold yet. */
  async #show(id) {
    if (await this.#earlier.reach(id)) document.getElementById(id).scrollIntoView({ block: "center" });
  }

  /** What lies under the open drawer is out of reach. */
  #drawer(open) {
    for (const part of document.querySelectorAll("#transcript, #matters, #now, #dock")) part.inert = open;
  }

  /** Tells of a connection that is gone for more than a moment; what waited goes out when it is back. */
  #connection(state) {
    const tell = (text) => (document.getElementById("connection").textContent = text);
    if (state === "open") {
      clearTimeout(this.#noticeTimer);
      [this.#noticeTimer, this.#goneLong] = [null, false];
      tell("");
      this.#resend();
      this.#live.connected();
      return;
    }
    const gone = () => {
      this.#goneLong = true;
      tell(navigator.onLine ? say("Connecting again") : say("Offline"));
      this.#transcript.broken();
    };
    // Each attempt that fails comes here; patience counts from the first.
    if (this.#goneLong) gone();
    else this.#noticeTimer ??= setTimeout(gone, patience);
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
