// The sample data on a server that came without it: the page says what is missing,
// and fetches it where that is possible.

import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { clean } from "./axe.mjs";
import { openBrowser, visit } from "./browser.mjs";
import { without } from "./left_out.mjs";
import { Server } from "./server.mjs";

describe("sample data that is not there", { skip: without("sample", "duckdb") }, () => {
  const real = process.env.QUAESTOR_RUNTIME_DIR;
  const inherited = process.env.PATH;
  let browser, server, folder;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quaestor-sample-"));
    await chmod(folder, 0o755); // the database has a user of its own
    // Everything that the server finds in its runtime folder, but the sample data.
    for (const name of await readdir(real)) {
      if (!name.startsWith(".") && name !== "sample") await symlink(path.join(real, name), path.join(folder, name));
    }
    process.env.QUAESTOR_RUNTIME_DIR = folder;
    process.env.PATH = `${path.join(folder, "bin")}:${inherited}`;
    await symlink(await mkdtemp(path.join(tmpdir(), "quaestor-bin-")), path.join(folder, "bin"));
    browser = await openBrowser();
    server = await Server.start();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Puts a program npm before all others in the server's path. */
  async function npm(script) {
    const program = path.join(folder, "bin", "npm");
    await writeFile(program, `#!/bin/sh\nset -e\n${script}\n`);
    await chmod(program, 0o755);
  }

  it("is offered, its absence explained, and it comes without the page being loaded again", async () => {
    const page = await visit(browser);
    await page.goto(`${server.url}/data`);
    assert.match(await page.getByTestId("sample-missing").innerText(), /isn’t on this server yet/);
    assert.equal(await page.getByTestId("sample").count(), 0, "nothing to explore yet");
    await clean(page, "no sample data");

    await npm("echo no network >&2; exit 1");
    await page.getByTestId("fetch-sample").click();
    await page.getByText("couldn’t be fetched: the npm registry does not answer").waitFor();
    await clean(page, "sample data that could not be fetched");

    await npm(`mkdir -p package/data && cp ${real}/sample/*.csv ${real}/sample/*.parquet package/data/ && tar -czf it.tgz package && rm -r package`);
    await page.getByTestId("fetch-sample").click();
    await page.getByTestId("sample").waitFor();
    await page.getByTestId("sample").click();
    await page.getByTestId("run").waitFor();
  });
});
