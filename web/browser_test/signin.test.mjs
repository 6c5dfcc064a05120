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
});
