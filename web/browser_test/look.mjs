import { chromium } from "playwright-core";
const [,, ...urls] = process.argv;
const b = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox","--use-fake-device-for-media-stream","--use-fake-ui-for-media-stream"] });
let n = 0;
for (const [scheme, w, h] of [["light",1440,900],["dark",390,844]]) {
  const c = await b.newContext({ colorScheme: scheme, viewport: { width: w, height: h } });
  const p = await c.newPage();
  for (const u of urls) { await p.goto(u); await p.waitForTimeout(1200); await p.screenshot({ path: `/tmp/me/shot-${n++}-${scheme}.png`, fullPage: u.includes("#full") }); console.log(n-1, scheme, u, await p.title()); }
}
await b.close();
