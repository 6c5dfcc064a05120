import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forecastAddress, restore, stateOf } from "./admin.js";

describe("the forecast", () => {
  const before = { sessionTurns: "40", keptFinishedDays: "90", keptIdleDays: "" };

  it("is asked for when days are changed, with all of them", () => {
    for (const [now, want] of [
      [{ ...before }, null],
      [{ ...before, sessionTurns: "3" }, null],
      [{ ...before, keptFinishedDays: " 90 " }, null],
      [{ ...before, keptFinishedDays: "30" }, "/f?keptFinishedDays=30&keptIdleDays="],
      [{ ...before, keptIdleDays: "7" }, "/f?keptFinishedDays=90&keptIdleDays=7"],
      [{ ...before, keptFinishedDays: "" }, "/f?keptFinishedDays=&keptIdleDays="],
      [{ ...before, keptIdleDays: "a&b" }, "/f?keptFinishedDays=90&keptIdleDays=a%26b"],
    ]) {
      assert.equal(forecastAddress("/f", before, now), want, JSON.stringify(now));
    }
  });
});

describe("a part that is renewed", () => {
  /** A part of a page, as far as its state is asked for. */
  function part({ open = [], scroll = [], focusable = [] } = {}) {
    const details = new Map(open.map((name) => [name, { dataset: { keep: name }, opened: false, setAttribute: (a) => (details.get(name).opened = a === "open") }]));
    const scrolled = scroll.map((scrollLeft) => ({ scrollLeft }));
    const buttons = new Map(focusable.map((id) => [id, { dataset: { testid: id }, focused: false, focus: () => (buttons.get(id).focused = true) }]));
    return {
      details,
      scrolled,
      buttons,
      contains: (e) => [...buttons.values()].includes(e),
      querySelectorAll: (q) => (q.startsWith("details") ? [...details.values()] : scrolled),
      querySelector: (q) => {
        const name = /"([^"]+)"/.exec(q)[1];
        return q.startsWith("details") ? details.get(name) : buttons.get(name);
      },
    };
  }

  it("keeps what its reader opened, scrolled and stood on", () => {
    const old = part({ open: ["kinds"], scroll: [40, 0], focusable: ["refresh"] });
    globalThis.document = { activeElement: old.buttons.get("refresh") };
    globalThis.CSS = { escape: (text) => text };
    const state = stateOf(old);
    const fresh = part({ open: ["kinds", "other"], scroll: [0, 0], focusable: ["refresh", "more"] });
    restore(fresh, state);
    assert.equal(fresh.details.get("kinds").opened, true);
    assert.equal(fresh.details.get("other").opened, false);
    assert.deepEqual(fresh.scrolled, [{ scrollLeft: 40 }, { scrollLeft: 0 }]);
    assert.equal(fresh.buttons.get("refresh").focused, true);
  });

  it("takes the focus from nobody elsewhere", () => {
    const old = part({ focusable: ["refresh"] });
    globalThis.document = { activeElement: {} };
    const state = stateOf(old);
    const fresh = part({ focusable: ["refresh"] });
    restore(fresh, state);
    assert.equal(fresh.buttons.get("refresh").focused, false);
  });
});
