import assert from "node:assert/strict";
import { test } from "node:test";
import { BrowserVoice, mayTalk } from "./voicebrowser.js";

/** world is a browser that hears and speaks as a test says. */
function world() {
  const heard = [];
  const spoken = [];
  class SpeechRecognition {
    constructor() {
      heard.push(this);
    }
    start() {
      this.running = true;
    }
    abort() {
      this.running = false;
      this.onend();
    }
  }
  class SpeechSynthesisUtterance {
    constructor(text) {
      this.text = text;
    }
  }
  return { heard, spoken, SpeechRecognition, SpeechSynthesisUtterance, speechSynthesis: { getVoices: () => [], speak: (u) => spoken.push(u), cancel: () => spoken.at(-1)?.onend() } };
}

/** final is what a browser tells of words. */
const final = (text) => ({ results: [Object.assign([{ transcript: text }], { isFinal: true })] });

function talking(speech = { language: "de" }) {
  const outside = world();
  const said = [];
  const states = [];
  const failed = [];
  const lacks = [];
  const voice = new BrowserVoice(speech, { voiceless: () => lacks.push(true), said: (t) => said.push(t), state: (s) => states.push(s), failed: (f) => failed.push(f) }, outside);
  return { outside, voice, said, states, failed, lacks };
}

test("a browser without either half has no voice", () => {
  assert.equal(mayTalk({}), false);
  assert.equal(mayTalk({ speechSynthesis: {} }), false);
  assert.equal(mayTalk({ webkitSpeechRecognition: class {}, speechSynthesis: {} }), true);
});

test("it speaks as the interview is to sound", () => {
  const { outside, voice } = talking({ language: "en-GB", speed: 0.8, voice: "Daniel" });
  outside.speechSynthesis.getVoices = () => [{ name: "Fred", lang: "en-US" }, { name: "Daniel", lang: "en_GB" }];
  voice.read("Hello.");
  assert.equal(outside.spoken[0].lang, "en-GB");
  assert.equal(outside.spoken[0].rate, 0.8);
  assert.equal(outside.spoken[0].voice.name, "Daniel");
  assert.equal(outside.heard[0].lang, "en-GB");
});

test("what is heard is said once, and the reply is read before it listens again", () => {
  const { outside, voice, said, states } = talking();
  outside.heard[0].onresult(final(" Wir backen Brot "));
  assert.deepEqual(said, ["Wir backen Brot"]);
  assert.equal(outside.heard.length, 1);
  voice.read("**Gut.** Und wie viele?");
  assert.equal(outside.spoken[0].text, "Gut. Und wie viele?");
  assert.equal(outside.spoken[0].lang, "de");
  assert.equal(outside.heard.length, 1);
  outside.spoken[0].onend();
  assert.equal(outside.heard.length, 2);
  assert.ok(outside.heard[1].running);
  assert.deepEqual(states, ["listening", "thinking", "speaking", "listening"]);
});

test("silence is waited through", () => {
  const { outside, failed } = talking();
  outside.heard[0].onerror({ error: "no-speech" });
  outside.heard[0].onend();
  assert.equal(outside.heard.length, 2);
  assert.deepEqual(failed, []);
});

test("a browser that may not hear says so and stops", () => {
  const { outside, failed } = talking();
  outside.heard[0].onerror({ error: "not-allowed" });
  assert.deepEqual(failed, ["not-allowed"]);
  assert.equal(outside.heard.length, 1);
  assert.equal(outside.heard[0].running, false);
});

test("a browser without a voice in the language says so once, and listens on", () => {
  const { outside, voice, said, lacks } = talking();
  outside.speechSynthesis.getVoices = () => [{ name: "Fred", lang: "en-US" }];
  voice.read("Guten Tag.");
  voice.read("Was backen Sie?");
  assert.deepEqual([outside.spoken, lacks], [[], [true]]);
  outside.heard.at(-1).onresult(final("Brot"));
  assert.deepEqual(said, ["Brot"]);
});
