// What an interview came to: read, kept in five forms, and shared by a link.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, home, say } from "./talk.mjs";
import { walk } from "./walk.mjs";

const idea = "A lending library for tools in every block of flats";

/** interviewed takes an interview to its end and opens its brief. */
async function interviewed(page) {
  await begin(page);
  await walk(page, "idea_discovery");
  await page.getByTestId("closing").waitFor();
  await openBrief(page);
}

async function openBrief(page) {
  await page.goto(`${home}${new URL(page.url()).pathname}/brief`);
  await page.getByTestId("brief").waitFor();
}

/** linked makes a link on the page of a brief and comes back to it. */
async function linked(page, extent = "brief") {
  await page.getByTestId("share-extent").selectOption(extent);
  await page.getByTestId("share-make").click();
  const link = await page.getByTestId("share-address").inputValue();
  await page.getByTestId("share-back").click();
  await page.getByTestId("brief").waitFor();
  return link;
}

/** fits fails when a page is wider than its window. */
async function fits(page, what) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${what} is ${over} pixels too wide`);
}

describe("a brief", () => {
  let browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  it("tells what is known and is kept in five forms", async () => {
    const page = await visit(browser);
    await interviewed(page);

    assert.match(await page.getByTestId("brief-known").innerText(), new RegExp(idea));
    assert.match(await page.getByTestId("brief-facts").innerText(), /Complete/);
    assert.ok((await page.getByTestId("brief-item").count()) > 5);
    for (const [format, start] of [["pdf", "%PDF-"], ["docx", "PK"], ["md", "# "], ["csv", "key,"], ["json", "{"]]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId(`download-${format}`).click()]);
      const body = await readFile(await download.path());
      assert.ok(download.suggestedFilename().endsWith(`.${format}`), download.suggestedFilename());
      assert.equal(body.subarray(0, start.length).toString("latin1"), start, format);
    }
    await page.getByTestId("with-talk").click();
    assert.match(await page.getByTestId("brief-talk").innerText(), new RegExp(idea));
    await leave(page);
  });

  it("is read by whoever has the link, until it is taken back", async () => {
    const page = await visit(browser);
    await begin(page);
    await say(page, idea);
    await openBrief(page);
    const link = await linked(page);

    const stranger = await visit(browser);
    const seen = await stranger.goto(link);
    assert.equal(seen.status(), 200);
    assert.equal(seen.headers()["referrer-policy"], "no-referrer");
    assert.match(await stranger.getByTestId("brief-known").innerText(), new RegExp(idea));
    assert.equal(await stranger.locator("form, script, nav[aria-label='Main']").count(), 0, "there is nothing to change and nowhere to go");
    const [download] = await Promise.all([stranger.waitForEvent("download"), stranger.getByTestId("download-pdf").click()]);
    assert.equal(download.suggestedFilename(), "brief.pdf");

    await page.reload();
    assert.match(await page.getByTestId("open-links").innerText(), /opened 1 time/);
    await page.getByTestId("share-revoke").click();
    await page.getByTestId("ended-links").waitFor();
    assert.equal((await stranger.reload()).status(), 404);
    await stranger.getByTestId("share-gone").waitFor();
    await leave(stranger, [/status of 404/]);
    await leave(page);
  });

  it("shows a refused form again, with what was written", async () => {
    const page = await visit(browser);
    await begin(page);
    await openBrief(page);
    await page.getByTestId("share-extent").selectOption("transcript");
    await page.getByTestId("share-days").fill("ninety");
    await page.getByTestId("share-make").click();

    assert.match(await page.getByTestId("share-wrong").innerText(), /1 to 90/);
    assert.equal(await page.getByTestId("share-days").inputValue(), "ninety");
    assert.equal(await page.getByTestId("share-extent").inputValue(), "transcript");
    await page.getByTestId("share-days").fill("90");
    await page.getByTestId("share-make").click();
    assert.match(await page.getByTestId("share-address").inputValue(), /\/share\//);
    await leave(page, [/status of 422/]);
  });

  it("works without JavaScript", async () => {
    const page = await visit(browser);
    await begin(page);
    const plain = await visit(browser, { javaScriptEnabled: false });
    await plain.goto(`${home}${new URL(page.url()).pathname}/brief`);

    const link = await linked(plain, "transcript");

    await plain.goto(link);
    assert.equal(await plain.getByTestId("brief-talk").count(), 1);
    await leave(plain);
    await leave(page);
  });

  for (const width of [320, 1280]) {
    it(`is fit for everybody, ${width} pixels wide`, async () => {
      const page = await visit(browser, { viewport: { width, height: 740 } });
      await interviewed(page);
      const link = await linked(page, "transcript");
      const check = async (what) => {
        await fits(page, what);
        await clean(page, what);
      };
      await check("the brief");
      await page.goto(link);
      await check("the shared brief");
      await page.goto(`${link}x`);
      await check("a link that shows nothing");
      await leave(page, [/status of 404/]);
    });
  }
});
