// Losing the connection, and coming back: nothing is lost, nothing comes twice.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, home, known, lastSaid, replies, say, settled } from "./talk.mjs";

const idea = "A lending library for tools in every block of flats";
const gone = [/net::ERR_/, /Failed to load resource/];

describe("a lost connection", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  const said = (page) => page.getByTestId("message-user").locator('[data-slot="body"]').allInnerTexts();

  it("is told of; what was sent meanwhile goes out by itself, once", async () => {
    const page = await visit(browser);
    await begin(page);
    await page.context().setOffline(true);
    await page.getByTestId("connection").getByText("Offline").waitFor();

    await page.getByTestId("composer").fill(idea);
    await page.getByTestId("send").click();
    await page.getByText("Waits for the connection").waitFor();
    await page.getByTestId("composer").fill("and one more thing");
    await page.keyboard.press("Enter");
    assert.equal(await page.getByTestId("composer").inputValue(), "and one more thing", "what is written meanwhile stays in the box");

    await page.context().setOffline(false);
    await settled(page, 2);
    assert.deepEqual(await said(page), [idea]);
    await page.waitForFunction(() => document.getElementById("connection").textContent === "");
    await leave(page, gone);
  });

  it("that loses only the answer to a message doubles nothing, over a reload too", async () => {
    const page = await visit(browser);
    await begin(page);
    await page.route("**/events?*", (route) => route.abort());
    await page.reload();
    await settled(page, 1);
    await page.route("**/api/discovery-chat", async (route) => {
      await route.fetch(); // the server takes it, and nobody hears of that
      await route.abort();
    });
    await page.getByTestId("composer").fill(idea);
    await page.getByTestId("send").click();
    await page.getByText("Waits for the connection").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });

    await page.reload();

    await settled(page, 2);
    assert.deepEqual(await said(page), [idea]);
    assert.equal(await page.getByTestId("composer").inputValue(), "");
    await leave(page, gone);
  });

  it("keeps what was not sent over a reload", async () => {
    const page = await visit(browser);
    await begin(page);
    await page.route("**/api/discovery-chat", (route) => route.abort());
    await page.getByTestId("composer").fill(idea);
    await page.getByTestId("send").click();
    await page.getByText("Waits for the connection").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });

    await page.reload();

    await settled(page, 2);
    assert.deepEqual(await said(page), [idea]);
    assert.match(await known(page, "idea_summary"), /Known/);
    await leave(page, gone);
  });
});

describe("a long conversation", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  /** Says so many things through the API, one after the other. */
  async function talked(page, turns) {
    const sessionId = new URL(page.url()).pathname.split("/").at(-1);
    for (let n = 1; n <= turns; n++) {
      const turn = await page.request.post(`${home}/api/discovery-chat`, { data: { sessionId, message: n === 1 ? idea : "Why do you ask?" } });
      await turn.body();
    }
    await page.reload();
    await settled(page, 1);
  }

  it("shows its end, and the rest when it is asked for", async () => {
    const page = await visit(browser);
    await begin(page);
    await talked(page, 60);
    const shown = await page.locator(".message").count();
    assert.ok(shown <= 80, `${shown} messages are on the page`);
    const first = await page.locator(".message").first().getAttribute("id");
    const at = await page.locator(`#${first}`).evaluate((m) => m.getBoundingClientRect().top + scrollY);

    await page.getByTestId("earlier").focus();
    await page.keyboard.press("Enter");
    await page.locator("#m-1-assistant").waitFor();

    assert.equal(await page.locator(".message").count(), 121);
    assert.equal(await page.getByTestId("earlier").count(), 0, "there is nothing before");
    assert.ok((await page.locator(`#${first}`).evaluate((m) => m.getBoundingClientRect().top + scrollY)) > at, "the older ones stand above");
    assert.match(await page.getByTestId("announcer").innerText(), /earlier messages/);
    const order = await page.locator(".message").evaluateAll((all) => all.map((m) => parseInt(m.id.slice(2), 10)));
    assert.deepEqual(order, order.toSorted((a, b) => a - b));
    await leave(page);
  });

  it("brings what a quote or an address leads to", async () => {
    const page = await visit(browser);
    await begin(page);
    await talked(page, 50);
    assert.equal(await page.locator("#m-2-user").count(), 0);
    await page.goto(`${page.url()}#m-2-user`);
    await page.reload();
    await page.locator("#m-2-user").waitFor();
    assert.ok((await page.locator("#m-2-user").innerText()).includes(idea));
    await leave(page);
  });

  it("tells a screen reader each sentence once, and none again after a reload", async () => {
    const page = await visit(browser);
    await begin(page);
    await say(page, idea);
    const told = (await page.getByTestId("announcer").locator("p").allInnerTexts()).filter((line) => /\?$/.test(line));
    assert.equal(told.length, new Set(told).size, `each once: ${told}`);
    assert.ok(told.some((line) => /problem/.test(line)));

    await page.reload();
    await settled(page, 2);
    assert.equal(await page.getByTestId("announcer").innerText(), "");
    assert.equal(await lastSaid(page), idea);
    assert.equal(await replies(page), 2);
    await leave(page);
  });
});
