// The API reference: on a phone, by keyboard, without scripts.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { home } from "./talk.mjs";

describe("the API reference", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  it("fits a narrow screen", async () => {
    const page = await visit(browser, { viewport: { width: 320, height: 640 } });
    await page.goto(`${home}/docs`);
    const beyond = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5).map((e) => e.outerHTML.slice(0, 80)));
    assert.deepEqual(beyond, []);
    await leave(page);
  });

  it("leads to an operation and its shape by keyboard, without scripts", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    await page.goto(home);
    await page.getByTestId("docs-link").press("Enter");
    await page.getByRole("link", { name: "A session with its progress" }).first().press("Enter");
    await page.waitForURL(/#op-session-get$/);
    const operation = page.getByTestId("op-session-get");
    assert.ok(await seen(page, operation));

    await operation.getByRole("link", { name: "SessionBody" }).press("Enter");
    await page.waitForURL(/#shape-SessionBody$/);
    assert.ok(await seen(page, page.getByTestId("shape-SessionBody")));
    await leave(page);
  });
});

/** seen reports whether an element's head is in the window, below the bar. */
async function seen(page, element) {
  const box = await element.boundingBox();
  const bar = await page.locator(".bar").boundingBox();
  return box.y >= bar.y + bar.height && box.y < page.viewportSize().height;
}
