// A whole interview, answered by reading what the page asks and clicking.

import assert from "node:assert/strict";
import { told } from "./people.mjs";
import { card, lastReply, press, say } from "./talk.mjs";

const longest = 60;

/**
 * walk answers until the page asks nothing more, and returns how often each kind
 * of card was answered: by purpose, and by widget for those that ask.
 */
export async function walk(page, contextType, until = () => false) {
  const seen = new Map();
  for (let turn = 0; turn < longest; turn++) {
    const asked = await card(page);
    if (!asked || until(asked)) return seen;
    for (const kind of kinds(asked)) seen.set(kind, (seen.get(kind) ?? 0) + 1);
    await answer(page, contextType, asked);
  }
  assert.fail(`the interview did not end in ${longest} turns; the last reply: ${await lastReply(page)}`);
}

function kinds({ purpose, fields }) {
  const widgets = fields.map((f) => f.kind);
  if (purpose === "ask") return widgets.length > 0 ? widgets : ["text"];
  return [purpose, ...(purpose === "form" ? widgets : [])];
}

async function answer(page, contextType, { purpose, title, fields }) {
  switch (purpose) {
    case "confirm":
      return press(page, "confirm-yes");
    case "finish":
      return press(page, "finish-yes");
    case "approve":
      return press(page, "approve-yes");
    case "widen":
      return press(page, "widen-enough");
    case "probe":
      return press(page, "probe-enough");
    case "ask":
    case "form":
    case "conflict":
      if (fields.length === 0) return say(page, told(contextType, title));
      for (const field of fields) await fill(page, contextType, field);
      return press(page, "send-answer");
    default:
      assert.fail(`a card for ${purpose}`);
  }
}

async function fill(page, contextType, field) {
  const box = page.getByTestId("question").getByTestId(field.testId);
  switch (field.kind) {
    case "choice":
      return box.locator(".option, .side").first().click();
    case "multiselect":
      for (const option of (await box.locator(".option").all()).slice(0, 2)) await option.click();
      return undefined;
    default:
      return box.locator(`input[type="${field.kind}"]`).fill(told(contextType, field.title));
  }
}
