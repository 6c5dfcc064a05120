import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { runInNewContext } from "node:vm";

const source = await readFile(new URL("theme.js", import.meta.url), "utf8");

/** Runs the script on a page with the three choices; kept is what was chosen before. */
function open(kept, { stores = true } = {}) {
  const heard = {};
  const listen = (kind, f) => (heard[kind] = f);
  const store = new Map(kept ? [["quaestor-look", kept]] : []);
  const boxes = ["", "light", "dark"].map((value) => ({ name: "look", value, checked: value === "" }));
  const button = { hidden: true };
  const root = { dataset: {} };
  const refuse = () => {
    throw new Error("storage is off");
  };
  const localStorage = stores
    ? { getItem: (k) => store.get(k) ?? null, setItem: (k, v) => store.set(k, v), removeItem: (k) => store.delete(k) }
    : { getItem: refuse, setItem: refuse, removeItem: refuse };
  const document = { documentElement: root, addEventListener: listen, querySelectorAll: (s) => (s.includes("data-looks") ? [button] : boxes) };
  runInNewContext(source, { document, localStorage, addEventListener: listen });
  const choose = (value) => heard.change({ target: boxes.find((b) => b.value === value) });
  const chosen = () => boxes.filter((b) => b.checked).map((b) => b.value);
  return { heard, store, button, root, choose, chosen };
}

it("shows what was chosen before the page is there", () => {
  assert.equal(open("dark").root.dataset.look, "dark");
  assert.equal(open("light").root.dataset.look, "light");
  for (const other of [undefined, "", "turnip"]) assert.equal(open(other).root.dataset.look, undefined, `kept: ${other}`);
});

it("offers the choice once the page is there", () => {
  const page = open("dark");
  page.heard.DOMContentLoaded();
  assert.equal(page.button.hidden, false);
  assert.deepEqual(page.chosen(), ["dark"]);
});

it("keeps a choice, and forgets it for the system's", () => {
  const page = open("light");
  page.choose("dark");
  assert.deepEqual([page.root.dataset.look, page.store.get("quaestor-look")], ["dark", "dark"]);
  page.choose("");
  assert.deepEqual([page.root.dataset.look, page.store.has("quaestor-look")], [undefined, false]);
});

it("takes no other control for a choice", () => {
  const page = open("light");
  page.heard.change({ target: { name: "q", value: "dark" } });
  assert.equal(page.root.dataset.look, "light");
});

it("follows other tabs", () => {
  const page = open("light");
  page.store.set("quaestor-look", "dark");
  page.heard.storage({ key: "other" });
  assert.equal(page.root.dataset.look, "light");
  page.heard.storage({ key: "quaestor-look" });
  assert.equal(page.root.dataset.look, "dark");
  page.store.clear();
  page.heard.storage({ key: null });
  assert.equal(page.root.dataset.look, undefined);
});

it("works for the page where nothing may be stored", () => {
  const page = open("", { stores: false });
  page.choose("dark");
  assert.equal(page.root.dataset.look, "dark");
});
