// A whole turn without a mouse.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { told } from "./people.mjs";
import { begin, card, home, lastSaid, replies, settled, show } from "./talk.mjs";
import { walk } from "./walk.mjs";

describe("the keyboard alone", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  it("starts an interview and answers in writing", async () => {
    const page = await visit(browser);
    await page.goto(home);
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Skip to content");
    await tabTo(page, "start-idea_discovery");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/s\//);
    await settled(page, 1);

    assert.equal(await testId(page), "composer", "one can write at once");
    await page.keyboard.type("A lending library");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("for tools in every block of flats");
    await page.keyboard.press("Enter");
    await settled(page, 2);

    assert.equal(await lastSaid(page), "A lending library\nfor tools in every block of flats");
    assert.equal(await testId(page), "composer", "one goes on writing where one was");
    await leave(page);
  });

  it("answers a whole interview, from the first page to the closing card", async () => {
    const page = await visit(browser);
    await page.goto(home);
    await tabTo(page, "start-business_profile");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/s\//);
    await settled(page, 1);
    assert.equal(await testId(page), "composer");

    for (let turn = 0; turn < 40; turn++) {
      const asked = await card(page);
      if (!asked) break;
      const before = await replies(page);
      await answerByKeys(page, asked);
      await settled(page, before + 1);
      assert.equal(await testId(page), (await card(page)) ? "composer" : "", `where the focus is after ${asked.title}`);
    }

    await page.getByTestId("closing").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "closing-title", "the focus is on the closing card");
    await tabTo(page, "closing-brief");
    await leave(page);
  });

  it("picks from choices and sends them", async () => {
    const page = await visit(browser);
    await begin(page);
    await walk(page, "idea_discovery", (asked) => asked.fields[0]?.kind === "choice");
    const [field] = (await card(page)).fields;
    const before = await replies(page);

    await page.locator("#main").focus();
    await tabTo(page, (id) => id.startsWith("option-"));
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await tabTo(page, "send-answer");
    await page.keyboard.press("Enter");
    await settled(page, before + 1);

    assert.ok((await lastSaid(page)).endsWith(field.options[1]), await lastSaid(page));
    await leave(page);
  });

  it("opens a row, follows its evidence, and always shows where it is", async () => {
    const page = await visit(browser);
    await begin(page);
    await page.getByTestId("composer").fill("A lending library for tools in every block of flats");
    await page.keyboard.press("Enter");
    await settled(page, 2);

    await (await show(page, "idea_summary")).locator("summary").focus();
    await page.keyboard.press("Enter");
    await tabTo(page, "quote");
    await page.keyboard.press("Enter");

    await page.locator("mark.pointed").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.dataset.role), "user", "the focus is on the message");
    await page.keyboard.press("Tab");
    const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(ring, "solid");
    await leave(page);
  });

  it("tells a screen reader what happened", async () => {
    const page = await visit(browser);
    await begin(page);
    await page.getByTestId("composer").fill("A lending library for tools in every block of flats");
    await page.keyboard.press("Enter");
    await settled(page, 2);

    const told = await page.getByTestId("announcer").innerText();

    assert.match(told, /Noted: The idea, A lending library for tools/);
    assert.match(told, /What problem does your idea deal with\?/);
    await leave(page);
  });

  it("tells it in the language of the interview", async () => {
    const page = await visit(browser);
    await begin(page, "idea_discovery", `${home}/?language=de`);
    await page.getByTestId("composer").fill("Ein Verleih für Werkzeug in jedem Wohnblock");
    await page.keyboard.press("Enter");
    await settled(page, 2);

    assert.match(await page.getByTestId("announcer").innerText(), /Notiert: .+, .*Verleih für Werkzeug/);
    assert.equal(await page.getByTestId("message-user").last().locator('[data-slot="author"]').innerText(), "Sie");
    await page.reload();
    assert.equal(await page.getByTestId("message-user").last().locator('[data-slot="author"]').innerText(), "Sie", "also as the server draws it");
    await leave(page);
  });
});

const enough = 80;

/** Answers what is asked; the focus is in the box below the card. */
async function answerByKeys(page, { purpose, title, fields }) {
  if (purpose === "ask" && fields.length === 0) {
    await page.keyboard.type(told("business_profile", title));
    return page.keyboard.press("Enter");
  }
  for (const field of fields.toReversed()) await fillByKeys(page, field);
  await tabBackOrOn(page, { confirm: "confirm-yes", finish: "finish-yes", probe: "probe-enough", approve: "approve-yes", widen: "widen-enough" }[purpose] ?? "send-answer", fields.length > 0);
  return page.keyboard.press("Enter");
}

async function fillByKeys(page, { kind, testId: id, title }) {
  const key = id.replace("field-", "");
  switch (kind) {
    case "choice":
    case "multiselect":
      await tabTo(page, (at) => at.startsWith("option-"), "Shift+Tab");
      return page.keyboard.press("Space");
    case "date":
      await tabTo(page, `other-${key}`, "Shift+Tab");
      return page.keyboard.type(told("business_profile", title));
    default:
      await tabTo(page, `input-${key}`, "Shift+Tab");
      return page.keyboard.type(told("business_profile", title));
  }
}

/** From the box one goes back to the card's buttons, from its fields on to them. */
function tabBackOrOn(page, wanted, on) {
  return tabTo(page, wanted, on ? "Tab" : "Shift+Tab");
}

/** Presses Tab until the focus is on what has that test id, or one that wanted accepts. */
async function tabTo(page, wanted, key = "Tab") {
  const found = typeof wanted === "string" ? (id) => id === wanted : wanted;
  for (let i = 0; i < enough; i++) {
    await page.keyboard.press(key);
    if (found(await testId(page))) return;
  }
  assert.fail(`Tab does not lead to ${wanted}`);
}

function testId(page) {
  return page.evaluate(() => document.activeElement?.dataset.testid ?? "");
}

function focused(page) {
  return page.evaluate(() => document.activeElement.textContent);
}
