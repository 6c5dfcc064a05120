// What figures mean: taken over from what the tables suggest, defined, tested, imported, and
// found again, on a page that fits every size.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { without } from "./left_out.mjs";
import { Server } from "./server.mjs";

const long = 90_000; // the first exploration of the sample makes its database

describe("metrics", { skip: without("sample", "duckdb") }, () => {
  let server, home, browser;
  before(async () => {
    server = await Server.start(); // the data of an organisation that has no metrics yet
    home = server.url;
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  async function fits(page, what) {
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${what} is ${wide} pixels wide at ${width}`);
      await clean(page, `${what}, ${width}`);
    }
  }

  it("are taken over, tested and imported", async () => {
    const page = await visit(browser);
    await page.goto(`${home}/data`);
    const sample = page.getByTestId("sample");
    if (await sample.count()) {
      await sample.click();
      await page.getByTestId("step-2").waitFor({ timeout: long });
      await page.goto(`${home}/data`);
    }
    await page.locator("[data-testid^=metrics-]").first().click();
    await page.getByTestId("no-metrics").waitFor();
    await fits(page, "no metrics");

    await page.getByTestId("propose").click();
    await page.getByTestId("proposal-flights_count").getByRole("link").click();
    await page.getByTestId("metric-save").click();
    await page.getByTestId("test-flights_count").click();
    assert.match(await page.getByTestId("metric-value").innerText(), /At present: \d+/);
    await fits(page, "a metric that was tested");

    await page.getByTestId("metric-name").fill("late_flights");
    await page.getByTestId("metric-table").fill("flights");
    await page.getByTestId("metric-expression").fill("read_csv('/etc/passwd')");
    await page.getByTestId("metric-save").click();
    assert.match(await page.getByTestId("fault-expression").innerText(), /read_csv/);
    assert.equal(await page.getByTestId("metric-name").inputValue(), "late_flights", "what was typed stays");
    await fits(page, "a refused metric");
    await page.getByTestId("metric-expression").fill("COUNT(*)");
    await page.getByTestId("metric-filters").fill("delay > 15");
    await page.getByTestId("metric-save").click();
    await page.getByTestId("metric-late_flights").waitFor();

    await page.getByTestId("import-text").fill("metrics:\n- {name: flights_flown, table: flights, expression: COUNT(*)}\n- {name: share_late, numerator: late_flights, denominator: flights_flown}\n- {name: bad, table: nowhere, expression: COUNT(*)}");
    await page.getByTestId("import-preview").click();
    const plan = await page.getByTestId("import-plan").innerText();
    assert.match(plan, /Share late\s+New/);
    assert.match(plan, /no table "nowhere"/);
    await fits(page, "the preview of an import");
    await page.getByTestId("import-now").click();
    await page.getByTestId("test-share_late").click();
    assert.match(await page.getByTestId("metric-value").innerText(), /0\.\d+/);
    await leave(page, [/status of 422/]);
  });
});
