// Parts of a page that the server draws anew, and how they take the place of what is there.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { leave, openBrowser, visit } from "./browser.mjs";
import { asksFor, begin, home, known, replies, say, settled } from "./talk.mjs";

const idea = "A lending library for tools in every block of flats";
const gone = [/net::ERR_/, /Failed to load resource/];

describe("the card of the next question", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  it("comes once the connection lets it, and one can write meanwhile", async () => {
    const page = await visit(browser);
    await begin(page);
    let failures = 2;
    await page.route("**/matters", (route) => (failures-- > 0 ? route.abort() : route.continue()));
    await page.getByTestId("composer").fill(idea);
    await page.getByTestId("send").click();
    await page.getByTestId("message-assistant").nth(1).getByText("problem").waitFor();

    await page.getByTestId("composer").fill("Expensive tools stand in a cellar for years");
    assert.equal(await page.getByTestId("send").getAttribute("aria-disabled"), "false", "the box takes answers");
    await settled(page, 2);

    await asksFor(page, "The problem");
    assert.match(await known(page, "idea_summary"), /Known/);
    assert.equal(await page.getByTestId("composer").inputValue(), "Expensive tools stand in a cellar for years");
    await leave(page, gone);
  });

  it("is fetched once a turn", async () => {
    const page = await visit(browser);
    await begin(page);
    const fetched = [];
    page.on("request", (request) => request.url().endsWith("/matters") && fetched.push(request.url()));
    await say(page, idea);
    assert.equal(await replies(page), 2);
    assert.equal(fetched.length, 1);
    await leave(page);
  });
});

describe("a part that is drawn anew", () => {
  let browser, page;
  before(async () => {
    browser = await openBrowser();
    page = await visit(browser);
    await page.goto(home);
    await page.evaluate(async () => {
      const script = await (await fetch(document.querySelector('script[src*="/home."]').src)).text();
      globalThis.parts = await import(`/static/${/parts\.[0-9a-f]+\.js/.exec(script)[0]}`);
    });
  });
  after(async () => {
    await leave(page);
    await browser.close();
  });

  /** What becomes of old when it is made what fresh is, after its reader opened, typed into and focused what those selectors find. */
  const renewed = (old, fresh, does = {}) =>
    page.evaluate(
      ([before, after, { open, type, focus: at }]) => {
        const parse = (html) => new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
        const part = document.querySelector("main").appendChild(document.importNode(parse(before), true));
        if (open) part.querySelector(open).open = true;
        if (type) part.querySelector(type).value = "half a thought";
        if (at) part.querySelector(at).focus();
        globalThis.parts.renew(part, parse(after));
        const { activeElement } = document;
        const out = { html: part.outerHTML, focus: part.contains(activeElement) ? activeElement.id : "", typed: part.querySelector("input")?.value };
        part.remove();
        return out;
      },
      [old, fresh, does],
    );

  for (const [name, old, fresh] of [
    ["words", "<p>one <b>two</b></p>", "<p>one <i>three</i> four</p>"],
    ["attributes", '<p class="a" data-key="k">x</p>', '<p class="b" hidden="">x</p>'],
    ["an element more in front", '<ul><li id="b">b</li></ul>', '<ul><li id="a">a</li><li id="b">b</li></ul>'],
    ["an element less", '<ul><li id="a">a</li><li id="b">b</li><li id="c">c</li></ul>', '<ul><li id="c">c</li></ul>'],
    ["another order", '<ul><li id="a">a</li><li id="b">b</li></ul>', '<ul><li id="b">b</li><li id="a">a</li></ul>'],
    ["nothing left", "<div><p>a</p>b</div>", "<div></div>"],
  ]) {
    it(`is as the server drew it: ${name}`, async () => assert.equal((await renewed(old, fresh)).html, fresh));
  }

  it("keeps what is typed, opened and focused", async () => {
    const { html, focus, typed } = await renewed(
      '<div><details data-testid="d"><summary>s</summary></details><input id="i" value=""></div>',
      '<div><p>new</p><details data-testid="d"><summary>t</summary></details><input id="i" value=""></div>',
      { open: "details", type: "input", focus: "input" },
    );
    assert.match(html, /<p>new<\/p><details data-testid="d" open=""><summary>t/);
    assert.deepEqual([focus, typed], ["i", "half a thought"]);
  });

  it("keeps a form that a script put in", async () => {
    const { html } = await renewed('<div><p>a</p><form data-own="yes"></form></div>', "<div><p>b</p></div>");
    assert.equal(html, '<div><p>b</p><form data-own="yes"></form></div>');
  });

  it("moves the focus to what is near when its element goes", async () => {
    const { focus } = await renewed('<div><a id="a" href="#x">x</a><button id="b">b</button></div>', '<div><a id="a" href="#x">x</a></div>', { focus: "button" });
    assert.equal(focus, "a");
  });
});
