// The first page and what it leads to, in every size and light, by keyboard too.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { clean } from "./axe.mjs";
import { leave, openBrowser, tab, visit } from "./browser.mjs";
import { begin, home, say } from "./talk.mjs";

const idea = "A heron counting club for towns with a river";

describe("the first page", () => {
  let browser, interview;
  before(async () => {
    browser = await openBrowser();
    const page = await visit(browser);
    await begin(page, "idea_discovery");
    await say(page, idea);
    interview = new URL(page.url()).pathname;
    await page.goto(`${home}/research`);
    await page.getByTestId("ask-query").fill("How many herons are there in Ghent?");
    await page.getByTestId("ask").click();
    await page.getByTestId("report").waitFor();
    await leave(page);
  });
  after(() => browser.close());

  /** Looks for words until they are found: what was said is found a moment later. */
  async function search(page, words) {
    await page.goto(`${home}/search`);
    await page.getByTestId("search-words").fill(words);
    await page.keyboard.press("Enter");
    await page.getByTestId("found-title").waitFor();
    for (let tries = 0; tries < 60 && (await page.getByTestId("found-link").count()) === 0; tries++) {
      await page.waitForResponse((r) => r.url().includes("/search") && r.request().method() === "GET", { timeout: 1000 }).catch(() => {});
      await page.reload();
    }
    await page.getByTestId("found-link").first().waitFor();
    await page.waitForLoadState(); // its scripts run
  }

  for (const width of [320, 768, 1440]) {
    it(`and what it leads to fit ${width} pixels, and axe finds nothing`, async () => {
      const page = await visit(browser, { viewport: { width, height: 800 } });
      await search(page, "heron counting");
      for (const path of ["/", "/interviews", "/interviews?status=completed", page.url().slice(home.length), "/search?q=%22nobody+says+this%22", "/search", "/research", "/styleguide"]) {
        await page.goto(home + path);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${path} is ${wide} pixels wide`);
        await clean(page, path);
      }
      await page.goto(home);
      if (width < 896) await page.getByTestId("open-places").click();
      assert.equal(await page.getByTestId("research-link").isVisible(), true);
      assert.equal(await page.getByTestId("interviews-link").getAttribute("aria-current"), "page");
      await clean(page, "the places");
      await page.getByTestId("research-link").click();
      await page.getByTestId("ask-form").waitFor();
      await leave(page);
    });
  }

  it("looks as its reader chose, on every page and in every tab, from the first moment", async () => {
    const page = await visit(browser, { colorScheme: "light" });
    await page.goto(home);
    const other = await tab(page.context());
    await other.goto(`${home}/research`);
    const light = await ground(page);

    await page.getByTestId("open-looks").click();
    await page.getByTestId("look-dark").check();
    await other.waitForFunction(() => document.documentElement.dataset.look === "dark");
    const dark = await ground(page);
    assert.notEqual(dark, light);
    await page.goto(home + interview);
    assert.equal(await ground(page), dark);
    await clean(page, "an interview in the dark", [null]);

    await page.getByTestId("open-looks").click();
    assert.equal(await page.getByTestId("look-dark").isChecked(), true);
    await page.getByTestId("look-system").check();
    assert.equal(await ground(page), light);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.equal(await ground(page), dark, "as the system has it");
    await other.close();
    await leave(page);
  });

  it("has more contrast for those who ask for it", async () => {
    const page = await visit(browser, { contrast: "more" });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.goto(home);
      const [ink, paper] = await page.evaluate(() => ["color", "backgroundColor"].map((name) => getComputedStyle(document.body)[name]));
      assert.deepEqual([ink, paper].sort(), ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
    }
    await clean(page, "the first page with more contrast");
    await leave(page);
  });

  it("is searched, and what was found is walked through, without a mouse", async () => {
    const page = await visit(browser);
    await search(page, "heron counting");
    await page.getByTestId("search-words").focus();

    await page.keyboard.press("ArrowDown");
    assert.equal(await at(page), "found-link");
    const first = await page.evaluate(() => document.activeElement.href);
    await page.keyboard.press("ArrowDown");
    assert.notEqual(await page.evaluate(() => document.activeElement.href), first);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await at(page), "search-words");
    const marked = await page.locator("mark").allInnerTexts();
    assert.ok(marked.some((words) => /heron/i.test(words)), `marked: ${marked}`);

    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/s\//);
    assert.equal(new URL(page.url()).pathname, interview);
    await leave(page);
  });

  it("tells what an interview is about, and goes on with it", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    await page.goto(home);
    const card = page.getByTestId(`session-${interview.split("/").at(-1)}`);

    assert.match(await card.innerText(), new RegExp(idea));
    assert.equal(await page.getByTestId("open-looks").isVisible(), false, "a choice that needs a script is not offered without");
    await card.getByRole("link").click();
    await page.getByTestId("transcript").waitFor();
    assert.equal(new URL(page.url()).pathname, interview);
    await leave(page);
  });

  it("sends no more than 100 KB for an interview, compressed", async () => {
    const page = await visit(browser);
    const answers = [];
    page.on("response", (r) => answers.push(r));
    await page.goto(home + interview);
    await page.waitForLoadState("load");
    const files = answers.filter((r) => /text\/(html|css|javascript)|image\//.test(r.headers()["content-type"] ?? ""));
    const bodies = await Promise.all(files.map((r) => r.body()));
    const size = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
    assert.ok(bodies.length > 10, `${bodies.length} files`);
    assert.ok(size <= 100 * 1024, `${size} bytes`);
    await leave(page);
  });
});

function at(page) {
  return page.evaluate(() => document.activeElement?.dataset.testid ?? "");
}

function ground(page) {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}
