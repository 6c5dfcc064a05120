// Speaking with the interviewer: Chromium's microphone plays what flite says, and the
// programs of the machine hear it and answer aloud.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, home, lastReply, lastSaid, say, settled } from "./talk.mjs";
import { hearing, recording, Talker } from "./voices.mjs";

const minute = 60_000;

/** What is asked, and what is said to it: words that pocketsphinx knows. */
const answers = [
  { key: "business", said: "We bake bread.", value: /bread$/i },
  { key: "team_size", said: "There are twelve people in the team.", value: 12 },
  { key: "channel", said: "In the street.", value: "street" },
  { key: "share", said: "It is forty five percent.", value: 45 },
  { key: "problem", said: "Our biggest problem is the price of flour.", value: /price of flour/i },
];

const obligation = (key, priority, label, prompt, more) => ({ key, priority, label, prompt, fieldPath: `shop.${key}`, category: "Shop", ...more });
const shop = {
  contextType: "spoken_shop",
  version: "1.0.0",
  displayName: "A shop, spoken",
  description: "A shop.",
  greeting: "Hello.",
  obligations: [
    obligation("business", 9, "Business", "What do you make?", { widgetType: "text", cues: ["we bake"] }),
    obligation("team_size", 8, "Team", "How many people are in the team?", { widgetType: "number", unit: "people", integer: true, min: 1, max: 500, cues: ["people", "team"] }),
    obligation("channel", 7, "Channel", "Where do people buy?", {
      widgetType: "choice",
      choices: [
        { value: "street", label: "In the street", synonyms: ["street"] },
        { value: "online", label: "Online", synonyms: ["on line"] },
      ],
    }),
    obligation("share", 6, "Share of regulars", "What percentage of the buyers come back?", { widgetType: "number", unit: "percent", min: 0, max: 100 }),
    obligation("problem", 5, "Problem", "What is your biggest problem?", { widgetType: "text", cues: ["problem"] }),
  ],
  phases: { opening: { goal: "g" }, exploration: { goal: "g" }, validation: { goal: "g" }, closing: { goal: "g" } },
  completion: { minObligationsSatisfied: 5, minConfidenceScore: 0.5, requiredObligations: ["business"] },
};

let folder;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "quaestor-voice-"));
  const response = await fetch(`${home}/api/v1/objectives`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(shop) });
  assert.equal(response.status, 201, await response.text());
});

after(() => rm(folder, { recursive: true, force: true }));

/** interview starts one about the shop, and returns its id. */
async function interview(page) {
  await page.goto(home);
  await page.getByTestId("start-spoken_shop").click();
  await page.waitForURL(/\/s\//);
  await settled(page, 1);
  return page.url().split("/s/")[1].split(/[?#]/)[0];
}

/** known returns the obligations of a session by their keys. */
async function known(id) {
  const list = await (await fetch(`${home}/api/v1/sessions/${id}/obligations`)).json();
  return Object.fromEntries(list.items.map((o) => [o.key, o]));
}

/** asked waits until the interviewer has said as many messages and listens. */
async function asked(page, messages) {
  await page.waitForFunction((count) => document.querySelectorAll('[data-testid="message-assistant"]').length >= count && document.querySelector("#voice").dataset.state === "listening", messages, { timeout: minute });
}

/** eventually asks every half second until there is an answer; null when none comes in time. */
async function eventually(limit, ask) {
  for (const until = Date.now() + limit; Date.now() < until; await new Promise((go) => setTimeout(go, 500))) {
    const answer = await ask();
    if (answer) return answer;
  }
  return null;
}

test("an interview is held by speaking alone", { timeout: 5 * minute }, async () => {
  const browser = await hearing(await recording(folder, "nothing", []));
  try {
    const page = await visit(browser);
    const talker = await Talker.at(page, folder);
    const id = await interview(page);
    await page.getByTestId("voice-open").click();
    await page.getByTestId("voice-begin").click();
    await page.waitForFunction(() => document.querySelector("#voice").dataset.state === "speaking");
    for (const [i, { said }] of answers.entries()) {
      await asked(page, i + 1);
      await talker.say(said);
    }
    await asked(page, answers.length + 1);
    const found = await known(id);
    for (const { key, value } of answers) {
      const told = `${key}: ${JSON.stringify(found[key])}, after ${await page.getByTestId("transcript").innerText()}`;
      if (value instanceof RegExp) assert.match(String(found[key].value), value, told);
      else assert.equal(found[key].value, value, told);
    }
    await page.getByTestId("voice-end").click();
    await page.waitForFunction(() => document.querySelector("#voice").dataset.state === "off");
    await leave(page);
  } finally {
    await browser.close();
  }
});

test("a reply that is interrupted stands as far as it was heard, after a reload too", { timeout: 2 * minute }, async () => {
  const browser = await hearing(await recording(folder, "interruption", [[2.5, "Wait a moment please."]]));
  try {
    const page = await visit(browser);
    await begin(page, "idea_discovery");
    const whole = await lastReply(page);
    await page.getByTestId("voice-open").click();
    await page.getByTestId("voice-begin").click();
    const first = page.getByTestId("message-assistant").first();
    await first.locator('[data-slot="note"]', { hasText: "Interrupted here" }).waitFor();
    const heard = (await first.locator('[data-slot="body"]').innerText()).trim();
    assert.ok(heard.length < whole.length && whole.startsWith(heard.slice(0, 20)), `heard ${heard} of ${whole}`);
    await settled(page, 2);
    assert.match(await lastSaid(page), /moment/);
    await page.reload();
    await page.getByTestId("message-assistant").first().locator('[data-slot="note"]', { hasText: "Interrupted here" }).waitFor();
    await leave(page);
  } finally {
    await browser.close();
  }
});

test("who agrees is recorded, and a reviewer hears the answer", { timeout: 3 * minute }, async () => {
  const settings = `${home}/api/v1/settings`;
  const before = await fetch(settings);
  const keep = async (days) => {
    const now = await fetch(settings);
    const set = { ...(await now.json()).set, keptRecordingsDays: days };
    const saved = await fetch(settings, { method: "PUT", headers: { "Content-Type": "application/json", "If-Match": now.headers.get("ETag") }, body: JSON.stringify(set) });
    assert.equal(saved.status, 200, await saved.text());
  };
  assert.equal(before.status, 200);
  await keep(7);
  const browser = await hearing(await recording(folder, "consent", [[24, "We bake bread."]]));
  try {
    const page = await visit(browser);
    const id = await interview(page);
    await page.getByTestId("voice-open").click();
    await page.getByTestId("voice-begin").click();
    await page.getByTestId("voice-allow").waitFor();
    assert.match(await page.getByTestId("voice-consent").innerText(), /recorded.*may say no/is);
    await clean(page, "the question of consent", ["light"]);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "voice-allow");
    await page.keyboard.press("Enter");
    await page.getByTestId("voice-recorded").filter({ hasText: "What you say is recorded." }).waitFor();
    const all = await eventually(minute, async () => {
      const list = await (await fetch(`${home}/api/v1/sessions/${id}/recordings`)).json();
      return list.items.length > 0 && list.items;
    });
    assert.ok(all, `nothing was recorded: ${await page.getByTestId("transcript").innerText()}`);
    await page.getByTestId("voice-end").click();
    await page.goto(`${home}/review/${id}`);
    const hear = page.getByTestId("value-business").getByTestId("hear").first();
    await hear.locator("summary").focus();
    await page.keyboard.press("Enter");
    const sound = hear.getByTestId("hear-sound");
    assert.match(await sound.getAttribute("aria-label"), /Business in turn/);
    const length = await sound.evaluate(
      (audio) => new Promise((go, stop) => {
        audio.addEventListener("ended", () => go(audio.currentTime));
        audio.addEventListener("error", () => stop(new Error(`the sound does not play: ${audio.error?.message}`)));
        audio.play().catch(stop);
      }),
    );
    assert.ok(length > 0.5, `it plays ${length} s`);
    await clean(page, "the review of a spoken answer", ["light"]);
    await leave(page);
  } finally {
    await browser.close();
    await keep(0);
  }
});

test("without a microphone, or leave to use it, the page says what to do", { timeout: minute }, async () => {
  const browser = await openBrowser();
  try {
    const page = await visit(browser);
    await begin(page, "idea_discovery");
    const open = page.getByTestId("voice-open");
    await open.focus();
    await page.keyboard.press("Enter");
    assert.equal(await open.getAttribute("aria-expanded"), "true");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "voice-begin");
    await clean(page, "the panel of speaking", ["light"]);
    await page.keyboard.press("Enter");
    await page.getByTestId("voice-trouble").filter({ hasText: /microphone/i }).waitFor();
    await page.getByTestId("voice-close").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.getByTestId("voice").isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "voice-open");
    await say(page, "An app for the chores of a household");
    await leave(page);
  } finally {
    await browser.close();
  }
});

test("a browser that has no microphone for the page is told so, and types", { timeout: minute }, async () => {
  const browser = await openBrowser();
  try {
    const page = await visit(browser);
    await page.addInitScript(() => Object.defineProperty(navigator, "mediaDevices", { value: undefined }));
    await begin(page, "idea_discovery");
    await page.getByTestId("voice-none").waitFor();
    assert.equal(await page.getByTestId("voice-open").isVisible(), false);
    await leave(page);
  } finally {
    await browser.close();
  }
});
