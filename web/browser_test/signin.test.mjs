// Where tokens are asked for, a browser signs in with one, and out.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { Server } from "./server.mjs";
import { begin, lastSaid, say } from "./talk.mjs";

const refused = [/401/];

describe("a server that asks for tokens", () => {
  let browser, server;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), Server.start("--auth", "tokens")]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  async function signIn(page, token) {
    await page.getByLabel("Your token").fill(token);
    await page.getByTestId("sign-in-send").click();
  }

  it("lets in whoever types one, to the page that was asked for, and out again", async () => {
    const page = await visit(browser, { viewport: { width: 390, height: 800 } });
    const token = await server.token("ada", "member");
    await page.goto(`${server.url}/research`);
    await clean(page, "the sign-in");

    await signIn(page, token);

    await page.getByTestId("ask-form").waitFor();
    assert.equal(new URL(page.url()).pathname, "/research");
    assert.equal(await page.evaluate(() => document.cookie), "", "no script reads the cookie");
    await page.getByTestId("open-account").click();
    assert.match(await page.getByTestId("account").innerText(), /Signed in as ada/);
    await page.getByTestId("sign-out").click();
    await page.getByTestId("sign-in-form").waitFor();
    await page.goto(`${server.url}/research`);
    await page.getByTestId("sign-in-form").waitFor();
    await leave(page, refused);
  });

  it("talks with who signed in", async () => {
    const page = await visit(browser);
    await page.goto(server.url);
    await signIn(page, await server.token("bea", "member"));
    await begin(page, "business_profile", server.url);
    await say(page, "We run a bakery in a small town");

    assert.equal(await lastSaid(page), "We run a bakery in a small town");
    await leave(page, refused);
  });

  it("says where it was typed that one does not work", async () => {
    const page = await visit(browser);
    await page.goto(`${server.url}/data`);

    await signIn(page, "qst_mistyped");

    await page.getByTestId("sign-in-wrong").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "sign-in-token");
    assert.equal(await page.getByLabel("Your token").inputValue(), "");
    assert.doesNotMatch(page.url(), /qst_/);
    await leave(page, refused);
  });

  it("shows pages to outsiders that fit a narrow phone, and copies links", async () => {
    const token = await server.token("ivy", "member");
    const say = { method: "POST", headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" } };
    const begun = await (await fetch(`${server.url}/api/v1/sessions`, { ...say, body: JSON.stringify({ contextType: "business_profile" }) })).json();
    const made = async (what, body) => (await (await fetch(`${server.url}/api/v1/sessions/${begun.id}/${what}`, { ...say, body: JSON.stringify(body) })).json()).link;
    const links = { "the sign-in": `${server.url}/research`, "an invitation": await made("invitations", { role: "contributor" }), "a shared brief": await made("shares", { days: 3 }) };
    for (const [name, link] of Object.entries(links)) {
      for (const width of [320, 390, 1280]) {
        const page = await visit(browser, { viewport: { width, height: 700 }, colorScheme: width === 390 ? "dark" : "light" });
        await page.goto(link);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${name} is wider than ${width}`);
        assert.doesNotMatch(await page.locator("main").innerText(), /curl|Bearer/);
        if (width !== 1280) await clean(page, `${name} at ${width}`);
        await leave(page, refused);
      }
    }

    const page = await visit(browser, { viewport: { width: 320, height: 700 }, permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`${server.url}/s/${begun.id}`);
    await signIn(page, token);
    await page.getByTestId("open-panel").click().catch(() => {});
    await page.getByTestId("people").evaluate((el) => (el.open = true));
    await page.getByTestId("ask-in").evaluate((form) => form.requestSubmit());
    await page.getByTestId("invite-copy").click();
    await page.getByTestId("invite-copied").filter({ hasText: "copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.getByTestId("invite-address").inputValue());
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
    await clean(page, "the link of an invitation");
    await leave(page, refused);
  });
});
