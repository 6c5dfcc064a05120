// What goes wrong in a call, heard through Chromium's microphone: nobody speaks, noise, a network
// that breaks, and an API of speech that fails.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { leave, visit } from "./browser.mjs";
import { Server } from "./server.mjs";
import { begin, lastSaid, say, settled } from "./talk.mjs";
import { hearing, Network, recording, SpeechAPI } from "./voices.mjs";

const minute = 60_000;

describe("a call in trouble", () => {
  let folder, api, server, network;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quaestor-trouble-"));
    api = await SpeechAPI.start();
    api.word = 0.01;
    process.env.QUAESTOR_SPEECH_URL = api.url;
    server = await Server.start();
    delete process.env.QUAESTOR_SPEECH_URL;
    network = await Network.to(server.url);
  });
  after(async () => {
    await server?.stop();
    network?.stop();
    api?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens an interview and begins to speak. */
  async function call(browser) {
    const page = await visit(browser);
    page.setDefaultTimeout(30_000);
    await begin(page, "business_profile", network.url);
    await page.getByTestId("voice-open").click();
    await page.getByTestId("voice-begin").click();
    await state(page, "listening");
    return page;
  }

  const state = (page, name) => page.waitForFunction((wanted) => document.querySelector("#voice").dataset.state === wanted, name);
  const messages = (page) => page.getByTestId("message-user").count();

  it("asks who says nothing, more gently each time, and then offers typing", { timeout: 2 * minute }, async () => {
    const browser = await hearing(await recording(folder, "silence", []));
    try {
      const page = await visit(browser);
      await page.addInitScript(() => {
        globalThis.reminders = [];
        const Socket = WebSocket;
        globalThis.WebSocket = class extends Socket {
          constructor(...args) {
            super(...args);
            this.addEventListener("message", ({ data }) => {
              const frame = typeof data === "string" ? JSON.parse(data) : {};
              if (frame.type === "reminder") globalThis.reminders.push(frame);
            });
          }
        };
      });
      page.setDefaultTimeout(minute);
      await begin(page, "business_profile", network.url);
      await page.getByTestId("voice-open").click();
      await page.getByTestId("voice-begin").click();
      await page.waitForFunction(() => globalThis.reminders.length >= 3);
      const told = await page.evaluate(() => globalThis.reminders);
      assert.deepEqual(told.map((r) => r.typing), [false, false, true]);
      assert.equal(new Set(told.map((r) => r.text)).size, 3);
      assert.match(told[2].text, /typ|write/i);
      assert.equal(await messages(page), 0);
      await say(page, "We bake bread for the cafés in our town");
      await leave(page);
    } finally {
      await browser.close();
    }
  });

  it("finds the ends of answers in noise 10 dB below the voice, and takes the noise for none", { timeout: 2 * minute }, async () => {
    const browser = await hearing(await recording(folder, "noise", [[8, "We bake bread for the cafes in our town."], [20, "Bakeries and cafes mostly."]], 10));
    try {
      api.text = "We bake bread for the cafés in our town";
      const page = await call(browser);
      await settled(page, 2);
      assert.equal(await lastSaid(page), "We bake bread for the cafés in our town");
      api.text = "Bakeries and cafés mostly";
      await settled(page, 3);
      assert.equal(await lastSaid(page), "Bakeries and cafés mostly");
      assert.equal(await messages(page), 2, "noise became a message");
      await leave(page);
    } finally {
      await browser.close();
    }
  });

  it("loses nothing of what is said while the network breaks", { timeout: 2 * minute }, async () => {
    const long = "We bake bread for the cafes in our town and for two hotels by the lake and on Sundays we bake cakes for everybody who comes by.";
    const browser = await hearing(await recording(folder, "drop", [[7, long]]));
    try {
      api.text = "We bake bread for the cafés in our town";
      api.heard = [];
      const page = await call(browser);
      await state(page, "hearing");
      network.cut();
      await page.waitForFunction(() => document.querySelector('[data-testid="voice-state"]').textContent === "Connecting again");
      await untilRefused(2);
      network.mend();
      await settled(page, 2);
      assert.equal(await messages(page), 1);
      const seconds = api.heard.at(-1) / 32_000; // 16,000 samples of two bytes
      assert.ok(seconds > 6, `only ${seconds} s of about 7 were heard`);
      await leave(page, [/ERR_|WebSocket|Failed to (fetch|load)|network/i]);
    } finally {
      network.mend();
      await browser.close();
    }
  });

  /** Resolves once so many connections were refused. */
  async function untilRefused(count) {
    for (const until = Date.now() + minute; network.refused < count; await new Promise((go) => setTimeout(go, 50))) assert.ok(Date.now() < until, "nobody tries to connect");
  }

  it("says why it is silent or deaf when the API of speech fails, and goes on in writing", { timeout: 2 * minute }, async () => {
    const browser = await hearing(await recording(folder, "failure", [[7, "We bake bread for the cafes in our town."], [30, "Bakeries and cafes mostly."]]));
    try {
      api.text = "Bakeries and cafés mostly";
      api.broken = { speaking: true, hearing: true };
      const page = await visit(browser);
      page.setDefaultTimeout(minute);
      await begin(page, "business_profile", network.url);
      await page.getByTestId("voice-open").click();
      await page.getByTestId("voice-begin").click();
      const trouble = page.getByTestId("voice-trouble");
      await trouble.filter({ hasText: /\w/ }).waitFor();
      await trouble.filter({ hasText: /typ|write/i }).waitFor(); // it did not hear the first answer
      assert.equal(await messages(page), 0);
      await say(page, "We bake bread for the cafés in our town");
      api.broken = { speaking: false, hearing: false };
      await settled(page, 3); // and hears the second
      assert.equal(await lastSaid(page), "Bakeries and cafés mostly");
      await leave(page);
    } finally {
      api.broken = { speaking: false, hearing: false };
      await browser.close();
    }
  });
});
