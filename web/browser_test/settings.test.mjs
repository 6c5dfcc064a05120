// Settings and jobs, as those who manage see them: limits that end an interview, what
// retention would delete, tokens, tests of connections, queues.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { leave, openBrowser, visit } from "./browser.mjs";
import { Server } from "./server.mjs";

const pages = ["/admin/settings", "/admin/settings/people", "/admin/settings/models", "/admin/settings/models/new", "/admin/settings/connections", "/admin/settings/data", "/admin/jobs", "/admin/jobs?order=ended"];

/** A provider of speech: it says silence, and hears what it is told to. */
function provider() {
  const wav = Buffer.concat([Buffer.from("RIFF\x34\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data\x10\0\0\0", "latin1"), Buffer.alloc(16)]);
  const told = { status: 200 };
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.statusCode = told.status;
      response.end(request.url.endsWith("/audio/speech") ? wav : JSON.stringify({ text: "good morning" }));
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({ server, told, url: `http://127.0.0.1:${server.address().port}` })));
}

/** A language model that answers tests: it takes a schema, unless it is told to refuse. */
function languageModel() {
  const told = { status: 200 };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    response.statusCode = request.url.endsWith("/chat/completions") ? told.status : 404;
    if (response.statusCode !== 200) return response.end("{}");
    if (JSON.parse(body).stream) {
      response.setHeader("Content-Type", "text/event-stream");
      return response.end(`data: ${JSON.stringify({ choices: [{ delta: { content: "Blue" }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
    }
    response.end(JSON.stringify({ choices: [{ message: { content: '{"colour":"blue"}' }, finish_reason: "stop" }] }));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({ server, told, url: `http://127.0.0.1:${server.address().port}/v1` })));
}

describe("who manages", () => {
  let browser, server, speech, llm;
  before(async () => {
    [speech, llm] = await Promise.all([provider(), languageModel()]);
    [browser, server] = await Promise.all([openBrowser(), Server.start("--speech-url", speech.url)]);
  });
  after(async () => {
    await Promise.all([browser.close(), server.stop()]);
    speech.server.close();
    llm.server.close();
  });

  const open = async (path, options) => {
    const page = await visit(browser, options);
    await page.goto(server.url + path);
    return page;
  };

  it("sets a limit, and the next turn ends an interview by it", async () => {
    const page = await open("/admin/settings");
    await page.getByTestId("limit-sessionTurns").fill("many");
    await page.getByTestId("limits-save").click();
    assert.match(await page.getByTestId("fault-sessionTurns").innerText(), /Must be a number/);
    assert.equal(await page.getByTestId("limit-sessionTurns").inputValue(), "many");
    assert.equal(await page.getByTestId("limit-sessionTurns").evaluate((e) => e === document.activeElement), true, "the field at fault has the focus");
    await page.getByTestId("limit-sessionTurns").fill("2");
    await page.getByTestId("limits-save").click();
    await page.getByTestId("notice").waitFor();
    assert.equal(await page.getByTestId("limit-sessionTurns").inputValue(), "2");

    const begun = await page.request.post(`${server.url}/api/v1/sessions`, { data: { contextType: "idea_discovery" } });
    const { id } = await begun.json();
    for (const message of ["", "A lending library for tools", "Expensive tools stand in cellars"]) {
      await page.request.post(`${server.url}/api/discovery-chat`, { data: { sessionId: id, contextType: "idea_discovery", message } });
    }
    await page.goto(`${server.url}/s/${id}`);
    await page.getByText(/agreed length/).first().waitFor();
    await page.goto(`${server.url}/admin/settings`);
    await page.getByTestId("limit-sessionTurns").fill("");
    await page.getByTestId("limits-save").click();
    await page.getByTestId("notice").waitFor();
    await leave(page, [/status of 422/]);
  });

  it("sees what days would delete while they are typed, and before they are saved", async () => {
    const page = await open("/admin/settings");
    await page.getByTestId("limit-keptIdleDays").fill("90");
    await page.getByTestId("forecast").getByText("would delete nothing now").waitFor();
    assert.equal(await page.getByTestId("limit-keptIdleDays").evaluate((e) => e === document.activeElement), true);
    await page.getByTestId("limits-preview").click();
    await page.getByTestId("limits-reset").waitFor();
    assert.equal(await page.getByTestId("limit-keptIdleDays").inputValue(), "90");
    await page.getByTestId("limits-reset").click();
    assert.equal(await page.getByTestId("limit-keptIdleDays").inputValue(), "");
    await leave(page);
  });

  it("makes a token, rotates it and revokes it", async () => {
    const page = await open("/admin/settings/people");
    await page.getByTestId("token-user").fill("robin");
    await page.getByTestId("token-days").fill("lots");
    await page.getByTestId("token-make").click();
    assert.match(await page.getByTestId("fault-days").innerText(), /0 to 3650/);
    assert.equal(await page.getByTestId("token-user").inputValue(), "robin");
    await page.getByTestId("token-days").fill("7");
    await page.getByTestId("token-make").click();
    const first = await page.getByTestId("token-secret").inputValue();
    assert.match(first, /^qst_/);
    const asRobin = (token) => page.request.get(`${server.url}/api/v1/sessions`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal((await asRobin(first)).status(), 200);
    await page.getByTestId("token-back").click();
    await page.getByTestId("token-soon").waitFor();
    await page.getByTestId("token-used").waitFor();
    assert.equal(await page.getByText(first).count(), 0);
    await page.getByRole("button", { name: /^Rotate/ }).click();
    const second = await page.getByTestId("token-secret").inputValue();
    assert.notEqual(second, first);
    assert.equal((await asRobin(first)).status(), 401);
    assert.equal((await asRobin(second)).status(), 200);
    await page.getByTestId("token-back").click();
    await page.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByTestId("notice").waitFor();
    assert.equal((await asRobin(second)).status(), 401);
    await leave(page, [/status of 422/]);
  });

  it("tests a connection, and reads what mends it", async () => {
    const page = await open("/admin/settings/connections");
    await page.getByTestId("try-speech").click();
    const result = page.getByTestId("result-speech");
    await result.waitFor();
    assert.match(await result.innerText(), /It works\. It said .* It heard “good morning”/);
    speech.told.status = 401;
    await page.getByTestId("try-speech").click();
    await page.getByTestId("remedy-speech").waitFor();
    assert.match(await page.getByTestId("remedy-speech").innerText(), /QUAESTOR_SPEECH_KEY/);
    speech.told.status = 200;
    await page.reload();
    assert.match(await result.innerText(), /refuses the key/, "the result is kept");
    await leave(page);
  });

  it("adds a language model, reads what mends it, and what it can do", async () => {
    const page = await open("/admin/settings/models/new");
    llm.told.status = 401;
    await page.getByTestId("model-name").fill("small");
    await page.getByTestId("model-baseUrl").fill("somewhere");
    await page.getByTestId("model-save").click();
    assert.match(await page.getByTestId("fault-baseUrl").innerText(), /Must be an address/);
    assert.equal(await page.getByTestId("model-baseUrl").evaluate((e) => e === document.activeElement), true, "the field at fault has the focus");
    await clean(page, "a model that is refused");
    await page.getByTestId("model-baseUrl").fill(llm.url);
    await page.getByTestId("model-key").fill("sesame");
    await page.getByTestId("model-role").selectOption("reading");
    await page.getByTestId("model-save").click();
    await page.getByTestId("model-remedy").waitFor();
    assert.match(await page.getByTestId("model-result").innerText(), /refuses the key/);
    await clean(page, "a model that does not work");
    llm.told.status = 200;
    await page.getByTestId("model-test").click();
    await page.getByTestId("model-able").waitFor();
    assert.match(await page.getByTestId("model-able").innerText(), /takes a JSON schema/);
    assert.match(await page.getByTestId("models-reading").innerText(), /^small;/);
    assert.ok(!(await page.content()).includes("sesame"), "the key is never shown");
    await clean(page, "a model that works");
    await page.getByTestId("model-remove").click();
    await page.getByTestId("model-sure").check();
    await page.getByTestId("model-delete").click();
    await page.getByTestId("no-models").waitFor();
    await leave(page, [/status of 422/]);
  });

  it("pauses a queue and lets it go on", async () => {
    const page = await open("/admin/jobs");
    const queue = page.getByTestId("queue-default");
    await page.getByTestId("pause-default").click();
    await queue.getByText("Paused").waitFor();
    await page.getByTestId("resume-default").click();
    await page.getByTestId("pause-default").waitFor();
    await leave(page);
  });

  for (const width of [320, 768, 1440]) {
    it(`has pages that fit ${width} pixels, in which axe finds nothing`, async () => {
      const page = await open("/", { viewport: { width, height: 800 } });
      for (const path of pages) {
        await page.goto(server.url + path);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${path} is ${wide} pixels wide`);
        await clean(page, path);
      }
      await leave(page);
    });
  }
});
