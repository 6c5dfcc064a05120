// Without JavaScript: start, say, read.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { home } from "./talk.mjs";

describe("without JavaScript", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  it("an interview is started, answered and read", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    await page.goto(home);
    await page.getByTestId("start-project_discovery").click();
    await page.getByTestId("message-assistant").getByText("what is this project about").waitFor();

    await page.getByTestId("composer").fill("A booking system for our three physiotherapy practices <b>now</b>");
    await page.getByTestId("send").click();
    await page.getByTestId("message-assistant").nth(1).waitFor();

    assert.match(await page.getByTestId("message-user").innerText(), /practices <b>now<\/b>/);
    assert.match(await page.getByTestId("obligation-project_summary").innerText(), /Known\s+A booking system/);
    await page.getByTestId("quick-why").click();
    await page.getByTestId("message-assistant").nth(2).waitFor();
    await leave(page);
  });

  it("a card is filled in and sent", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    await page.goto(home);
    await page.getByTestId("start-project_discovery").click();
    await page.getByTestId("message-assistant").getByText("what is this project about").waitFor();

    const chosen = await answerUntilChoices(page);

    assert.match(await page.getByTestId("message-user").last().innerText(), new RegExp(chosen.replace(/[^\w ]/g, ".")));
    await leave(page);
  });
});

/** Skips questions until one has options to pick, picks one and sends it; returns its label. */
async function answerUntilChoices(page) {
  for (let turn = 1; turn < 20; turn++) {
    const option = page.locator("#question .option").first();
    if ((await option.count()) > 0) {
      const label = await option.innerText();
      await option.click();
      await page.getByTestId("send-answer").click();
      await page.getByTestId("message-assistant").nth(turn).waitFor();
      return label.trim();
    }
    await page.getByTestId("quick-skip").click();
    await page.getByTestId("message-assistant").nth(turn).waitFor();
  }
  assert.fail("no question with options came");
}
