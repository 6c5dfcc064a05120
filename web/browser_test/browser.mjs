// A browser, and pages in it that keep a list of everything that goes wrong.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const program = process.env.CHROMIUM ?? "/usr/bin/chromium";
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How long anything on a page may take before a test says what never came. */
export const patience = 15_000;

/** openBrowser starts Chromium, with more flags if need be; the caller closes it. */
export function openBrowser(...more) {
  return chromium.launch({ executablePath: program, args: [...flags, ...more], chromiumSandbox: false });
}

/**
 * visit opens an empty page in a profile of its own. options are the profile's:
 * viewport, colorScheme, javaScriptEnabled, hasTouch.
 */
export async function visit(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  return tab(context);
}

/** tab opens one more page in the profile of another. */
export async function tab(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  watch(page);
  return page;
}

const troubles = new WeakMap();

/** Notes errors on the console, broken rules of the page's own security policy among them, and errors of scripts. */
function watch(page) {
  const list = [];
  troubles.set(page, list);
  page.on("console", (message) => {
    if (message.type() === "error" || /content security policy/i.test(message.text())) list.push(message.text());
  });
  page.on("pageerror", (error) => list.push(`script: ${error.message}`));
  page.on("dialog", (dialog) => {
    list.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
}

/**
 * leave closes a page's profile after making sure that nothing went wrong in
 * it, but for the troubles a test brings about itself: patterns in except.
 */
export async function leave(page, except = []) {
  const list = troubles.get(page).filter((text) => !except.some((pattern) => pattern.test(text)));
  await page.context().close();
  assert.deepEqual(list, [], "the page's console is clean");
}
