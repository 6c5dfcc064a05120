// What is heard on which loudspeaker, and by whom; and a browser's own voice where the server
// has none in the language.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, home, say, settled } from "./talk.mjs";

const minute = 60_000;
const devices = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream", "--autoplay-policy=no-user-gesture-required"];

/** sinks keeps on which loudspeakers a page plays, and how much it sends. */
function sinks(page) {
  return page.addInitScript(() => {
    globalThis.sinks = [];
    globalThis.sent = []; // bytes of each frame of sound
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) {
      if (data.byteLength) globalThis.sent.push(data.byteLength);
      return send.call(this, data);
    };
    const set = AudioContext.prototype.setSinkId;
    AudioContext.prototype.setSinkId = async function (id) {
      if (globalThis.brokenSink && id) throw new DOMException("gone", "NotFoundError");
      await set.call(this, id);
      globalThis.sinks.push(id);
    };
  });
}

test("the loudspeaker that is chosen plays the tones of the test, and the call", { timeout: 2 * minute }, async () => {
  const browser = await openBrowser(...devices);
  try {
    const page = await visit(browser);
    await sinks(page);
    await begin(page, "idea_discovery");
    await page.getByTestId("voice-open").click();
    await page.getByTestId("voice-test").click();
    await page.getByTestId("voice-tested").filter({ hasText: "The microphone hears you." }).waitFor();
    const select = page.getByTestId("voice-loudspeaker");
    await select.waitFor();
    const names = await select.locator("option").allInnerTexts();
    assert.ok(names.length > 1, `loudspeakers: ${names}`);
    const id = await select.locator("option").nth(1).getAttribute("value");
    await select.selectOption(id);
    await page.waitForFunction((wanted) => globalThis.sinks.at(-1) === wanted, id);
    await clean(page, "the test of microphone and loudspeaker", ["light"]);
    await page.evaluate(() => (globalThis.sinks = []));
    await page.getByTestId("voice-begin").click();
    await page.waitForFunction((wanted) => globalThis.sinks.includes(wanted), id);
    await page.waitForFunction(() => document.querySelector("#voice").dataset.state === "speaking");
    await page.waitForFunction(() => globalThis.sent.length > 50);
    const bytes = await page.evaluate(() => globalThis.sent.reduce((a, b) => a + b) / globalThis.sent.length);
    assert.ok(bytes < 160, `a frame of 20 ms has ${bytes} bytes: it is not Opus`);
    await page.getByTestId("voice-end").click();

    await page.evaluate(() => (globalThis.brokenSink = true));
    await page.getByTestId("voice-test").click();
    await page.getByTestId("voice-trouble").filter({ hasText: "you hear the default one" }).waitFor();
    assert.equal(await select.inputValue(), "");
    await leave(page);
  } finally {
    await browser.close();
  }
});

test("a second device hears the replies without a microphone, and takes nobody's turn", { timeout: 2 * minute }, async () => {
  const browser = await openBrowser("--autoplay-policy=no-user-gesture-required");
  try {
    const page = await visit(browser);
    await begin(page, "idea_discovery");
    await page.getByTestId("voice-open").click();
    await page.getByTestId("voice-listen").click();
    await page.waitForFunction(() => document.querySelector("#voice").dataset.state === "listening");
    assert.equal(await page.getByTestId("voice-mute").isVisible(), false);
    const other = await visit(browser);
    await other.goto(page.url());
    await say(other, "An app for the chores of a household");
    await page.waitForFunction(() => document.querySelector("#voice").dataset.state === "speaking");
    await page.waitForFunction(() => document.querySelector('[data-testid="voice-caption"]').textContent.length > 10);
    await page.getByTestId("voice-end").click();
    await page.waitForFunction(() => document.querySelector("#voice").dataset.state === "off");
    await leave(other);
    await leave(page);
  } finally {
    await browser.close();
  }
});

test("a German interview uses the browser's own voice, and says what that lacks", { timeout: 2 * minute }, async () => {
  const browser = await openBrowser();
  try {
    const page = await visit(browser);
    await page.addInitScript(() => {
      globalThis.SpeechRecognition = globalThis.webkitSpeechRecognition = class {
        start() {
          globalThis.hears = this;
        }
        abort() {}
      };
      speechSynthesis.getVoices = () => [{ name: "Fred", lang: "en-US" }];
    });
    const made = await fetch(`${home}/api/v1/sessions`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ contextType: "idea_discovery", language: "de" }) });
    assert.equal(made.status, 201, await made.clone().text());
    const { id } = await made.json();
    await page.goto(`${home}/s/${id}`);
    await settled(page, 0);
    await page.getByTestId("voice-open").click();
    await page.getByTestId("voice-own").waitFor();
    await page.getByTestId("voice-begin").click();
    await page.waitForFunction(() => globalThis.hears?.lang === "de");
    await page.evaluate(() => globalThis.hears.onresult({ results: [Object.assign([{ transcript: "Eine App für den Haushalt" }], { isFinal: true })] }));
    await page.getByTestId("voice-trouble").filter({ hasText: "keine Stimme" }).waitFor();
    await leave(page);
  } finally {
    await browser.close();
  }
});
