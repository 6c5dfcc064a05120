// Makes the pictures of the README and docs from a real conversation, on a server
// with a fresh database that `make screenshots` starts and stops.

import { fileURLToPath } from "node:url";
import { openBrowser, visit } from "./browser.mjs";
import { begin, home, say } from "./talk.mjs";

const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url));
// What is answered to what is asked, whatever its order; the second answer is that to a probe.
const told = {
  business_overview: ["We repair bicycles and sell reconditioned ones from a workshop near the station, with 6 people"],
  primary_goal: ["Win twenty local firms whose staff bikes we look after", "A van would bring in their bikes on Mondays, and I would not wait for walk-ins"],
  main_challenge: ["We cannot find trained mechanics", "Last Friday two firms took their bikes away because nobody could mend them"],
  success_measure: ["Twenty firms have signed, and their bikes come to us every week"],
  target_market: ["People within five miles who cycle to work", "A hospital nurse who tells everybody about us"],
  customer_problem: ["Their bike broke down and they need it back the same day"],
  differentiator: ["We mend it while they wait"],
};
const turns = 8;

const browser = await openBrowser();
const page = await visit(browser, { viewport: { width: 1440, height: 900 } });
await begin(page, "business_profile");
const asked = new Map();
for (let turn = 0; turn < turns; turn++) {
  const key = await page.getByTestId("question").getAttribute("data-key");
  const nth = asked.get(key) ?? 0;
  asked.set(key, nth + 1);
  const words = told[key]?.[nth];
  if (!words) break;
  await say(page, words);
}
const address = page.url();
for (const [name, url, options] of [
  ["chat", address, { viewport: { width: 1440, height: 900 } }],
  ["chat-dark", address, { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }],
  ["chat-phone", address, { viewport: { width: 390, height: 844 } }],
  ["home", home, { viewport: { width: 1440, height: 900 } }],
  ["brief", `${address}/brief`, { viewport: { width: 1440, height: 900 } }],
  ["review", address.replace("/s/", "/review/"), { viewport: { width: 1440, height: 900 } }],
]) {
  const view = await visit(browser, options);
  await view.goto(url);
  await view.waitForLoadState("load");
  await view.screenshot({ path: `${folder}${name}.png` });
}

// The editor of an objective: its draft, and what waits for what.
await page.goto(`${home}/objectives/business_profile`);
await page.getByRole("button", { name: /edit/i }).first().click();
await page.waitForURL(/\/drafts\//);
await page.goto(`${page.url()}/graph`);
await page.screenshot({ path: `${folder}objective.png` });

// The sample data, explored.
await page.goto(`${home}/data`);
await page.getByTestId("sample").click();
await page.locator("#run-now[data-status=completed]").waitFor({ timeout: 90_000 });
await page.evaluate(() => scrollTo(0, 0));
await page.screenshot({ path: `${folder}run.png` });
await browser.close();
