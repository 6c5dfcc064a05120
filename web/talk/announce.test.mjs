import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Announcer } from "./announce.js";

globalThis.document ??= {};
document.createElement ??= () => ({ textContent: "", remove() {} });

/** A live region that remembers all it was told. */
function region() {
  const lines = [];
  return { lines, append: (p) => lines.push(p.textContent), childElementCount: 0 };
}

function memory() {
  let kept = null;
  return { load: () => kept, save: (it) => (kept = it) };
}

describe("a reply is announced", () => {
  it("sentence by sentence as it grows, each once, and its rest at the end", () => {
    const heard = region();
    const announcer = new Announcer(heard);
    for (const text of ["Thank", "Thank you. What", "Thank you. What else? Per"]) announcer.read(3, text);
    assert.deepEqual(heard.lines, ["Thank you.", "What else?"]);
    announcer.finish(3, "Thank you. What else? Perhaps this");
    announcer.finish(3, "Thank you. What else? Perhaps this");
    assert.deepEqual(heard.lines, ["Thank you.", "What else?", "Perhaps this"]);
  });

  it("from where it was when the page was loaded again", () => {
    const kept = memory();
    new Announcer(region(), kept).read(3, "Thank you. What");
    const heard = region();
    const again = new Announcer(heard, kept);
    again.read(3, "Thank you. What else? Per");
    again.read(4, "New turn. And");
    assert.deepEqual(heard.lines, ["What else?", "New turn."]);
  });

  it("not again when another server begins it anew", () => {
    const heard = region();
    const announcer = new Announcer(heard);
    announcer.read(3, "Thank you. What");
    announcer.read(3, "Th");
    announcer.read(3, "Thank you. What else? Per");
    assert.deepEqual(heard.lines, ["Thank you.", "What else?"]);
  });
});
