// What a person does on the pages, and what they see.

import assert from "node:assert/strict";

/** The shared server, started by run.sh. */
export const home = process.env.QUAESTOR_URL;

/** begin starts an interview from the first page by clicking, and waits for the opening question. */
export async function begin(page, contextType = "idea_discovery", base = home) {
  await page.goto(base);
  await page.getByTestId(`start-${contextType}`).click();
  await page.waitForURL(/\/s\//);
  await settled(page, 1);
}

/**
 * settled waits until the page shows so many whole replies, nothing runs, and the
 * page's script is at work: it takes the box's "required" away.
 */
export async function settled(page, replies) {
  await page.waitForFunction(
    (wanted) => {
      const all = [...document.querySelectorAll(".from-assistant")];
      const open = all.some((m) => m.dataset.state === "thinking" || m.dataset.state === "writing");
      const awake = !document.querySelector("#say")?.required;
      return awake && all.length >= wanted && !open && !document.querySelector("#dock.busy") && !document.querySelector('[data-state="sending"], [aria-busy="true"]');
    },
    replies,
  );
}

/** replies counts the interviewer's messages on the page. */
export function replies(page) {
  return page.getByTestId("message-assistant").count();
}

/** say types a message, clicks Send and waits for the reply. */
export async function say(page, text) {
  const before = await replies(page);
  await page.getByTestId("composer").fill(text);
  await page.getByTestId("send").click();
  await settled(page, before + 1);
}

/** press clicks something that sends a message, and waits for the reply. */
export async function press(page, testId) {
  const before = await replies(page);
  await page.getByTestId(testId).first().click();
  await settled(page, before + 1);
}

/** lastReply returns the words of the newest reply. */
export async function lastReply(page) {
  return (await page.getByTestId("message-assistant").last().locator('[data-slot="body"]').innerText()).trim();
}

/** lastSaid returns the words of the person's newest message. */
export async function lastSaid(page) {
  return (await page.getByTestId("message-user").last().locator('[data-slot="body"]').innerText()).trim();
}

/** card tells what the question card asks: null, or {purpose, title, fields: [{kind, testId, title, prompt, options}]}; a field's title is its name in the panel. */
export function card(page) {
  return page.evaluate(() => {
    const section = document.getElementById("question");
    if (!section || section.closest("#now").hidden) return null;
    const kindOf = (field) => {
      const input = field.querySelector("input");
      return { radio: "choice", checkbox: "multiselect" }[input.type] ?? input.type;
    };
    const fields = [...section.querySelectorAll("[data-testid^='field-']")].map((field) => ({
      kind: kindOf(field),
      testId: field.dataset.testid,
      title: document.querySelector(`#ob-${field.dataset.key} [data-slot="name"]`)?.textContent ?? "",
      prompt: field.querySelector("[data-slot='prompt']")?.textContent ?? "",
      options: [...field.querySelectorAll("[data-slot='label']")].map((o) => o.textContent),
    }));
    return { purpose: section.dataset.purpose, title: section.querySelector("#question-title").textContent, fields };
  });
}

/** row is the panel's row of an obligation. */
export function row(page, key) {
  return page.getByTestId(`obligation-${key}`);
}

/** show unfolds the part of the panel that an obligation is in; the drawer of a small screen must be open. Returns the row. */
export async function show(page, key) {
  const part = page.getByTestId("part").filter({ has: row(page, key) });
  if (!(await part.locator("> details").evaluate((d) => d.open))) await part.locator("> details > summary").click();
  return row(page, key);
}

/** known returns what the panel's row of an obligation says. */
export async function known(page, key) {
  return (await show(page, key)).innerText();
}

/** unfold opens an obligation's row, to see why its value is what it is. */
export async function unfold(page, key) {
  const one = await show(page, key);
  if (!(await one.locator("details").evaluate((d) => d.open))) await one.locator("summary").click();
  return one;
}

/** asksFor fails unless the page asks for what is called title. */
export async function asksFor(page, title) {
  const asked = await card(page);
  assert.equal(asked?.title, title, `the page asks for ${title}`);
}
