// Data, from the first visit to findings: the sample is explored live, paused and
// ended, in every size and light, and without a script too.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { without } from "./left_out.mjs";
import { Server } from "./server.mjs";

const long = 90_000; // the first exploration of the sample makes its database

describe("data", { skip: without("sample", "duckdb") }, () => {
  let server, home, browser, project, finished;
  before(async () => {
    server = await Server.start(); // the data of an organisation that has none yet
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

  it("begins with one press, and a run is watched, paused, resumed and ended", async () => {
    const page = await visit(browser);
    await page.goto(`${home}/data`);
    await fits(page, "the first visit");
    await page.getByTestId("sample").click();
    await page.getByTestId("run").waitFor();
    await page.evaluate(() => (globalThis.stayed = true));
    await page.getByTestId("step-2").waitFor({ timeout: long });
    assert.equal(await page.evaluate(() => globalThis.stayed), true, "steps come without the page being loaded again");
    await page.getByTestId("pause").click();
    await page.locator("#run-now[data-status=paused]").waitFor({ timeout: long });
    assert.match(await page.getByTestId("status").innerText(), /Paused/);
    await fits(page, "a run that is paused");

    await page.getByTestId("resume").click();
    const steps = await page.getByTestId("steps").locator("> li").count();
    const read = page.getByTestId("step-2");
    await read.evaluate((el) => scrollTo(0, scrollY + el.getBoundingClientRect().top - 100));
    const before = await read.boundingBox();
    await page.getByTestId(`step-${steps + 2}`).waitFor({ timeout: long });
    const after = await read.boundingBox();
    assert.ok(Math.abs(after.y - before.y) < 2, `the step that is read stays where it is: from ${before.y} to ${after.y}`);
    await page.getByTestId("cancel").click();
    await page.locator("#run-now[data-status=cancelled]").waitFor({ timeout: long });
    await page.getByTestId("to-project").click();
    await page.getByTestId("project").waitFor();
    project = new URL(page.url()).pathname;
    await leave(page);
  });

  it("is explored to its end, and what was found can be read and judged", async () => {
    const page = await visit(browser);
    await page.goto(home + project);
    await page.getByTestId("max-steps").selectOption("40");
    await page.getByTestId("start").click();
    await page.getByTestId("run").waitFor();
    await page.locator("#run-now[data-status=completed]").waitFor({ timeout: long });
    finished = new URL(page.url()).pathname;
    assert.match(await page.getByTestId("summary").innerText(), /queries answered/);
    assert.ok((await page.getByTestId("figures").count()) > 3, "figures are drawn");
    await page.goto(home + finished);
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    assert.ok(nodes <= 4000, `the page has ${nodes} nodes`);

    const folded = page.locator(".step-fold").first();
    const id = await folded.evaluate((d) => d.closest(".step").id);
    await folded.locator("summary").click();
    await page.locator(`#${id} > .step-body`).waitFor();
    const step = page.getByTestId("step-2");
    if ((await step.locator("> .step-fold").count()) > 0) await step.locator("summary").first().click();
    await step.getByTestId("like").click();
    await step.getByText("1 found it useful").waitFor();
    assert.equal(await step.getByTestId("like").getAttribute("aria-pressed"), "true");
    await page.getByTestId("show-Errors").click();
    await page.getByTestId("no-steps").waitFor();
    await leave(page);
  });

  it("fits every page to 320 pixels and to the dark", async () => {
    const page = await visit(browser);
    for (const path of ["/data", project, `${project}?choose=yes&pack=gaming%2Fcasual`, "/data/projects/new", finished, `${finished}/steps/3`, `${finished}/insights`, `${project}/recommendations`, "/data/warehouses/new"]) {
      await page.goto(home + path);
      await fits(page, path);
    }
    await leave(page);
  });

  it("ends with findings that can be computed again, and with what may be done", async () => {
    const page = await visit(browser);
    await page.goto(home + finished);
    const findings = page.getByTestId("findings");
    assert.ok((await findings.getByTestId("checked").count()) >= 3, "findings are checked");
    await findings.locator("h3 a").first().click();
    await page.getByTestId("insight").waitFor();
    await fits(page, "a finding");
    const figure = page.getByTestId("figures").locator("li").first();
    await figure.getByRole("button").click();
    assert.match(await page.getByTestId("again").innerText(), /Computed again, it is the same/);
    await fits(page, "a finding with a figure that was computed again");

    await page.goto(`${home}${project}/recommendations`);
    const first = page.getByTestId("board-open").locator("article").first();
    const title = await first.locator("h3").innerText();
    await first.getByTestId("set-accepted").click();
    await page.getByText("It is changed.").waitFor();
    assert.ok((await page.getByTestId("board-accepted").innerText()).includes(title), "it is accepted");
    await fits(page, "recommendations");
    await leave(page);
  });

  it("works without a script", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    await page.goto(`${home}/data/projects/new`);
    await page.getByTestId("name").fill("By hand");
    await page.getByTestId("pack").selectOption("operations/transport");
    await page.getByTestId("choose-pack").click();
    assert.equal(await page.getByTestId("name").inputValue(), "By hand", "what was typed stays");
    await page.getByTestId("profile.punctual_within_minutes").fill("soon");
    await page.getByTestId("save").click();
    assert.match(await page.getByTestId("fault-profile.punctual_within_minutes").innerText(), /number/);
    await page.getByTestId("profile.punctual_within_minutes").fill("15");
    await page.getByTestId("save").click();
    await page.getByTestId("start-form").waitFor();
    await page.getByTestId("max-steps").selectOption("20");
    await page.getByTestId("start").click();
    await page.getByTestId("run").waitFor();
    await page.locator("#run-now[data-status=completed]").waitFor({ timeout: long }); // the page comes again by itself
    assert.match(await page.getByTestId("status").innerText(), /Done/);
    await leave(page, [/status of 422/]);
  });
});
