// The address /mcp, used by the inspector of the Model Context Protocol on its command
// line: a client that is not ours, over a server that demands tokens.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { Server } from "./server.mjs";

const inspector = fileURLToPath(new URL("node_modules/@modelcontextprotocol/inspector-cli/build/cli.js", import.meta.url));

let server, token;
before(async () => {
  server = await Server.start("--auth", "tokens");
  token = await server.token("anna", "member");
});
after(() => server?.stop());

/** Calls a method of the protocol and returns its result; tool arguments are NAME=VALUE. */
async function inspect(bearer, method, tool, args = {}) {
  const line = ["--cli", `${server.url}/mcp`, "--transport", "http", "--method", method];
  if (bearer) line.push("--header", `Authorization: Bearer ${bearer}`);
  if (tool) line.push("--tool-name", tool);
  for (const [name, value] of Object.entries(args)) line.push("--tool-arg", `${name}=${value}`);
  const { stdout } = await promisify(execFile)(process.execPath, [inspector, ...line], { timeout: 60_000 });
  return JSON.parse(stdout);
}

test("the tools are listed with the schemas of what they take and return", async () => {
  const { tools } = await inspect(token, "tools/list");
  for (const name of ["list_objectives", "start_interview", "continue_interview", "read_brief", "search_tables", "start_run", "list_findings"]) {
    const tool = tools.find((t) => t.name === name);
    assert.ok(tool, `${name} is not listed`);
    assert.equal(tool.inputSchema.type, "object");
    assert.equal(tool.outputSchema.type, "object");
  }
});

test("an interview is begun, continued and read", async () => {
  const begun = await inspect(token, "tools/call", "start_interview", { objective: "business_profile", language: "en" });
  assert.ok(!begun.isError, begun.content[0].text);
  const { sessionId, reply, question } = begun.structuredContent;
  assert.ok(reply && question.prompt);

  const told = await inspect(token, "tools/call", "continue_interview", { sessionId, message: "We are Sun Bakery, a bakery in Cologne." });
  assert.equal(told.structuredContent.turn, 2);
  assert.ok(told.structuredContent.known.length > 0, "nothing is known");

  const brief = await inspect(token, "tools/call", "read_brief", { sessionId });
  assert.match(brief.content[0].text, /^# /);
});

test("what the role does not allow is the error of a tool", async () => {
  const refused = await inspect(token, "tools/call", "list_warehouses");
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /\[role_too_low\]/);
});

test("without a token that works there is no connection", async () => {
  for (const bearer of ["", "qst_unknown"]) {
    await assert.rejects(inspect(bearer, "tools/list"), (e) => e.code !== 0 && /401|token/i.test(e.stderr + e.stdout));
  }
});
