import assert from "node:assert/strict";
import { test } from "node:test";
import { Awake } from "./voiceawake.js";

/** world is a browser that counts what keeps its screen on. */
function world() {
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const outside = { document, asked: 0, released: 0 };
  outside.navigator = { wakeLock: { request: async () => ((outside.asked += 1), { release: () => (outside.released += 1) }) } };
  outside.show = (state) => ((document.visibilityState = state), document.dispatchEvent(new Event("visibilitychange")));
  return outside;
}

/** settled lets what is promised come. */
const settled = () => new Promise((go) => setImmediate(go));

test("the screen stays on while a call is held, and again after another page", async () => {
  const outside = world();
  const awake = new Awake(outside);
  await settled();
  assert.equal(outside.asked, 1);
  outside.show("hidden");
  outside.show("visible");
  await settled();
  assert.equal(outside.asked, 2);
  awake.end();
  assert.equal(outside.released, 1);
  outside.show("visible");
  await settled();
  assert.equal(outside.asked, 2);
});

test("a call that ends before the browser answers leaves nothing on", async () => {
  const outside = world();
  new Awake(outside).end();
  await settled();
  assert.equal(outside.released, 1);
});

test("a browser that cannot, or may not, does without", async () => {
  const outside = world();
  outside.navigator.wakeLock.request = async () => Promise.reject(new Error("the battery is low"));
  new Awake(outside).end();
  outside.navigator = {};
  new Awake(outside).end();
  await settled();
});
