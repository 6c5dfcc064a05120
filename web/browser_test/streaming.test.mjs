// Replies that take their time: watched, interrupted, and found again.

import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { leave, openBrowser, tab, visit } from "./browser.mjs";
import { Model } from "./model.mjs";
import { Server } from "./server.mjs";
import { begin, lastReply, lastSaid, say, settled } from "./talk.mjs";

const long = "I have noted what you said about the lending library, every word of it. What else should I know about it?";
const half = long.slice(0, 45);
const said = long.slice(0, long.indexOf(" What else")); // its question gives way to the one that is planned
const gone = [/net::ERR_/, /Failed to load resource/];

describe("a reply that is being written", () => {
  let browser, model, server;
  before(async () => {
    model = await Model.start();
    [browser, server] = await Promise.all([openBrowser(), Server.start("--model", "scripted", "--model-url", model.url)]);
  });
  after(async () => {
    model.stop();
    await Promise.all([browser?.close(), server?.stop()]);
  });
  afterEach(() => {
    model.release();
    model.reply = long;
  });

  /** Opens an interview whose next reply stops half-way, and says something. */
  async function interrupted() {
    const page = await visit(browser);
    model.reply = "Hello. What is your idea?";
    await begin(page, "idea_discovery", server.url);
    model.reply = long;
    model.hold();
    await page.getByTestId("composer").fill("A lending library");
    await page.getByTestId("send").click();
    await halfWritten(page);
    return page;
  }

  const halfWritten = (page) => page.getByTestId("message-assistant").last().getByText(half).waitFor();

  it("appears piece by piece, names its model and ends whole", async () => {
    const page = await interrupted();
    assert.match(await page.getByTestId("interviewer").innerText(), /Model scripted/);
    assert.equal(await page.getByTestId("message-assistant").last().getAttribute("data-state"), "writing");
    assert.ok(!(await lastReply(page)).includes("know about it"));

    model.release();

    await settled(page, 2);
    assert.ok((await lastReply(page)).startsWith(said), await lastReply(page));
    await leave(page);
  });

  it("is shown as it will stand, with nothing of it running", async () => {
    const page = await visit(browser);
    model.reply = "Hello. What is your idea?";
    await begin(page, "idea_discovery", server.url);
    model.reply = "I have **noted** this:\n\n- the *library*, every word\n- the <img src=x onerror=document.title='ran'> tools of it\n\nThat is a good start to go on from here. What else should I know about it?";
    model.hold();
    await page.getByTestId("composer").fill("A lending library");
    await page.getByTestId("send").click();
    const body = page.getByTestId("message-assistant").last().locator('[data-slot="body"]');
    const shape = () => body.evaluate((el) => [el.querySelectorAll("strong, em").length, el.querySelectorAll("li").length, el.querySelectorAll("img").length]);
    await body.getByText("tools").waitFor();

    assert.equal(await page.getByTestId("message-assistant").last().getAttribute("data-state"), "writing");
    assert.deepEqual(await shape(), [2, 2, 0]);
    assert.doesNotMatch(await body.innerText(), /\*\*/);

    model.release();
    await settled(page, 2);
    assert.deepEqual(await shape(), [2, 2, 0]);
    assert.notEqual(await page.title(), "ran");
    await leave(page);
  });

  it("may be stopped, and the conversation goes on", async () => {
    const page = await interrupted();

    await page.getByTestId("stop").click();

    await page.getByText("Stopped").waitFor();
    await settled(page, 2);
    assert.ok(long.startsWith(await lastReply(page)), "what had been written stays");
    model.release();
    await say(page, "It has a locker in the cellar");
    assert.ok((await lastReply(page)).startsWith(said), await lastReply(page));
    await leave(page);
  });

  it("goes on after a reload in the middle of it", async () => {
    const page = await interrupted();

    await page.reload();
    await halfWritten(page);
    model.release();

    await settled(page, 2);
    await once(page);
    await leave(page);
  });

  it("is taken up by itself after the server died in the middle of it", async () => {
    const page = await interrupted();
    const asked = model.count;

    await server.crash();
    await page.getByTestId("connection").getByText("Connecting again").waitFor();
    model.release();
    await server.run();

    await model.begun(asked + 1);
    await page.getByText(said).waitFor({ timeout: 40_000 });
    await settled(page, 2);
    await once(page);
    assert.equal(await page.getByTestId("connection").innerText(), "");
    await say(page, "It has a locker in the cellar");
    await leave(page, gone);
  });

  it("keeps another tab from sending, which loses nothing", async () => {
    const page = await interrupted();
    const other = await tab(page.context());
    await other.goto(page.url());
    await halfWritten(other);

    await other.getByTestId("composer").fill("It has a locker in the cellar");
    await other.keyboard.press("Enter");

    assert.equal(await other.getByTestId("composer").inputValue(), "It has a locker in the cellar");
    model.release();
    await settled(other, 2);
    await other.keyboard.press("Enter");
    await settled(other, 3);
    assert.equal(await lastSaid(other), "It has a locker in the cellar");
    await leave(other);
  });

  it("refuses a tab that has heard nothing of it, which can send again", async () => {
    const page = await visit(browser);
    model.reply = "Hello. What is your idea?";
    await begin(page, "idea_discovery", server.url);
    const deaf = await tab(page.context());
    await deaf.route("**/events?*", (route) => route.abort());
    await deaf.goto(page.url());
    model.reply = long;
    model.hold();
    await page.getByTestId("composer").fill("A lending library");
    await page.getByTestId("send").click();
    await halfWritten(page);

    await deaf.getByTestId("composer").fill("It has a locker in the cellar");
    await deaf.getByTestId("send").click();
    const refusal = deaf.getByTestId("failure");
    await refusal.waitFor();
    assert.match(await refusal.innerText(), /already running/);
    assert.equal(await lastSaid(deaf), "It has a locker in the cellar");

    model.release();
    await settled(page, 2);
    await refusal.locator('[data-act="retry"]').click();
    await settled(page, 3);
    assert.equal(await lastSaid(page), "It has a locker in the cellar");
    await leave(deaf, [...gone, /status of 409/]);
  });
});

/** Each message stands on the page once. */
async function once(page) {
  assert.deepEqual(await page.getByTestId("message-user").locator('[data-slot="body"]').allInnerTexts(), ["A lending library"]);
  const all = await page.getByTestId("message-assistant").locator('[data-slot="body"]').allInnerTexts();
  assert.equal(all.length, 2);
  assert.ok(all[1].trim().startsWith(said), all[1]);
}
