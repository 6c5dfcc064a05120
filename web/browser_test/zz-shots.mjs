import { openBrowser, visit } from "/work/main/web/browser_test/browser.mjs";
const home = process.env.QUAESTOR_URL;
const names = process.argv.slice(2);
const browser = await openBrowser();
const modes = [["d", { viewport: { width: 1440, height: 900 } }], ["k", { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }], ["p", { viewport: { width: 390, height: 844 } }]];
for (const spec of names) {
  const [name, path, only] = spec.split("=");
  for (const [m, o] of modes) {
    if (only && !only.includes(m)) continue;
    const page = await visit(browser, o);
    await page.goto(home + path);
    await page.waitForLoadState("load");
    await page.waitForTimeout(400);
    await page.screenshot({ path: `/tmp/me/${name}-${m}.png`, fullPage: name.endsWith("F") });
    await page.close();
  }
}
await browser.close();
