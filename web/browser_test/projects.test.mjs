// A project by its page: what a run would use is estimated, a schedule is set and paused, a budget and a
// price are given, and the run tells what it cost.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { without } from "./left_out.mjs";
import { Server } from "./server.mjs";

const long = 90_000; // the first exploration of the sample makes its database

describe("projects", { skip: without("sample", "duckdb") }, () => {
  let server, home, browser, project;
  before(async () => {
    server = await Server.start(); // the data of an organisation that has none yet
    home = server.url;
    browser = await openBrowser();
    const page = await visit(browser);
    await page.goto(`${home}/data`);
    await page.getByTestId("sample").click();
    await page.getByTestId("run").waitFor();
    await page.locator("#run-now[data-status=completed]").waitFor({ timeout: long });
    await page.getByTestId("to-project").click();
    await page.getByTestId("project").waitFor();
    project = new URL(page.url()).pathname;
    await leave(page);
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

  it("estimates a run before it starts", async () => {
    const page = await visit(browser);
    await page.goto(home + project);
    await page.getByTestId("max-steps").selectOption("20");
    await page.getByTestId("estimate-run").click();
    const estimate = page.getByTestId("estimate");
    await estimate.waitFor();
    assert.match(await estimate.innerText(), /1 earlier run of the project/);
    assert.match(await page.getByTestId("estimate-analysis").innerText(), /Looking for effects\s+\d+/);
    assert.equal(await page.getByTestId("max-steps").inputValue(), "20", "what was chosen stays");
    await fits(page, "an estimate");
    await leave(page);
  });

  it("is explored by itself, paused and resumed", async () => {
    const page = await visit(browser);
    await page.goto(home + project);
    await page.getByTestId("cron").fill("every morning");
    await page.getByTestId("schedule-save").click();
    assert.match(await page.getByTestId("fault-cron").innerText(), /five fields/);
    assert.equal(await page.getByTestId("cron").inputValue(), "every morning");
    await page.getByTestId("cron").fill("0 6 * * 1-5");
    await page.getByTestId("zone").fill("Europe/Berlin");
    await page.getByTestId("schedule-save").click();
    assert.equal(await page.getByTestId("next-times").locator("li").count(), 3);
    assert.match(await page.getByTestId("next-times").innerText(), /06:00/);
    await fits(page, "a schedule");
    await page.getByTestId("schedule-pause").click();
    await page.getByTestId("schedule-paused").waitFor();
    await page.getByTestId("schedule-resume").click();
    await page.getByTestId("next-times").waitFor();
    await page.getByTestId("schedule-remove").click();
    await page.getByText("It has no schedule.").waitFor();
    await leave(page, [/status of 422/]);
  });

  it("has a budget, prices and a cost", async () => {
    const page = await visit(browser);
    await page.goto(`${home}/data/prices`);
    const card = page.getByTestId("price").first();
    await card.getByTestId("price-hour").fill("3.5");
    await card.getByTestId("price-source").fill("The contract of January 2026");
    await card.getByTestId("price-set").click();
    assert.match(await page.getByTestId("price").first().getByTestId("price-state").innerText(), /^Set by /);
    await fits(page, "prices");

    await page.goto(home + project);
    await page.getByTestId("budget-more").click();
    await page.getByTestId("budget-time").fill("30");
    await page.getByTestId("save").click();
    await page.getByText("It is saved.").waitFor();
    assert.equal(await page.getByTestId("budget-time").inputValue(), "30");
    await page.getByTestId("max-steps").selectOption("20");
    await page.getByTestId("start").click();
    await page.getByTestId("run").waitFor();
    await page.locator("#run-now[data-status=completed]").waitFor({ timeout: long });
    assert.match(await page.getByTestId("counters").innerText(), /Cost of the warehouse\s+0\.\d+ USD/);
    await page.goto(home + project);
    assert.match(await page.getByTestId("months").innerText(), /at least 0\.\d+ USD/);
    await fits(page, "a project with all of it");
    await leave(page);
  });

  it("is explored by a model of its own, whose key is never shown", async () => {
    const page = await visit(browser);
    await page.goto(home + project);
    await page.getByTestId("own-more").click();
    await page.getByTestId("own-name").fill("clerk");
    await page.getByTestId("own-url").fill("http://127.0.0.1:1/v1");
    await page.getByTestId("own-key").fill("sesame-open");
    await page.getByTestId("own-save").click();
    await page.getByText("The model is changed.").waitFor();
    assert.match(await page.getByTestId("project-model").innerText(), /a model of its own, clerk/);
    assert.ok(!(await page.content()).includes("sesame-open"), "the key is not shown");
    await page.getByTestId("model-choose").click();
    await page.getByText("the model that the organisation uses").waitFor();
    await leave(page);
  });
});
