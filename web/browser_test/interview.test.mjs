// Whole interviews, from the first page to the closing card.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, card, home, known, lastReply, replies, say, settled } from "./talk.mjs";
import { walk } from "./walk.mjs";

describe("an interview", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  for (const contextType of ["idea_discovery", "business_profile", "project_discovery"]) {
    it(`is answered by clicking from beginning to end: ${contextType}`, async () => {
      const page = await visit(browser);
      await begin(page, contextType);

      const seen = await walk(page, contextType);

      for (const kind of ["text", "choice", "multiselect", "number", "date", "finish"]) assert.ok(seen.has(kind), `a question of kind ${kind}; seen: ${[...seen.keys()]}`);
      await page.getByTestId("closing").waitFor();
      assert.equal(await page.getByTestId("composer").isVisible(), false, "nothing more can be written");
      assert.equal(await card(page), null);
      assert.match(await page.getByTestId("progress-words").innerText(), /^(9\d|100)% resolved/);
      await exported(page);
      await leave(page);
    });
  }

  it("stays readable and closed when it is opened again", async () => {
    const page = await visit(browser);
    await begin(page);
    await walk(page, "idea_discovery");
    await page.getByTestId("closing").waitFor();

    await page.reload();

    await page.getByTestId("closing").waitFor();
    assert.equal(await page.getByTestId("composer").count(), 0);
    assert.match(await known(page, "idea_summary"), /Known/);
    await page.getByTestId("closing-home").click();
    await page.getByText("What shall we find out?").waitFor();
    await leave(page);
  });

  it("goes on after it was completed, when there is something to add", async () => {
    const page = await visit(browser);
    await begin(page);
    await walk(page, "idea_discovery");
    await page.getByTestId("closing").waitFor();
    assert.equal(await page.getByTestId("look-up").count(), 0, "nothing is looked up any more");
    const before = await replies(page);

    await page.getByTestId("reopen").click();
    await settled(page, before + 1);

    assert.match(await lastReply(page), /open again, as revision 2/);
    assert.equal(await page.getByTestId("closing").isVisible(), false);
    assert.match(await known(page, "idea_summary"), /Known/, "what was known stays known");
    await say(page, "Actually, the idea is a lending library for ladders");
    assert.match(await known(page, "idea_summary"), /ladders/);
    await leave(page);
  });
});

/** The three downloads hold what was said. */
async function exported(page) {
  for (const [format, type] of [["md", /markdown/], ["csv", /csv/], ["json", /json/]]) {
    const href = await page.getByTestId(`export-${format}`).getAttribute("href");
    const answer = await page.request.get(home + href);
    assert.equal(answer.status(), 200, format);
    assert.match(answer.headers()["content-type"], type);
    const summary = await page.locator("#groups .ob-value").first().textContent();
    assert.ok((await answer.text()).includes(summary), `${format} holds “${summary}”`);
  }
}
