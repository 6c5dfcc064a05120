import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Outbox } from "./outbox.js";

/** What a tab keeps, over reloads. */
function storage(refuses = false) {
  const kept = new Map();
  const guarded = (run) => (...args) => {
    if (refuses) throw new Error("refused");
    return run(...args);
  };
  return { getItem: guarded((k) => kept.get(k) ?? null), setItem: guarded((k, v) => kept.set(k, v)), removeItem: guarded((k) => kept.delete(k)), kept };
}

describe("the outbox", () => {
  it("keeps messages of a session over a reload, oldest first, until they are taken", () => {
    const tab = storage();
    const before = new Outbox("s1", tab);
    before.put("a", { message: "One" });
    before.put("b", { message: "Two", answers: { team: 2 } });

    const after = new Outbox("s1", tab);
    assert.deepEqual(after.all(), [["a", { message: "One" }], ["b", { message: "Two", answers: { team: 2 } }]]);
    after.drop("a");
    assert.deepEqual(after.all(), [["b", { message: "Two", answers: { team: 2 } }]]);
    after.drop("b");
    assert.equal(tab.kept.size, 0, "nothing is left behind");
  });

  it("knows nothing of other sessions", () => {
    const tab = storage();
    new Outbox("s1", tab).put("a", { message: "One" });
    assert.deepEqual(new Outbox("s2", tab).all(), []);
  });

  it("does without storage, and without what is not its own in it", () => {
    for (const tab of [null, storage(true)]) {
      const box = new Outbox("s1", tab);
      box.put("a", { message: "One" });
      assert.deepEqual(box.all(), []);
    }
    const spoilt = storage();
    spoilt.setItem("quaestor.outbox.s1", "{half");
    assert.deepEqual(new Outbox("s1", spoilt).all(), []);
  });
});
