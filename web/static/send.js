// Sending: the one request that begins a turn, and the one that stops it.

import { say } from "./said.js";

const plain = {
  0: "The connection failed. Nothing is lost; try again.",
  401: "You are no longer signed in. Open this page again in another tab, sign in, then try again.",
  403: "You may not write in this interview.",
  404: "This interview cannot be found any more.",
  409: "Quaestor is still answering. Try again in a moment.",
  413: "That is too long for one message. Shorten it, or send it in parts.",
  422: "That cannot be taken as it is.",
  429: "That was a lot at once. Try again in a moment.",
};

/**
 * send posts a message and returns {ok: true, replayed}, or {ok: false, detail,
 * again, lost} with the reason in words, whether the same request may be sent
 * again, and whether it is unknown if it arrived. replayed says that the same
 * request was taken before. The
 * answer's stream is left unread: the page shows everything from its own, and
 * leaving does not stop the turn.
 */
export async function send(body, post = fetch) {
  try {
    const response = await post("/api/discovery-chat", json(body));
    if (response.ok) {
      response.body?.cancel().catch(() => {});
      return { ok: true, replayed: response.headers?.get("Idempotency-Replayed") === "true" };
    }
    return await refusal(response);
  } catch {
    return { ok: false, detail: say(plain[0]), again: true, lost: true };
  }
}

/** stop asks for the running turn to end early; it resolves to whether it was heard. */
export async function stop(sessionId, turn, post = fetch) {
  try {
    const response = await post(`/api/v1/sessions/${encodeURIComponent(sessionId)}/turns/${turn}/stop`, { method: "POST" });
    return response.ok;
  } catch {
    return false;
  }
}

/** postForm sends a form as it would be sent without a script; {ok, detail}. */
export async function postForm(form, submitter = null, post = fetch) {
  try {
    const response = await post(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, submitter)), headers: { Accept: "application/problem+json" } });
    if (response.ok) return { ok: true };
    return await refusal(response);
  } catch {
    return { ok: false, detail: say(plain[0]) };
  }
}

/**
 * sendForms sends the forms that match selector without leaving the page, each once at a
 * time, and hands over the form, what came of it, and the button that sent it.
 */
export function sendForms(selector, done) {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches(selector)) return;
    event.preventDefault();
    if (form.dataset.sending) return;
    form.dataset.sending = "yes";
    const result = await postForm(form, event.submitter);
    delete form.dataset.sending;
    done(form, result, event.submitter);
  });
}

/** newId is a random UUID, also where the page came over plain HTTP. */
export function newId(source = crypto) {
  if (source.randomUUID) return source.randomUUID();
  const bytes = source.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function json(body) {
  return { method: "POST", headers: { "Content-Type": "application/json", Accept: "text/event-stream, application/problem+json" }, body: JSON.stringify(body) };
}

async function refusal(response) {
  const problem = await response.json().catch(() => ({}));
  const { status } = response;
  const detail = capital(problem.detail) || say(plain[status] ?? "Quaestor could not take that. Try again.");
  return { ok: false, detail, again: status === 409 || status === 429 || status === 401 || status >= 500 };
}

function capital(text) {
  if (typeof text !== "string" || !text) return "";
  const sentence = text[0].toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
