// Files in the chat: attached, read, shown where a value rests on them.

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { begin, home, lastReply, settled, unfold } from "./talk.mjs";

const plan = ["Plan for the booking system", "", "Budget: EUR 20,000", "", "It has to be there by 31 March 2030."].join("\n");

describe("files", () => {
  let browser;
  before(async () => (browser = await openBrowser()));
  after(() => browser.close());

  it("a text and a Word document are read, and the words are one click away", async () => {
    const page = await visit(browser);
    await begin(page, "project_discovery");
    await page.getByTestId("file-input").setInputFiles([
      { name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from(plan) },
      { name: "about.docx", mimeType: "application/octet-stream", buffer: docx(["Project: A booking system for three practices"]) },
    ]);
    await page.waitForFunction(() => document.querySelectorAll('#attached [data-state="ready"]').length === 2);
    await page.getByTestId("send").click();
    await settled(page, 2);

    assert.match(await lastReply(page), /plan\.txt I read .*budget/i);
    assert.deepEqual(await page.getByTestId("message-user").last().getByTestId("message-file").locator(".file-name").allInnerTexts(), ["plan.txt", "about.docx"]);
    assert.equal(await page.getByTestId("attachment").count(), 0, "the dock is empty again");
    const row = await unfold(page, "budget");
    assert.match(await row.innerText(), /Read in plan\.txt/);
    await page.reload();
    await settled(page, 2);
    assert.equal(await page.getByTestId("message-file").count(), 2, "the files are there after a reload");
    await (await unfold(page, "budget")).getByTestId("file-quote").click();

    await page.waitForURL(/\/files\/.*#found/);
    assert.equal(await page.getByTestId("found").innerText(), "Budget: EUR 20,000");
    assert.equal(await page.getByTestId("found").evaluate((el) => el.getBoundingClientRect().top >= 0 && el.getBoundingClientRect().bottom <= innerHeight), true);
    await clean(page, "the words of a value in their file", [null]);
    await page.getByTestId("to-interview").click();
    await settled(page, 2);
    await leave(page);
  });

  it("what cannot be read is said at the file, with what to do, and nothing is sent", async () => {
    const page = await visit(browser);
    await begin(page, "project_discovery");
    await page.getByTestId("file-input").setInputFiles({ name: "cat.png", mimeType: "image/png", buffer: Buffer.from("\x89PNG\r\n\x1a\n", "latin1") });
    await page.getByTestId("file-fault").waitFor();

    assert.match(await page.getByTestId("file-fault").innerText(), /cat\.png .*TXT, MD, CSV, DOCX or PDF/i);
    await clean(page, "a file that cannot be read", [null]);
    await page.getByTestId("send").click();
    assert.equal(await page.getByTestId("message-user").count(), 0);
    await page.getByTestId("remove-file").click();
    assert.equal(await page.getByTestId("attachment").count(), 0);
    await leave(page, [/status of 415/]);
  });

  it("a long text that is pasted may go as a file, and one that is dropped is attached", async () => {
    const page = await visit(browser);
    await begin(page, "project_discovery");
    const text = `Budget: EUR 20,000\n${"The weather was fair and the road went on. ".repeat(120)}`;
    await page.getByTestId("composer").evaluate((box, text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      box.value = text; // what a browser does with what is pasted
    }, text);
    await page.getByTestId("attach-paste").click();
    await page.locator('#attached [data-state="ready"]').waitFor();
    assert.equal(await page.getByTestId("composer").inputValue(), "");
    assert.match(await page.getByTestId("attachment").innerText(), /pasted-text\.txt/);

    await page.locator(".talk").evaluate((area) => {
      const data = new DataTransfer();
      data.items.add(new File(["Roses want sun."], "roses.md", { type: "text/markdown" }));
      for (const type of ["dragover", "drop"]) area.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await page.waitForFunction(() => document.querySelectorAll('#attached [data-state="ready"]').length === 2);
    await page.reload();
    await settled(page, 1);
    assert.equal(await page.getByTestId("attachment").count(), 2, "what waits is there after a reload");
    await page.getByTestId("send").click();
    await settled(page, 2);
    assert.match(await lastReply(page), /budget/i);
    await leave(page);
  });

  for (const colorScheme of ["light", "dark"]) {
    it(`fits a phone, ${colorScheme}`, async () => {
      const page = await visit(browser, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, colorScheme });
      await begin(page, "project_discovery");
      await page.getByTestId("file-input").setInputFiles({ name: `${"plan-".repeat(30)}.txt`, mimeType: "text/plain", buffer: Buffer.from(`${plan}\n${"word".repeat(200)}`) });
      await page.locator('#attached [data-state="ready"]').waitFor();
      await fits(page);
      await clean(page, "a file beside the composer", [null]);
      await page.getByTestId("send").click();
      await settled(page, 2);
      await fits(page);
      await page.getByTestId("message-file").click();
      await page.getByTestId("file-text").waitFor();
      await fits(page);
      await clean(page, "the text of a file", [null]);
      await leave(page);
    });
  }

  it("without scripts a file goes with the form", async () => {
    const page = await visit(browser, { javaScriptEnabled: false });
    await page.goto(home);
    await page.getByTestId("start-project_discovery").click();
    await page.getByTestId("message-assistant").first().waitFor();
    await page.getByTestId("file-input").setInputFiles({ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from(plan) });
    await page.getByTestId("composer").fill("Here is our plan");
    await page.getByTestId("send").click();
    await page.getByTestId("message-file").waitFor();
    assert.match(await page.getByTestId("message-assistant").last().innerText(), /plan\.txt I read/);
    await leave(page);
  });
});

async function fits(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${over} pixels too wide`);
}

/** A Word document of paragraphs: an archive with one file in it. */
function docx(paragraphs) {
  const body = paragraphs.map((p) => `<w:p><w:r><w:t>${p}</w:t></w:r></w:p>`).join("");
  const xml = Buffer.from(`<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`);
  return archive("word/document.xml", xml);
}

function archive(name, content) {
  const packed = deflateRawSync(content);
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(8, 4);
  head.writeUInt32LE(crc32(content), 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(content.length, 18);
  head.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), head, Buffer.from(name), packed]);
  const entry = Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), head, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, entry, Buffer.from("PK\x05\x06"), end]);
}

function crc32(data) {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
