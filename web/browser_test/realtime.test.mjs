// The client of OpenAI Realtime, as npm has it, in conversation with the program.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import OpenAI from "openai";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { Server } from "./server.mjs";
import { SpeechAPI } from "./voices.mjs";

const answer = "We lend tools in blocks of flats";
const rate = 24_000;

describe("the client of OpenAI Realtime", () => {
  let api, server, token;
  before(async () => {
    api = await SpeechAPI.start();
    api.text = answer;
    process.env.QUAESTOR_SPEECH_URL = api.url;
    server = await Server.start();
    delete process.env.QUAESTOR_SPEECH_URL;
    token = await server.token("anna", "member");
  });
  after(async () => {
    await server?.stop();
    api?.stop();
  });

  /** Opens a conversation about an objective. The client speaks TLS, which a proxy would take off; here it is left out. */
  async function open(apiKey) {
    const { hostname, port, host } = new URL(server.url);
    const client = new OpenAI({ apiKey, baseURL: `https://${host}/v1` });
    const realtime = new OpenAIRealtimeWS({ model: "business_profile", options: { createConnection: () => connect(port, hostname) } }, client);
    const events = [];
    realtime.on("event", (event) => events.push(event));
    return { realtime, events };
  }

  /** Resolves with the next event of a type. */
  const next = (realtime, type) =>
    new Promise((resolve, reject) => {
      realtime.once(type, resolve);
      if (type !== "error") realtime.once("error", reject);
    });

  it("hears the interviewer, answers, and reads what was heard", async () => {
    const { realtime, events } = await open(token);
    await next(realtime, "session.created");
    const updated = next(realtime, "session.updated");
    realtime.send({ type: "session.update", session: { type: "realtime", audio: { input: { turn_detection: null } } } });
    assert.equal((await updated).session.audio.output.format.rate, rate);

    const done = await next(realtime, "response.done");
    assert.equal(done.response.status, "completed");
    const kinds = [...new Set(events.map((event) => event.type))].filter((kind) => kind.startsWith("response."));
    assert.deepEqual(kinds, [
      "response.created",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_audio_transcript.delta",
      "response.output_audio.delta",
      "response.output_audio.done",
      "response.output_audio_transcript.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.done",
    ]);
    const said = events.filter((event) => event.type === "response.output_audio_transcript.delta").map((event) => event.delta).join("");
    assert.equal(said, done.response.output[0].content[0].transcript);

    const heard = next(realtime, "conversation.item.input_audio_transcription.completed");
    const replied = next(realtime, "response.done");
    for (let sent = 0; sent < 10; sent++) realtime.send({ type: "input_audio_buffer.append", audio: Buffer.alloc(rate / 5, sent).toString("base64") });
    realtime.send({ type: "input_audio_buffer.commit" });
    assert.equal((await heard).transcript, answer);
    assert.equal((await replied).response.status, "completed");
    const closed = once(realtime.socket, "close");
    realtime.close();
    assert.equal((await closed)[0], 1000);
  });

  it("is told what is wrong, and turned away without a key", async () => {
    const { realtime } = await open(token);
    await next(realtime, "session.created");
    const wrong = next(realtime, "error");
    realtime.send({ type: "conversation.item.delete", item_id: "item_1" });
    assert.equal((await wrong).error.code, "unknown_event");
    realtime.close();

    const { realtime: stranger } = await open("qst_nobody");
    assert.match((await next(stranger, "error")).message, /401/);
  });
});
