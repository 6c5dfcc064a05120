// One interview in several tabs, and coming back to it.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, tab, visit } from "./browser.mjs";
import { asksFor, begin, card, known, lastReply, press, say, settled } from "./talk.mjs";

describe("an interview in two tabs", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  it("goes on in both", async () => {
    const page = await visit(browser);
    await begin(page);
    const other = await tab(page.context());
    await other.goto(page.url());

    await say(page, "A lending library for tools in every block of flats");
    await settled(other, 2);
    assert.deepEqual(await shown(other), await shown(page));
    await say(other, "Expensive tools stand in a cellar for years");
    await settled(page, 3);

    assert.deepEqual(await shown(page), await shown(other));
    await leave(other);
  });

  it("is all there after a reload, the draft too", async () => {
    const page = await visit(browser);
    await begin(page);
    await say(page, "A lending library for tools in every block of flats");
    await say(page, "Expensive tools stand in a cellar for years");
    await press(page, "quick-later");
    await page.getByTestId("composer").fill("half a thought");
    const before = await shown(page);

    await page.reload();

    assert.deepEqual(await shown(page), before);
    assert.equal(await page.getByTestId("composer").inputValue(), "half a thought");
    await leave(page);
  });

  it("is found on the first page and goes on from there", async () => {
    const page = await visit(browser);
    await begin(page);
    await say(page, "A lending library for tools in every block of flats");
    const id = page.url().split("/").pop();
    await page.getByTestId("home-link").click();

    assert.match(await page.getByTestId(`session-${id}`).innerText(), /1 of 22 known/);
    await page.getByTestId(`continue-${id}`).click();

    await asksFor(page, "The problem");
    await say(page, "Expensive tools stand in a cellar for years");
    assert.match(await known(page, "problem"), /Known/);
    await leave(page);
  });
});

/** What one sees: the conversation, the question and what is known. */
async function shown(page) {
  return {
    transcript: await page.getByTestId("transcript").innerText(),
    question: await card(page),
    reply: await lastReply(page),
    known: await page.locator("#groups").textContent(),
    progress: await page.getByTestId("progress").innerText(),
  };
}
