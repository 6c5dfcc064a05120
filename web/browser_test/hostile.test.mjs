// What people type is text, whatever it looks like.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, lastSaid, say, unfold } from "./talk.mjs";

const hostile = [
  { name: "markup", text: `A shop <script>alert(1)</script> <img src=x onerror=alert(2)> for <b>tools</b> in every street` },
  { name: "a link in Markdown", text: "A shop for tools [click me](javascript:alert(3)) and [here](https://example.org/) in every street" },
  { name: "a turn of the writing direction", text: "A shop for tools \u202Egnirts desrever\u202C in every street", shown: "A shop for tools gnirts desrever in every street" },
  { name: "the end of the page's own data", text: `A shop for tools "}'></template></div><svg onload=alert(4)> in every street` },
];

describe("hostile text", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  for (const { name, text, shown = text } of hostile) {
    it(`is shown as it is and does nothing: ${name}`, async () => {
      const page = await visit(browser);
      await begin(page);
      const elements = await shape(page);

      await say(page, text);

      await inert(page, shown, elements);
      await page.reload();
      await inert(page, shown, elements);
      await leave(page);
    });
  }
});

async function inert(page, shown, elements) {
  assert.equal(await lastSaid(page), shown);
  assert.equal(await shape(page), elements, "no element came of it");
  const bar = await page.locator(".bar").boundingBox();
  assert.equal(bar.width, 1280);
  const idea = await unfold(page, "idea_summary");
  const directions = await idea.locator("[dir]").evaluateAll((all) => all.map((el) => getComputedStyle(el).unicodeBidi));
  assert.ok(directions.every((d) => d.includes("isolate") || d === "plaintext"), `values keep to themselves: ${directions}`);
}

/** Counts what only markup could have made; links of the page's own lead into the session. */
function shape(page) {
  return page.evaluate(() => document.querySelectorAll("script, img, b, svg[onload], #transcript a:not([href^='/s/']), iframe").length);
}
