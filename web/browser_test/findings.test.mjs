// What people do with findings: two runs over data that changed in between are compared, searched and
// asked, and whoever watches a finding is told, on pages that fit every size.

import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { without } from "./left_out.mjs";
import { home } from "./talk.mjs";

const long = 120_000; // a run over the files

describe("findings", { skip: without("duckdb") }, () => {
  let browser, folder, project;

  /** Writes sales by region, of which the south keeps so many of ten from August 2024 on. */
  async function sales(kept) {
    const lines = ["id,sold_at,region,amount"];
    const begin = Date.UTC(2024, 0, 1);
    for (let i = 1; i <= 12000; i++) {
      const at = new Date(begin + i * 41 * 60_000);
      const region = ["north", "south", "east", "west"][Math.floor((i * i) / 7) % 4];
      if (region === "south" && at.getTime() > Date.UTC(2024, 7, 1) && i % 10 >= kept) continue;
      lines.push(`${i},${at.toISOString().slice(0, 19).replace("T", " ")},${region},${20 + ((i * 7919) % 60)}`);
    }
    await writeFile(path.join(folder, "sales.csv"), lines.join("\n"));
  }

  async function call(method, where, body) {
    const response = await fetch(`${home}/api/v1${where}`, { method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${where}: ${response.status} ${text}`);
    return text && JSON.parse(text);
  }

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quaestor-findings-"));
    await chmod(folder, 0o755); // what reads the files may have a user of its own
    await sales(5);
    browser = await openBrowser();
    const house = await call("POST", "/warehouses", { name: "Market", kind: "duckdb", options: { path: folder } });
    await call("POST", `/warehouses/${house.id}/refresh`);
    project = await call("POST", "/projects", { name: "Market", warehouseId: house.id });
  });
  after(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function fits(page, what) {
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${what} is ${wide} pixels wide at ${width}`);
      await clean(page, `${what}, ${width}`);
    }
  }

  async function explore(page) {
    await page.goto(`${home}/data/projects/${project.id}`);
    await page.getByTestId("start").click();
    await page.getByTestId("all-insights").waitFor({ timeout: long });
    await page.locator("#run-now[data-over=true]").waitFor({ timeout: long });
  }

  it("are watched, compared, searched and asked", async () => {
    const page = await visit(browser);
    await page.goto(`${home}/data/alerts`);
    await page.getByTestId("no-alerts").waitFor();
    await explore(page);

    await page.getByTestId("findings").getByRole("link", { name: /south/ }).first().click();
    await page.getByTestId("watch").click();
    await page.getByTestId("unwatch").waitFor();
    await fits(page, "a finding that is watched");

    await sales(1);
    await explore(page);
    await page.getByTestId("to-compare").first().click();
    await page.getByTestId("change-changed").waitFor();
    assert.match(await page.getByTestId("change-changed").innerText(), /south/);
    assert.match(await page.getByTestId("change-changed").getByTestId("was-now").first().innerText(), /→/);
    await fits(page, "a comparison");

    await page.goto(`${home}/data`);
    assert.match(await page.getByTestId("unread").innerText(), /1/);
    await page.getByTestId("to-alerts").click();
    assert.match(await page.getByTestId("alert-changed").innerText(), /It was:.*south[\s\S]*It is now:.*south/);
    await fits(page, "an alert");
    await page.getByTestId("read-all").click();
    await page.getByTestId("alerts").waitFor();
    assert.equal(await page.getByTestId("read-all").count(), 0, "all are read");
    await page.getByTestId("alert-finding").click();
    await page.getByTestId("insight").waitFor();

    await page.goto(`${home}/data/projects/${project.id}`);
    await page.getByTestId("finding-words").fill("falling in the south");
    await page.getByTestId("search-findings").click();
    assert.match(await page.getByTestId("found").innerText(), /south/);
    await fits(page, "a search");
    await page.getByTestId("ask-findings").click();
    assert.match(await page.getByTestId("answer").innerText(), /south/);
    await page.getByTestId("answer").getByRole("link", { name: "Finding 1" }).first().click();
    assert.match(page.url(), /#cited-1$/);
    await fits(page, "an answer");

    const files = await page.request.get(`${home}/api/v1/projects/${project.id}/insights`);
    const run = (await files.json()).items[0].runId;
    for (const [format, type] of [["pdf", "application/pdf"], ["ipynb", "application/x-ipynb+json"]]) {
      const file = await page.request.get(`${home}/api/v1/runs/${run}/findings?format=${format}`);
      assert.equal(file.headers()["content-type"], type);
    }
    await leave(page);
  });
});
