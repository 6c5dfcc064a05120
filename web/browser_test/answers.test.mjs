// One turn at a time: what is said, and what the page makes of it.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { asksFor, begin, card, known, lastReply, lastSaid, press, replies, row, say, settled, unfold } from "./talk.mjs";
import { walk } from "./walk.mjs";

describe("an answer", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  it("is noted in the panel, and the next question follows", async () => {
    const page = await visit(browser);
    await begin(page);
    await asksFor(page, "The idea");

    await say(page, "A lending library for tools in every block of flats");

    assert.equal(await lastSaid(page), "A lending library for tools in every block of flats");
    assert.equal(await page.getByTestId("composer").inputValue(), "");
    assert.match(await known(page, "idea_summary"), /Known\s+A lending library for tools in every block of flats/);
    assert.doesNotMatch(await page.getByTestId("progress-words").innerText(), /^0%/);
    await asksFor(page, "The problem");
    assert.match(await lastReply(page), /\?$/);
    await leave(page);
  });

  it("lets the part it belongs to glow where that is folded; the part that is asked about stands open", async () => {
    const page = await visit(browser);
    await begin(page, "business_profile");
    const open = () => page.getByTestId("part").evaluateAll((parts) => parts.filter((p) => p.querySelector("details").open).map((p) => p.dataset.category));
    await say(page, "We repair bicycles and sell reconditioned ones from a workshop near the station");
    assert.deepEqual(await open(), [await page.locator('.part[data-state="now"]').getAttribute("data-category")]);
    const business = page.locator('.part[data-category="The business"] > details > summary');
    assert.match(await business.getAttribute("class"), /changed/, "its answer is noted as the interview moves on");

    await say(page, "Win twenty local firms whose staff bikes we look after");
    assert.doesNotMatch(await business.getAttribute("class"), /changed/);
    await page.getByTestId("noted-business_overview").first().click();
    await page.getByTestId("input-business_overview").fill("We repair cargo bikes");
    await press(page, "answer-save");

    assert.match(await business.getAttribute("class"), /changed/);
    assert.equal(await row(page, "business_overview").isVisible(), false, "it stays folded");
    assert.match(await known(page, "business_overview"), /cargo bikes/);
    await leave(page);
  });

  it("may be taken back, and the panel tells what it was", async () => {
    const page = await visit(browser);
    await begin(page);
    await say(page, "A lending library for tools in every block of flats");
    await say(page, "Expensive tools stand in a cellar for years");
    await say(page, "Actually, the problem is that nobody has room for tools");

    const problem = await unfold(page, "problem");

    assert.match(await problem.locator(".ob-value").innerText(), /nobody has room for tools/);
    assert.match(await problem.innerText(), /Changed from Expensive tools stand in a cellar for years/);
    await page.reload();
    assert.match(await (await unfold(page, "problem")).innerText(), /Changed from Expensive tools stand in a cellar for years/);
    await leave(page);
  });

  it("is what its evidence leads to: the very words light up", async () => {
    const page = await visit(browser);
    await begin(page);
    await say(page, "Well, my idea is a lending library for tools in every block of flats.");
    await say(page, "Expensive tools stand in a cellar for years");

    const idea = await unfold(page, "idea_summary");
    const quote = (await idea.locator("q").first().innerText()).replace(/[“”"]/g, "");
    await idea.getByTestId("quote").first().click();

    const marked = page.locator("mark.pointed");
    assert.equal(await marked.innerText(), quote);
    assert.match(quote, /lending library for tools/);
    assert.ok(await marked.evaluate((el) => el.getBoundingClientRect().top > 0 && el.getBoundingClientRect().bottom < innerHeight), "the words are in view");
    await leave(page);
  });

  it("may be doubtful, and is then put to the person once more", async () => {
    const page = await visit(browser);
    await begin(page);
    await say(page, "Perhaps a lending library for tools in every block of flats, but I am not sure");
    assert.match(await known(page, "idea_summary"), /Partly known/);
    assert.equal((await card(page)).purpose, "confirm");
    assert.match(await page.getByTestId("proposal").innerText(), /lending library for tools/);

    await press(page, "confirm-yes");

    assert.match(await known(page, "idea_summary"), /Known\s+a lending library/);
    assert.match(await (await unfold(page, "idea_summary")).innerText(), /You agreed to/);
    await leave(page);
  });

  it("is what one row says is being asked for, whatever was asked before", async () => {
    const page = await visit(browser);
    await begin(page);
    await say(page, "A lending library for tools in every block of flats");
    await walk(page, "idea_discovery", (asked) => asked.purpose === "form");
    const { fields } = await card(page);
    await press(page, "quick-later");
    const asked = await page.locator("#question").evaluate((q) => (q.dataset.key ? [q.dataset.key] : [...q.querySelectorAll(".field")].map((f) => f.dataset.key)));
    const told = () => page.locator("#groups .ob").evaluateAll((rows) => rows.filter((row) => row.textContent.includes("Being asked")).map((row) => row.dataset.key));

    const live = await told();
    await page.reload();

    assert.deepEqual(live.sort(), asked.sort(), `of ${fields.length} that were asked`);
    assert.deepEqual((await told()).sort(), asked.sort(), "also after a reload");
    await leave(page);
  });

  it("is asked for when a card is sent empty, and nothing is sent", async () => {
    const page = await visit(browser);
    await begin(page);
    await walk(page, "idea_discovery", (asked) => asked.fields.some((f) => f.kind === "choice"));
    const before = await replies(page);

    await page.getByTestId("send-answer").click();

    assert.equal(await page.evaluate(() => document.activeElement.type), "radio");
    assert.equal(await page.getByTestId("card-empty").isVisible(), true, "it says so");
    await page.getByTestId("question").locator(".option").first().click();
    assert.equal(await page.getByTestId("card-empty").isVisible(), false, "until something is filled in");
    assert.equal(await replies(page), before);
    await leave(page);
  });
});

describe("a card that is half filled in", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  /** Comes to the first form, and fills in one choice and one text beside choices. */
  async function begun(page) {
    await begin(page);
    await walk(page, "idea_discovery", (asked) => asked.purpose === "form");
    const question = page.getByTestId("question");
    await question.locator(".field").first().locator(".option").first().click();
    return filled(page);
  }

  /** What is filled in, by name. */
  function filled(page) {
    return page.locator("#question form").evaluate((form) => [...new FormData(form)].filter(([name, value]) => /^(answer|other)\./.test(name) && value));
  }

  it("stays filled in when one asks why, changes another answer, and reloads", async () => {
    const page = await visit(browser);
    const held = await begun(page);
    assert.equal(held.length, 1);

    await press(page, "quick-why");
    assert.deepEqual(await filled(page), held, "after asking why");

    await unfold(page, "idea_summary");
    await page.getByTestId("edit-idea_summary").click();
    await page.getByTestId("input-idea_summary").fill("A lending library for ladders");
    await press(page, "answer-save");
    assert.deepEqual(await filled(page), held, "after another answer");

    await page.reload();
    await settled(page, 1);
    assert.deepEqual(await filled(page), held, "after a reload");
    await leave(page);
  });

  it("is forgotten once it is sent", async () => {
    const page = await visit(browser);
    await begun(page);

    await press(page, "send-answer");

    assert.equal(await page.evaluate(() => Object.keys(sessionStorage).find((k) => k.startsWith("quaestor.fields."))), undefined);
    await leave(page);
  });
});

describe("a quick answer", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  it("explains, looks up, puts off and skips", async () => {
    const page = await visit(browser);
    await begin(page);
    await say(page, "A lending library for tools in every block of flats");
    await say(page, "Expensive tools stand in a cellar for years");

    await press(page, "quick-why");
    assert.equal(await lastSaid(page), "Why do you ask?");
    assert.match(await lastReply(page), /picture a real person/);
    await asksFor(page, "People it is for");
    assert.equal(await page.getByTestId("quick-research").isVisible(), true);

    await press(page, "quick-research");
    const research = page.getByTestId("research");
    assert.match(await research.innerText(), /Being looked up[^]*People it is for/);
    await page.reload();
    assert.match(await research.innerText(), /Being looked up[^]*People it is for/, "also after a reload");

    const put = (await card(page)).title;
    await press(page, "quick-later");
    assert.notEqual((await card(page)).title, put);
    assert.match(await page.locator("#groups").textContent(), /For later/);

    await press(page, "quick-skip");
    assert.match(await page.locator("#groups").textContent(), /Skipped/);
    assert.match(await page.getByTestId("progress-words").innerText(), /1 skipped/);

    const unknown = (await card(page)).title;
    await press(page, "quick-unknown");
    assert.ok(await lastReply(page), `an answer to not knowing ${unknown}`);
    await leave(page);
  });
});

describe("a long message", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  const pasted = (bytes) => "We lend tools. ".repeat(Math.ceil(bytes / 15)).slice(0, bytes - 1) + ".";

  it("of 60 KiB is taken", async () => {
    const page = await visit(browser);
    await begin(page);

    await say(page, pasted(60 << 10));

    assert.equal((await lastSaid(page)).length, 60 << 10);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1280);
    await leave(page);
  });

  it("of 70 KiB is refused in words, and comes back to be shortened", async () => {
    const page = await visit(browser);
    await begin(page);
    const text = pasted(70 << 10);
    await page.getByTestId("composer").fill(text);
    await page.getByTestId("send").click();

    const refusal = page.getByTestId("failure");
    await refusal.waitFor();

    assert.match(await refusal.innerText(), /64 KiB/);
    assert.ok(await refusal.evaluate((el) => el.getBoundingClientRect().top > 0 && el.getBoundingClientRect().bottom < innerHeight), "it is in view");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "edit", "what one can do is at hand");
    assert.equal(await lastSaid(page), text);
    await refusal.locator('[data-act="edit"]').click();
    assert.equal(await page.getByTestId("composer").inputValue(), text);
    assert.equal(await page.getByTestId("message-user").count(), 0);
    await page.getByTestId("composer").fill("A lending library for tools in every block of flats");
    await page.getByTestId("send").click();
    await settled(page, 2);
    assert.equal(await page.getByTestId("message-user").count(), 1);
    await leave(page, [/status of 4(13|22)/]);
  });
});
