// What a reviewer sees of a turn that a model answered.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { Model } from "./model.mjs";
import { Server } from "./server.mjs";

describe("the calls of a turn", () => {
  let browser, model, server, address;
  before(async () => {
    model = await Model.start();
    model.reply = "Thank you. What do you <i>bake</i>?";
    server = await Server.start("--model", "scripted", "--model-url", model.url);
    browser = await openBrowser();
    const made = await fetch(`${server.url}/api/discovery-chat`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ contextType: "business_profile", message: "We bake </pre> bread" }),
    });
    const { sessionId } = JSON.parse(/^data: (\{"type":"session".*)$/m.exec(await made.text())[1]);
    address = `${server.url}/review/${sessionId}/turns/1`;
  });
  after(async () => {
    await browser.close();
    await server.stop();
    model.stop();
  });

  it("are shown with prompt, answer, tokens and times, as text", async () => {
    const page = await visit(browser);
    await kept(page, address);
    const reply = page.getByTestId("call-reply");
    assert.equal(await reply.getByTestId("call-response").textContent(), "Thank you. What do you <i>bake</i>?");
    assert.match(await page.getByTestId("call-understand").innerText(), /10 in, 10 out/);
    const rules = reply.locator("details").first();
    assert.equal(await rules.getAttribute("open"), null, "long prompts are folded");
    await rules.locator("summary").press("Enter");
    await rules.getByText("You are the voice of an interview").waitFor();
    assert.match(await page.getByTestId("waterfall").textContent(), /Word the reply began after/);
    await leave(page);
  });

  for (const width of [320, 768, 1440]) {
    it(`have nothing that axe finds, nor anything beyond the edge, ${width} pixels wide`, async () => {
      const page = await visit(browser, { viewport: { width, height: 900 } });
      await kept(page, address);
      for (const details of await page.locator("main details").all()) await details.evaluate((d) => (d.open = true));
      const beyond = await page.evaluate(() =>
        [...document.querySelectorAll("main, main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5 && !e.closest(".table-scroll")).map((e) => e.outerHTML.slice(0, 80)),
      );
      assert.deepEqual(beyond, []);
      await clean(page, "the calls");
      await leave(page);
    });
  }
});

/** Opens the page of a turn until its calls are written, which is a second after the turn. */
async function kept(page, address) {
  for (const end = Date.now() + 15_000; Date.now() < end; ) {
    await page.goto(address);
    if ((await page.getByTestId("call-reply").count()) > 0) return;
  }
  assert.fail("the calls were never kept");
}
