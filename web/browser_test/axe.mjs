// What axe finds on pages.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const source = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const everything = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
const colours = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/**
 * clean fails when axe finds anything on a page as it stands. Colour schemes are tried
 * one after the other: all rules in the first, and in the others those of colours, for
 * nothing else of a page differs. A scheme that is null is the one the page has. The
 * end of a page with a composer is looked at, where nothing lies under that; what lies
 * under the bar at the top then would be taken for too small, and is left out.
 */
export async function clean(page, what, schemes = ["light", "dark"]) {
  for (const [i, colorScheme] of schemes.entries()) {
    if (colorScheme) await page.emulateMedia({ colorScheme });
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
    const found = await page.evaluate(async (runOnly) => {
      if (document.getElementById("dock")) scrollTo(0, document.documentElement.scrollHeight);
      const edge = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
      const cut = [...document.querySelectorAll("main a, main button")].filter((e) => {
        const { top, bottom } = e.getBoundingClientRect();
        return top < edge && bottom > 0;
      });
      for (const e of cut) e.style.visibility = "hidden";
      const { violations } = await globalThis.axe.run({ runOnly, resultTypes: ["violations"] });
      for (const e of cut) e.style.visibility = "";
      return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(" ")}: ${n.failureSummary}`));
    }, i === 0 ? everything : colours);
    assert.deepEqual(found, [], `${what}, ${colorScheme ?? "in its own colours"}`);
  }
}
