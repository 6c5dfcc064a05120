// What an author does: edits a draft while it is checked, looks at its order,
// tries it, publishes it; and an interview on it then asks what was added.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, home, lastReply } from "./talk.mjs";

/** A draft of its own objective, so that the interviews of other tests stay as they are. */
async function draftOf(page, name) {
  await page.goto(`${home}/objectives`);
  await page.getByTestId("begin-version").check();
  await page.getByTestId("begin-displayName").fill(name);
  const option = page.getByTestId("begin-copy").locator("option", { hasText: "Business profile" });
  await page.getByTestId("begin-copy").selectOption(await option.getAttribute("value"));
  await page.getByTestId("begin-draft").click();
  await page.waitForURL(/\/drafts\//);
  return new URL(page.url()).pathname;
}

/** Fills a field in and waits until the server has saved what the page holds. */
async function write(page, field, text) {
  await page.getByTestId(field).fill(text);
  await page.getByTestId(field).blur();
  await page.waitForFunction(() => !document.querySelector(".htmx-request"));
}

describe("objectives", () => {
  let browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  it("are edited, checked, tried and published, and asked by", async () => {
    const page = await visit(browser);
    const draft = await draftOf(page, "Shop round");
    const editor = page.url();
    await page.goto(`${home}/objectives`);
    const named = page.getByTestId("drafts").getByRole("link").filter({ hasText: "Shop round" });
    assert.equal(await named.innerText(), "Draft of Shop round");
    await page.goto(editor);

    await page.getByTestId("edit-business_overview").click();
    await write(page, "field-prompt", "To begin with, what does your shop sell?");
    await page.getByTestId("add-question").click();
    await page.waitForURL(/\/q\/2$/);
    await write(page, "field-label", "Opening hours");
    await page.getByTestId("notes-prompt").getByText("The question is missing").waitFor();
    assert.equal(await page.getByTestId("field-prompt").getAttribute("aria-invalid"), "true");
    assert.match(await page.getByTestId("findings-state").innerText(), /1 fault/);

    await write(page, "field-prompt", "When is your shop open?");
    await write(page, "field-why", "To see when customers can come.");
    await write(page, "field-priority", "10");
    await page.getByTestId("open-dependencies").click();
    const saved = page.waitForResponse((r) => r.request().method() !== "GET" && r.url().includes("/drafts/"));
    await page.getByTestId("waits-for-business_overview").check();
    await saved;
    await page.getByTestId("findings-state").getByText("No faults, 1 warning").waitFor(); // the question has no translation

    await page.getByTestId("tab-graph").click();
    const line = page.locator('.graph-edge[data-from="business_overview"][data-to="opening_hours"]');
    assert.equal(await line.count(), 1, "a line leads to what waits");
    await page.getByTestId("node-opening_hours").click();
    await page.waitForURL(/\/q\/2$/);
    assert.equal(await page.getByTestId("field-prompt").inputValue(), "When is your shop open?");

    await page.getByTestId("tab-try").click();
    await page.getByTestId("try").click();
    await page.getByTestId("dialogue").getByText("When is your shop open?").first().waitFor();

    await page.getByTestId("tab-publish").click();
    await page.getByTestId("field-note").fill("For shops");
    await page.getByTestId("publish").click();
    await page.waitForURL(/\/objectives\/shop_round$/);
    assert.match(await page.getByTestId("releases").innerText(), /developer published 1\.0\.0[\s\S]*For shops/);
    assert.equal((await page.request.get(home + draft)).status(), 404, "the draft is gone");

    await begin(page, "shop_round");
    assert.match(await lastReply(page), /what does your shop sell\?/);
    await leave(page);
  });

  it("are put in order by keyboard, and the focus stays", async () => {
    const page = await visit(browser);
    await draftOf(page, "Order round");
    const names = () => page.locator(".outline-name").allInnerTexts();
    const first = (await names()).slice(0, 2);
    await page.getByTestId("down-business_overview").press("Enter");
    await page.waitForFunction((name) => document.querySelector(".outline-name").innerText === name, first[1]);
    assert.deepEqual((await names()).slice(0, 2), [first[1], first[0]]);
    await page.waitForFunction(() => document.activeElement?.id === "down-business_overview");
    await leave(page);
  });

  it("tell the second of two editors what the first saved", async () => {
    const page = await visit(browser);
    const draft = await draftOf(page, "Two round");
    await page.goto(`${home}${draft}/q/1`);
    const other = await page.context().newPage();
    await other.goto(`${home}${draft}/q/1`);
    await write(other, "field-label", "What it sells");
    await other.waitForFunction(() => document.getElementById("form-state").innerText.includes("Revision 2"));
    await page.getByTestId("field-label").fill("What it makes");
    const clash = page.getByTestId("clash");
    await clash.getByText("What it sells").waitFor();
    assert.match(await clash.innerText(), /changed this after you opened it[\s\S]*What it makes/);
    assert.equal(await page.getByTestId("field-label").inputValue(), "What it makes", "what was typed stays");
    await page.getByTestId("save-over").click();
    await page.waitForURL(/\/q\/1$/);
    await page.getByTestId("saved").waitFor();
    assert.equal(await page.getByTestId("field-label").inputValue(), "What it makes");
    await leave(page);
  });

  it("are edited without scripts", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    const draft = await draftOf(page, "Plain round");
    await page.goto(`${home}${draft}/q/1`);
    await page.getByTestId("field-priority").fill("many");
    await page.getByTestId("save").click();
    assert.match(await page.getByTestId("notes-priority").innerText(), /Must be a whole number from 1 to 10, not “many”/);
    await page.getByTestId("field-priority").fill("4");
    await page.getByTestId("save").click();
    assert.match(await page.getByTestId("edit-business_overview").innerText(), /priority 4/);
    await leave(page, [/status of 422/]);
  });

  for (const width of [320, 768, 1440]) {
    it(`have nothing that axe finds, nor anything beyond the edge, ${width} pixels wide`, async () => {
      const page = await visit(browser, { viewport: { width, height: 900 } });
      const draft = await draftOf(page, `Round of ${width}`);
      const parts = ["", "/q/1", "/q/3", "/general", "/graph", "/source", "/try", "/publish"].map((part) => draft + part);
      await page.goto(`${home}/objectives/business_profile`);
      const version = await page.getByTestId("read-active").getAttribute("href");
      for (const path of ["/objectives", "/objectives/business_profile", version, "/objectives/business_profile/diff", "/objectives/business_profile/running", ...parts]) {
        await page.goto(home + path);
        for (const details of await page.locator("main details").all()) await details.evaluate((d) => (d.open = true));
        const beyond = await page.evaluate(() =>
          [...document.querySelectorAll("main, main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5 && !e.closest(".graph-scroll, .sr-only")).map((e) => e.outerHTML.slice(0, 80)),
        );
        assert.deepEqual(beyond, [], path);
        await clean(page, path);
      }
      await leave(page);
    });
  }
});
