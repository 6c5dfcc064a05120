// The same pages on a small screen, held in one hand.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, home, press, say, settled, unfold } from "./talk.mjs";
import { walk } from "./walk.mjs";

describe("a phone whose letters are twice as large", () => {
  it("shows the pages of those who manage and review without scrolling sideways", async () => {
    const browser = await openBrowser();
    const page = await visit(browser, { viewport: { width: 390, height: 844 } });
    await begin(page, "business_profile");
    await say(page, "We run a bakery in a small town, with 12 staff");
    const review = `/review/${new URL(page.url()).pathname.split("/").at(-1)}`;
    for (const path of ["/admin/jobs", "/admin/settings", "/admin/settings/people", "/admin/settings/models", "/admin/settings/models/new", "/admin/settings/connections", "/admin/settings/data", "/review", review, `${review}/history`, "/research"]) {
      await page.goto(home + path);
      await page.evaluate(() => {
        const large = new CSSStyleSheet();
        large.replaceSync("html { font-size: 200% }");
        document.adoptedStyleSheets = [large];
      });
      await fits(page, path);
    }
    await leave(page);
    await browser.close();
  });
});

for (const width of [320, 390]) {
  describe(`a phone of ${width} pixels`, () => {
    let browser;
    before(async () => (browser = await openBrowser()));
    after(() => browser.close());

    const phone = { viewport: { width, height: 700 }, hasTouch: true, isMobile: true };

    it("shows every page without scrolling sideways", async () => {
      const page = await visit(browser, phone);
      await page.goto(home);
      await fits(page, "the first page");
      await begin(page, "idea_discovery");
      await fits(page, "the opening");
      await say(page, `A lending library for ${"tool".repeat(60)} in every block of flats`);
      await fits(page, "a word that never ends");
      for (const [what, wanted] of [["choices", (c) => c.fields[0]?.kind === "choice"], ["a form", (c) => c.purpose === "form"], ["the last question", (c) => c.purpose === "finish"]]) {
        await walk(page, "idea_discovery", wanted);
        await fits(page, what);
      }
      await press(page, "finish-yes");
      await page.getByTestId("closing").waitFor();
      await fits(page, "the closing card");
      await page.goto(`${home}/s/nothing`);
      await fits(page, "an error");
      await leave(page, [/status of 404/]);
    });

    it("opens what is known as a drawer, and follows evidence out of it", async () => {
      const page = await visit(browser, phone);
      await begin(page, "idea_discovery");
      await say(page, "A lending library for tools in every block of flats");
      assert.equal(await page.getByTestId("panel").isVisible(), false);

      await page.getByTestId("open-panel").click();

      await page.getByTestId("progress-words").waitFor();
      assert.equal(await page.locator("#dock").evaluate((el) => el.inert), true);
      await fits(page, "the drawer");
      await unfold(page, "idea_summary");
      await page.getByTestId("obligation-idea_summary").getByTestId("quote").click();
      assert.equal(await page.getByTestId("panel").isVisible(), false);
      await page.locator("mark.pointed").waitFor();
      await page.getByTestId("open-panel").click();
      await page.getByTestId("close-panel").click();
      assert.equal(await page.getByTestId("panel").isVisible(), false);
      await page.getByTestId("composer").fill("Expensive tools stand in a cellar for years");
      await page.getByTestId("send").click();
      await settled(page, 3);
      await leave(page);
    });

    it("does not say twice what a form asks", async () => {
      const page = await visit(browser, phone);
      await begin(page, "idea_discovery");
      await walk(page, "idea_discovery", (c) => c.purpose === "form");
      const listed = page.locator(".from-assistant .in-form");
      const [label] = await page.locator("#question .field [data-slot=prompt]").allInnerTexts();

      await listed.waitFor({ state: "attached" });
      assert.equal(await listed.last().isVisible(), false, `${label} stands in the form`);
      await page.reload();
      await settled(page, 1);
      assert.equal(await listed.last().isVisible(), false, "also after a reload");

      const line = await listed.last().locator("li").first().textContent();
      await page.locator("#question .option").first().click();
      await press(page, "send-answer");
      assert.equal(await page.locator(".from-assistant li", { hasText: line }).first().isVisible(), true, "what was asked stays in the conversation");
      await leave(page);
    });

    it("has nothing to press that is too small for a finger", async () => {
      const page = await visit(browser, phone);
      await begin(page, "idea_discovery");
      await walk(page, "idea_discovery", (c) => c.fields[0]?.kind === "choice");

      const small = await page.locator("button:visible, .option:visible, summary:visible, #dock textarea").evaluateAll((all) =>
        all.filter((el) => el.getBoundingClientRect().height < 40).map((el) => `${el.textContent.trim()} ${el.getBoundingClientRect().height}`),
      );

      assert.deepEqual(small, []);
      await leave(page);
    });
  });
}

/** Nothing reaches beyond the right edge. */
async function fits(page, what) {
  const { wide, screen } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, screen: innerWidth }));
  assert.ok(wide <= screen, `${what} is ${wide} pixels wide on a screen of ${screen}`);
}
