import assert from "node:assert/strict";
import { test } from "node:test";
import { build, parse, settledUpTo } from "./markdown.js";

/** A document that can make text and elements, and nothing else. */
const doc = {
  createTextNode: (text) => ({ text }),
  createElement: (tag) => ({
    tag,
    attributes: {},
    children: [],
    setAttribute(name, value) {
      this.attributes[name] = value;
    },
    append(...nodes) {
      this.children.push(...nodes);
    },
  }),
};

/** The outline of nodes: tags in brackets, text as it is. */
function outline(nodes) {
  return nodes
    .map((n) => (typeof n === "string" ? n : `<${n.tag}${n.href ? ` ${n.href}` : ""}${n.start > 1 ? ` ${n.start}` : ""}>${outline(n.children ?? [])}</>`))
    .join("");
}

for (const { name, text, want } of [
  { name: "paragraphs", text: "One\ntwo\n\nthree", want: "<p>One\ntwo</><p>three</>" },
  { name: "emphasis", text: "A **bold *and* slanted** _word_", want: "<p>A <strong>bold <em>and</> slanted</> <em>word</></>" },
  { name: "not emphasis", text: "2 * 3 * 4 and snake_case_name", want: "<p>2 * 3 * 4 and snake_case_name</>" },
  { name: "escaped", text: "\\*plain\\*", want: "<p>*plain*</>" },
  { name: "list", text: "Noted:\n- one\n- two\n  more\n\nNext", want: "<p>Noted:</><ul><li>one</><li>two\nmore</></><p>Next</>" },
  { name: "numbers", text: "3. three\n4. four", want: "<ol 3><li>three</><li>four</></>" },
  { name: "heading", text: "# Top\nrest", want: "<h3>Top</><p>rest</>" },
  { name: "quotation", text: "> said\n> so\nand", want: "<blockquote><p>said\nso</></><p>and</>" },
  { name: "code", text: "`a < b`\n\n```\n<b>\n```", want: "<p><code>a < b</></><pre><code><b></></>" },
  { name: "rule", text: "a\n\n---\n\nb", want: "<p>a</><hr></><p>b</>" },
  { name: "break", text: "a  \nb", want: "<p>a<br></>b</>" },
  { name: "link", text: "See [here](https://example.org/x).", want: "<p>See <a https://example.org/x>here</> (example.org).</>" },
  { name: "link that runs", text: "[x](javascript:alert(1))", want: "<p>[x](javascript:alert(1))</>" },
  { name: "link of data", text: "[x](data:text/html,hi)", want: "<p>[x](data:text/html,hi)</>" },
  { name: "HTML is text", text: "<img src=x onerror=alert(1)>", want: "<p><img src=x onerror=alert(1)></>" },
  { name: "nothing", text: "", want: "" },
]) {
  test(`parse: ${name}`, () => assert.equal(outline(parse(text)), want));
}

test("build makes text nodes and safe links", () => {
  const [p] = build(parse("<b>x</b> [y](https://example.org)"), doc);
  assert.equal(p.tag, "p");
  assert.equal(p.children[0].text, "<b>x</b> ");
  assert.deepEqual(p.children[1].attributes, { href: "https://example.org", rel: "nofollow noopener noreferrer", target: "_blank" });
});

for (const { text, want } of [
  { text: "", want: "" },
  { text: "One\ntwo", want: "" },
  { text: "One\n\ntwo\n\nthr", want: "One\n\ntwo\n\n" },
  { text: "One\n\n```\na\n\nb", want: "" },
  { text: "```\na\n\nb\n```\n\nthen", want: "```\na\n\nb\n```\n\n" },
]) {
  test(`settledUpTo: ${JSON.stringify(text)}`, () => {
    const head = text.slice(0, settledUpTo(text));
    assert.equal(head, want);
    assert.equal(outline(parse(head)) + outline(parse(text.slice(head.length))), outline(parse(text)), "its parts are read as the whole is");
  });
}

test("long hostile text is read in good time", () => {
  const began = performance.now();
  for (const text of ["*".repeat(16_000), "[".repeat(16_000), "**a".repeat(5_000), "`".repeat(16_000), "_a ".repeat(5_000)]) parse(text);
  assert.ok(performance.now() - began < 3_000);
});
