import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { faultOf, mostBytes, mostFiles, refusalOf, sizeWords } from "./files.js";

describe("sizes", () => {
  for (const [bytes, words] of [
    [0, "0 bytes"],
    [999, "999 bytes"],
    [1000, "1 KB"],
    [12_499, "12 KB"],
    [1_000_000, "1 MB"],
    [2_540_000, "2.5 MB"],
  ]) {
    it(`${bytes} bytes are ${words}`, () => assert.equal(sizeWords(bytes), words));
  }
});

describe("what is not even sent", () => {
  it("a file of the right size is", () => assert.equal(refusalOf({ name: "a.txt", size: 1 }, mostFiles - 1), ""));
  it("one too many is told what to do", () => assert.match(refusalOf({ name: "a.txt", size: 1 }, mostFiles), /next/));
  it("a large one is told what to do", () => assert.match(refusalOf({ name: "a.pdf", size: mostBytes + 1 }, 0), /a\.pdf .*10 MB.* part that matters/));
  it("an empty one is told what to do", () => assert.match(refusalOf({ name: "a.txt", size: 0 }, 0), /a\.txt is empty/));
});

describe("why the server did not take a file", () => {
  it("is what it says, as a sentence", () => assert.equal(faultOf(415, '{"detail":"cat.png is of a kind that is not read"}'), "cat.png is of a kind that is not read."));
  it("begins with a capital", () => assert.equal(faultOf(409, '{"detail":"a session has at most 20 files"}'), "A session has at most 20 files."));
  it("is said all the same when it says nothing", () => {
    assert.match(faultOf(413, "<html>"), /too large/);
    assert.match(faultOf(502, ""), /attach it again/);
  });
});
