// Several people in one interview: asked in by a link, each sees the others.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, lastReply, say, settled } from "./talk.mjs";

/** asked makes a link on page for somebody, and comes back to the interview. */
async function asked(page, name, role) {
  await page.getByTestId("people").locator("summary").first().click();
  await page.getByTestId("invite-name").fill(name);
  await page.getByTestId("invite-role").selectOption(role);
  await page.getByTestId("invite").click();
  const link = await page.getByTestId("invite-address").inputValue();
  await page.getByTestId("invited-back").click();
  await page.getByTestId("transcript").waitFor();
  return link;
}

/** joined opens the link in a browser of its own and takes part. */
async function joined(browser, link, name) {
  const guest = await visit(browser);
  await guest.goto(link);
  await guest.getByTestId("guest-name").fill(name);
  await guest.getByTestId("accept").click();
  await guest.getByTestId("transcript").waitFor();
  return guest;
}

describe("an interview of several people", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  it("goes on with whoever answers", async () => {
    const page = await visit(browser);
    await begin(page);
    const guest = await joined(browser, await asked(page, "Ben", "contributor"), "Ben");

    await say(guest, "A lending library for tools in every block of flats");
    await settled(page, 2);

    assert.equal(await lastReply(page), await lastReply(guest));
    assert.match(await page.getByTestId("message-user").last().innerText(), /Ben/);
    assert.match(await guest.getByTestId("message-user").last().innerText(), /You/);
    await leave(guest);
    await leave(page);
  });

  it("is watched by who only reads along", async () => {
    const page = await visit(browser);
    await begin(page);
    const reader = await joined(browser, await asked(page, "Olga", "observer"), "Olga");
    assert.equal(await reader.getByTestId("composer").count(), 0, "an observer writes nothing");
    assert.equal(await reader.getByTestId("question").count(), 0, "and is asked nothing");

    await say(page, "A lending library for tools in every block of flats");
    const reply = await lastReply(page);
    await reader.getByTestId("message-assistant").last().getByText(reply.slice(0, 30)).waitFor();

    assert.equal(await lastReply(reader), reply);
    assert.equal(await reader.getByTestId("question").count(), 0);
    await leave(reader);
    await leave(page);
  });

  it("lets a link in once", async () => {
    const page = await visit(browser);
    await begin(page);
    const link = await asked(page, "", "contributor");
    const guest = await joined(browser, link, "Ben");
    const late = await visit(browser);

    const answer = await late.goto(link);

    assert.ok(answer.status() >= 400, `a used link answers ${answer.status()}`);
    assert.equal(await late.getByTestId("accept").count(), 0);
    await leave(guest);
    await leave(page);
  });
});
