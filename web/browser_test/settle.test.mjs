// Values that are changed where they stand, accepted, rejected, and chosen between.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, tab, visit } from "./browser.mjs";
import { Server } from "./server.mjs";
import { Sources } from "./sources.mjs";
import { begin, card, home, known, lastReply, lastSaid, press, replies, row, say, settled, show, unfold } from "./talk.mjs";

const idea = "A lending library for tools in every block of flats";
const borrowers = { path: "/borrowers", title: "Libraries of things", text: "In 2024 about 250,000 people in Germany borrow tools from a library instead of buying them, says the association of libraries." };

describe("an earlier answer", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  async function answered(options) {
    const page = await visit(browser, options);
    await begin(page);
    await say(page, idea);
    return page;
  }

  /** Fills the one field of the open form and saves it. */
  async function save(page, text) {
    const before = await replies(page);
    await page.getByTestId("input-idea_summary").fill(text);
    await page.getByTestId("answer-save").click();
    await settled(page, before + 1);
  }

  it("is changed under the message it was told in, with one revision, and what was asked is still asked", async () => {
    const page = await answered();
    const asked = await card(page);

    await page.getByTestId("message-user").last().getByTestId("noted-idea_summary").click();
    assert.equal(await page.getByTestId("input-idea_summary").inputValue(), idea, "the value is in the field");
    await save(page, "A lending library for ladders");

    assert.equal(await lastSaid(page), "The idea: A lending library for ladders");
    assert.match(await lastReply(page), /corrected that – the idea/, "the interviewer says so");
    assert.match(await known(page, "idea_summary"), /Known\s+A lending library for ladders/);
    assert.deepEqual(await card(page), asked);
    assert.equal(await page.getByTestId("message-user").first().getByTestId("noted-idea_summary").count(), 0);
    assert.equal(await page.getByTestId("message-user").last().getByTestId("noted-idea_summary").count(), 1);
    assert.equal(await revisions(page, "idea_summary"), 2, "told once, changed once");
    await leave(page);
  });

  it("is changed from the panel, by keyboard; Escape changes nothing", async () => {
    const page = await answered();
    const talked = await replies(page);
    const open = row(page, "idea_summary").getByTestId("edit-idea_summary");
    await (await show(page, "idea_summary")).locator("summary").focus();
    await page.keyboard.press("Enter");
    await open.focus();

    await page.keyboard.press("Enter");
    await page.getByTestId("answer-form").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "input-idea_summary");
    await page.keyboard.type("nothing of this stays");
    await page.keyboard.press("Escape");
    assert.equal(await page.getByTestId("answer-form").count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "edit-idea_summary", "the focus is back");
    assert.equal(await replies(page), talked);

    await page.keyboard.press("Enter");
    await save(page, "A lending library for ladders");
    assert.match(await (await unfold(page, "idea_summary")).innerText(), new RegExp(`Changed from ${idea}`));
    await leave(page);
  });

  it("that will not do is refused at its field, and stays there", async () => {
    const page = await answered();
    await unfold(page, "market_size");
    await page.getByTestId("edit-market_size").click();
    await page.getByTestId("input-market_size").fill("-5");
    await page.getByTestId("answer-form").evaluate((form) => (form.noValidate = true));
    await page.getByTestId("answer-save").click();

    await page.getByTestId("answer-wrong").getByText("A whole number is needed here").waitFor();
    assert.equal(await page.getByTestId("input-market_size").inputValue(), "-5");
    assert.equal(await page.getByTestId("input-market_size").getAttribute("aria-invalid"), "true");
    await leave(page, [/status of 422/]);
  });

  it("is changed without JavaScript, on a page of its own", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    await page.goto(home);
    await page.getByTestId("start-idea_discovery").click();
    await page.getByTestId("composer").fill(idea);
    await page.getByTestId("send").click();
    await page.getByTestId("noted-idea_summary").click();

    await page.getByTestId("input-idea_summary").fill(idea);
    await page.getByTestId("answer-save").click();
    assert.match(await page.getByTestId("answer-wrong").innerText(), /noted already/);
    await page.getByTestId("input-idea_summary").fill("A lending library for ladders");
    await page.getByTestId("answer-save").click();

    await page.getByTestId("message-user").nth(1).waitFor();
    assert.match(await known(page, "idea_summary"), /ladders/);
    await leave(page, [/status of 422/]);
  });
});

describe("a value that is proposed", () => {
  let browser, server, sources;
  before(async () => {
    sources = await Sources.start([borrowers]);
    server = await Server.start("--searxng-url", sources.url, "--read-private", "127.0.0.0/8");
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await sources?.stop();
  });

  /** Two tabs of an interview in which research proposes how large a market is. */
  async function proposed() {
    const page = await visit(browser, { viewport: { width: 1440, height: 900 } });
    await begin(page, "idea_discovery", server.url);
    const sessionId = new URL(page.url()).pathname.split("/").at(-1);
    const asked = await page.request.post(`${server.url}/api/v1/research-tasks`, { data: { sessionId, obligationKey: "market_size", query: "How many people in Germany borrow tools?" } });
    assert.equal(asked.status(), 201);
    const other = await tab(page.context());
    await other.goto(page.url());
    for (const one of [page, other]) await one.getByTestId("offer").waitFor();
    return [page, other];
  }

  it("is shown with its evidence and its source, and accepted by keyboard in every tab", async () => {
    const [page, other] = await proposed();
    const offer = page.getByTestId("offer");
    assert.match(await offer.innerText(), /250,000 people/);
    assert.match(await offer.innerText(), /association of libraries|borrow tools/);
    assert.ok((await offer.locator("a.source").count()) > 0, "its source is a link");

    await page.getByTestId("accept").focus();
    await page.keyboard.press("Enter");

    for (const one of [page, other]) {
      await one.waitForFunction(() => !document.querySelector("[data-testid=offer]"));
      await one.waitForFunction(() => document.querySelector("#ob-market_size [data-slot=status]").textContent === "Known");
    }
    await leave(page);
  });

  it("is rejected with a reason, in every tab", async () => {
    const [page, other] = await proposed();
    await page.getByTestId("reject-box").locator("summary").click();
    await page.getByTestId("reject-reason").fill("These are people who borrow, not who would");
    await page.getByTestId("reject").click();

    for (const one of [page, other]) await one.waitForFunction(() => !document.querySelector("[data-testid=offer]"));
    assert.match(await known(page, "market_size"), /^(?![^]*Known)/);
    await leave(page);
  });

  it("is changed where it stands", async () => {
    const [page, other] = await proposed();
    const before = await replies(page);
    await page.getByTestId("offer").getByTestId("change-market_size").click();
    await page.getByTestId("input-market_size").fill("90000");
    await page.getByTestId("answer-save").click();
    await settled(page, before + 1);

    for (const one of [page, other]) {
      await one.waitForFunction(() => !document.querySelector("[data-testid=offer]"));
      await one.waitForFunction(() => document.querySelector("#ob-market_size [data-slot=value]").textContent.includes("90,000"));
    }
    await leave(page);
  });

  it("is put to whom it is asked of with its grounds, and every card is accessible", async () => {
    const [page] = await proposed();
    await say(page, "Perhaps a lending library for tools in every block of flats, but I am not sure");
    assert.equal((await card(page)).purpose, "confirm");
    await page.getByTestId("grounds").waitFor();
    assert.match(await page.getByTestId("grounds").innerText(), /You said/);
    await page.getByTestId("open-more").click();
    for (const width of [1440, 768, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await sound(page, `the cards, ${width} pixels wide`);
    }
    await page.keyboard.press("Escape");
    await press(page, "confirm-yes");
    await leave(page);
  });
});

describe("two answers that do not agree", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  /** Two tabs of an interview in which two people told different budgets. */
  async function torn() {
    const page = await visit(browser);
    await begin(page);
    const other = await tab(page.context());
    await other.goto(page.url());
    const sessionId = new URL(page.url()).pathname.split("/").at(-1);
    for (const [userId, budget] of [["developer", 8000], ["ben", 20000]]) {
      const turn = await page.request.post(`${home}/api/discovery-chat`, { data: { sessionId, userId, message: `Budget: ${budget}`, answers: { budget } } });
      await turn.body();
    }
    for (const one of [page, other]) await settled(one, 3);
    return [page, other];
  }

  it("stand side by side with who said them and when, and one is picked in every tab", async () => {
    const [page, other] = await torn();
    for (const one of [page, other]) {
      await one.getByTestId("side-words").nth(1).waitFor();
      const sides = (await one.getByTestId("side").allInnerTexts()).join("\n");
      assert.match(sides, /8,000[^]*You[^]*turn 2[^]*20\d\d/);
      assert.match(sides, /20,000[^]*ben[^]*turn 3/);
    }

    await page.getByTestId("side").filter({ hasText: "20,000" }).locator("input").check();
    await page.getByTestId("send-answer").or(page.getByTestId("clash-send")).click();

    for (const one of [page, other]) {
      await one.waitForFunction(() => document.querySelectorAll("[data-testid=side]").length === 0);
      await one.waitForFunction(() => document.querySelector("#ob-budget [data-slot=value]").textContent.includes("20,000"));
    }
    await leave(page);
  });

  it("may both be wrong", async () => {
    const [page, other] = await torn();
    const before = await replies(page);
    await page.getByTestId("change-budget").click();
    await page.getByTestId("input-budget").fill("12000");
    await page.getByTestId("answer-save").click();
    await settled(page, before + 1);

    for (const one of [page, other]) {
      await one.waitForFunction(() => document.querySelectorAll("[data-testid=side]").length === 0);
      await one.waitForFunction(() => document.querySelector("#ob-budget [data-slot=value]").textContent.includes("12,000"));
    }
    await leave(page);
  });
});

/** How often a value was set. */
async function revisions(page, key) {
  const answer = await page.request.get(`${new URL(page.url()).origin}/api/v1/sessions/${new URL(page.url()).pathname.split("/").at(-1)}/obligations/${key}/history`);
  const { items } = await answer.json();
  return items.filter((e) => e.eventType === "value_extracted" || e.metadata.set?.value !== undefined).length;
}

/** Nothing reaches beyond the edge, and axe finds nothing. */
async function sound(page, what) {
  await clean(page, what);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} fits`);
}
