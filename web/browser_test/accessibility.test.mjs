// What axe finds on every page, light and dark.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, home, press, say, unfold } from "./talk.mjs";
import { walk } from "./walk.mjs";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

describe("axe finds nothing", () => {
  let browser, axe;
  before(async () => {
    axe = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
    browser = await openBrowser();
  });
  after(() => browser.close());

  for (const viewport of [{ width: 1280, height: 800 }, { width: 320, height: 700 }]) {
    it(`on any page, ${viewport.width} pixels wide`, async () => {
      const page = await visit(browser, { viewport });
      const check = (what) => clean(page, axe, what);
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

async function clean(page, axe, what) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight)); // from under the composer
    const { violations } = await page.evaluate((values) => globalThis.axe.run({ runOnly: { type: "tag", values } }), tags);
    const found = violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(" ")}: ${n.failureSummary}`));
    assert.deepEqual(found, [], `${what}, ${colorScheme}`);
  }
}
