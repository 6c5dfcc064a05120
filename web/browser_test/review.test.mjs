// What a reviewer does: finds an interview, follows a value to the words it rests
// on, goes back in time, decides. Most of it without scripts.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, home, say } from "./talk.mjs";

const talk = ["We repair bicycles <b>and sell</b> reconditioned ones, with 6 people", "Win twenty local firms whose staff bikes we look after", "Probably a van with a driver of its own on Mondays"];

describe("review", () => {
  let browser, id;
  before(async () => {
    browser = await openBrowser();
    const page = await visit(browser);
    await begin(page, "business_profile");
    for (const words of talk) await say(page, words);
    id = new URL(page.url()).pathname.split("/").pop();
    await leave(page);
  });
  after(() => browser.close());

  it("leads from the list to the marked words of a value, without scripts", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    await page.goto(`${home}/review?person=developer&context=business_profile`);
    await page.getByTestId(`review-${id}`).press("Enter");
    const link = page.getByTestId("evidence-primary_goal.0").getByTestId("evidence-link");
    const quote = (await link.locator("q").textContent()).trim();
    await link.press("Enter");
    await page.waitForURL(/#evidence$/);

    const mark = page.getByTestId("chosen-evidence");
    assert.equal(await mark.textContent(), quote);
    assert.ok(await inSight(page, mark), "the words are in sight");
    assert.match(await page.locator("#m-2-user").innerText(), /<b>and sell<\/b>/, "markup stays text");
    await leave(page);
  });

  it("goes back to what was known, and cannot decide there", async () => {
    const page = await visit(browser);
    await page.goto(`${home}/review/${id}`);
    assert.equal(await page.getByTestId("held-primary_goal").count(), 1);
    await page.getByTestId("turn-number").fill("2");
    await page.getByTestId("turn-go").click();
    await page.getByText("As it stood after turn 2 of 4").waitFor();
    assert.equal(await page.getByTestId("held-primary_goal").count(), 0);
    assert.equal(await page.locator('[data-testid^="acts-"]').count(), 0);
    await page.getByTestId("turn-next").click();
    await page.getByTestId("held-primary_goal").waitFor();
    await page.getByTestId("turn-latest").click();
    await page.getByText("As it stands, after turn 4").waitFor();
    await leave(page);
  });

  it("explains how sure a value is and sets another, by keyboard alone", async () => {
    const page = await visit(browser);
    await page.goto(`${home}/review/${id}`);
    const value = page.getByTestId("value-primary_goal");
    await value.getByTestId("why-primary_goal").locator("summary").press("Enter");
    await value.getByText("Said in the person's own words").waitFor();
    await value.getByTestId("open-decide-primary_goal").press("Enter");
    await value.getByTestId("set-primary_goal").fill("Cycle trade");
    await value.getByTestId("decide-note").fill("the register says so");
    await value.getByTestId("decide").press("Enter");
    await page.waitForURL(/#ob-primary_goal$/);

    assert.equal((await page.getByTestId("held-primary_goal").textContent()).trim(), "Cycle trade");
    await page.getByTestId("full-primary_goal").evaluate((a) => a.closest("details").setAttribute("open", ""));
    await page.getByTestId("full-primary_goal").click();
    assert.match(await page.getByTestId("review-history").innerText(), /Cycle trade[\s\S]*the register says so/);
    await leave(page);
  });

  it("exports the chosen interviews", async () => {
    const page = await visit(browser);
    await page.goto(`${home}/review`);
    await page.getByTestId("choose-all").check();
    assert.ok(await page.getByTestId(`choose-${id}`).isChecked());
    await page.getByTestId("export-format").selectOption("csv");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByTestId("export").click()]);
    const table = await readFile(await file.path(), "utf8");
    assert.equal(file.suggestedFilename(), "interviews.csv");
    assert.match(table, new RegExp(`^${id},business_profile,developer`, "m"));
    await page.getByText(/interviews? (is|are) in interviews\.csv/).waitFor();
    await leave(page);
  });

  it("exports all that the filter finds, and says when nothing was chosen", async () => {
    const page = await visit(browser);
    await page.goto(`${home}/review?person=developer`);
    await page.getByTestId("export").click();
    await page.getByTestId("export-refused").waitFor();
    assert.equal(await page.getByTestId("filter-person").inputValue(), "developer", "the filter stays");
    await page.getByTestId("export-format").selectOption("json");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByTestId("export-found").click()]);
    assert.equal((await readFile(await file.path())).subarray(0, 2).toString(), "PK");
    await leave(page, [/422/]);
  });

  it("keeps a comment on a value, and deals with it", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    await page.goto(`${home}/review/${id}`);
    const value = page.getByTestId("value-primary_goal");
    await value.getByTestId("open-comment.primary_goal").press("Enter");
    await value.getByTestId("text-comment.primary_goal").fill("Ask <b>who</b> said so");
    await value.getByTestId("send-comment.primary_goal").press("Enter");
    await page.waitForURL(/#ob-primary_goal$/);
    assert.equal(await value.locator(".comment-text").textContent(), "Ask <b>who</b> said so");
    await page.goto(`${home}/review?need=comment`);
    assert.match(await page.getByTestId(`row-${id}`).innerText(), /1 open comment/);
    await page.goto(`${home}/review/${id}`);
    await page.getByTestId("comments").getByRole("button", { name: /Dealt with/ }).press("Enter");
    await page.waitForURL(/#ob-primary_goal$/);
    await page.getByText("1 comment dealt with").waitFor();
    await leave(page);
  });

  it("shows how a turn was answered by the rules", async () => {
    const page = await visit(browser);
    await page.goto(`${home}/review/${id}`);
    await page.getByTestId("in-turn-3").click();
    await page.getByText("How turn 3 was answered").waitFor();
    assert.match(await page.getByTestId("calls-missing").innerText(), /built-in rules/);
    assert.match(await page.getByTestId("chosen-because").innerText(), /\w/);
    await page.getByTestId("turn-before").click();
    await page.getByText("How turn 2 was answered").waitFor();
    await leave(page);
  });

  it("shows a form that cannot be done again, with what was typed", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    await page.goto(`${home}/review/${id}`);
    const value = page.getByTestId("value-primary_goal");
    await value.getByTestId("open-comment.primary_goal").press("Enter");
    await value.getByTestId("text-comment.primary_goal").evaluate((field) => field.removeAttribute("required"));
    await value.getByTestId("text-comment.primary_goal").fill("   ");
    await value.getByTestId("send-comment.primary_goal").press("Enter");
    await page.getByTestId("refused").waitFor();
    assert.equal(await page.getByTestId("refused").innerText(), "Write what there is to say.");
    assert.equal(await page.getByTestId("text-comment.primary_goal").getAttribute("aria-invalid"), "true");
    await leave(page, [/422/]);
  });

  for (const width of [320, 768, 1440]) {
    it(`has nothing that axe finds, nor anything beyond the edge, ${width} pixels wide`, async () => {
      const page = await visit(browser, { viewport: { width, height: 900 } });
      for (const path of ["/review", "/review?q=zeppelin", `/review/${id}`, `/review/${id}?turn=2&tab=transcript`, `/review/${id}?evidence=business_overview.0&tab=transcript`, `/review/${id}/values/primary_goal`, `/review/${id}/history`, `/review/${id}/turns/2`]) {
        await page.goto(home + path);
        for (const details of await page.locator("main details").all()) await details.evaluate((d) => (d.open = true));
        const beyond = await page.evaluate(() =>
          [...document.querySelectorAll("main, main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5 && !e.closest(".table-scroll")).map((e) => e.outerHTML.slice(0, 80)),
        );
        assert.deepEqual(beyond, [], path);
        await clean(page, path);
      }
      await leave(page);
    });
  }

  it("shows one half at a time on a phone", async () => {
    const page = await visit(browser, { viewport: { width: 390, height: 844 } });
    await page.goto(`${home}/review/${id}`);
    const [words, value] = [page.getByTestId("review-transcript"), page.getByTestId("value-primary_goal")];
    assert.deepEqual([await words.isVisible(), await value.isVisible()], [false, true]);
    await page.getByTestId("tab-transcript").click();
    await words.waitFor();
    assert.equal(await value.isVisible(), false);
    await leave(page);
  });
});

/** inSight reports whether an element lies in the window, below the bar. */
async function inSight(page, element) {
  const box = await element.boundingBox();
  const bar = await page.locator(".bar").boundingBox();
  return box.y >= bar.y + bar.height && box.y + box.height <= page.viewportSize().height;
}
