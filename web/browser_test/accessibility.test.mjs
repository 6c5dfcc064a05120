// What axe finds on every page, light and dark.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, home, press, say, unfold } from "./talk.mjs";
import { walk } from "./walk.mjs";

describe("axe finds nothing", () => {
  let browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  for (const viewport of [{ width: 1280, height: 800 }, { width: 320, height: 700 }]) {
    it(`on any page, ${viewport.width} pixels wide`, async () => {
      const page = await visit(browser, { viewport });
      const check = (what) => clean(page, what);
      await page.goto(home);
      await check("the first page");
      await page.getByTestId("docs-link").click();
      await page.getByTestId("reference").waitFor();
      await check("the reference");
      await begin(page);
      await check("the opening");
      await say(page, "Perhaps a lending library for tools in every block of flats, but I am not sure");
      await check("a value to confirm");
      await press(page, "confirm-yes");
      await say(page, "Expensive tools stand in a cellar for years");
      await press(page, "quick-research");
      if (viewport.width < 1000) await page.getByTestId("open-panel").click();
      await unfold(page, "idea_summary");
      await check("the panel");
      if (viewport.width < 1000) await page.getByTestId("close-panel").click();
      await walk(page, "idea_discovery", (asked) => asked.fields[0]?.kind === "choice");
      await check("choices");
      await walk(page, "idea_discovery", (asked) => asked.purpose === "form");
      await check("a form");
      await walk(page, "idea_discovery");
      await page.getByTestId("closing").waitFor();
      await check("the closing card");
      await page.goto(`${home}/s/00000000-0000-4000-8000-000000000000`);
      await check("an error");
      await leave(page, [/status of 404/]);
    });
  }
});
