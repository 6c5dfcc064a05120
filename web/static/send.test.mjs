import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../talk/evidence.js";
import { newId, send, stop } from "./send.js";

const problem = (status, body) => async () => ({ ok: false, status, json: async () => body });

test("an accepted message's stream is let go", async () => {
  let cancelled = false;
  const result = await send({ message: "x" }, async (url, init) => {
    assert.equal(url, "/api/discovery-chat");
    assert.deepEqual(JSON.parse(init.body), { message: "x" });
    return { ok: true, body: { cancel: async () => (cancelled = true) } };
  });
  assert.deepEqual(result, { ok: true, replayed: false });
  assert.ok(cancelled);
});

test("a message that was taken before is told apart", async () => {
  const result = await send({ message: "x" }, async () => ({ ok: true, headers: new Headers({ "Idempotency-Replayed": "true" }) }));
  assert.deepEqual(result, { ok: true, replayed: true });
});

for (const { name, post, want } of [
  { name: "running", post: problem(409, { detail: "a turn is already running" }), want: { ok: false, detail: "A turn is already running.", again: true } },
  { name: "too long", post: problem(413, { detail: "A message has at most 16,000 characters." }), want: { ok: false, detail: "A message has at most 16,000 characters.", again: false } },
  { name: "unfit", post: problem(422, { detail: "team must be a number" }), want: { ok: false, detail: "Team must be a number.", again: false } },
  { name: "fault", post: problem(503, {}), want: { ok: false, detail: "Quaestor could not take that. Try again.", again: true } },
  {
    name: "no JSON",
    post: async () => ({ ok: false, status: 413, json: async () => JSON.parse("<html>") }),
    want: { ok: false, detail: "That is too long for one message. Shorten it, or send it in parts.", again: false },
  },
  { name: "offline", post: async () => Promise.reject(new TypeError("failed to fetch")), want: { ok: false, detail: "The connection failed. Nothing is lost; try again.", again: true, lost: true } },
]) {
  test(`send: ${name}`, async () => assert.deepEqual(await send({}, post), want));
}

test("stop names session and turn", async () => {
  let asked;
  await stop("a/b", 4, async (url, init) => ((asked = `${init.method} ${url}`), { ok: true }));
  assert.equal(asked, "POST /api/v1/sessions/a%2Fb/turns/4/stop");
  assert.equal(await stop("a", 4, async () => Promise.reject(new Error("offline"))), false);
});

test("an id is a UUID without a secure context too", () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  assert.match(newId(), uuid);
  assert.match(newId({ getRandomValues: (b) => b.fill(255) }), uuid);
});

for (const { name, text, span, quote, want } of [
  { name: "where it says", text: "We bake 🥖 at night", span: [8, 10], quote: "🥖", want: [8, 10] },
  { name: "after an emoji", text: "🥖 at night", span: [6, 11], quote: "night", want: [6, 11] },
  { name: "moved", text: "So: at night", span: [0, 5], quote: "night", want: [7, 12] },
  { name: "no span", text: "at night", span: null, quote: "night", want: [3, 8] },
  { name: "not there", text: "by day", span: [0, 5], quote: "night", want: null },
  { name: "no quote", text: "by day", span: null, quote: "", want: null },
]) {
  test(`place: ${name}`, () => assert.deepEqual(place(text, span, quote), want));
}
