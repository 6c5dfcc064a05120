// The client of OpenAI Realtime, as npm has it, in conversation with the program.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import OpenAI from "openai";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { Server } from "./server.mjs";

const answer = "We lend tools in blocks of flats";
const rate = 24_000;

/** Returns a WAV file of silence. */
function wav(samples) {
  const head = Buffer.from("RIFF....WAVEfmt ....................data....");
  head.writeUInt32LE(36 + 2 * samples, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(2 * rate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.writeUInt32LE(2 * samples, 40);
  return Buffer.concat([head, Buffer.alloc(2 * samples)]);
}

/** Starts an API of speech that takes a tenth of a second for each word and always hears the same. */
async function speechAPI() {
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    if (request.url.endsWith("/audio/speech")) {
      const { input } = JSON.parse(Buffer.concat(parts));
      response.end(wav((input.split(/\s+/).length * rate) / 10));
      return;
    }
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ text: answer }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

describe("the client of OpenAI Realtime", () => {
  let api, server, token;
  before(async () => {
    api = await speechAPI();
    process.env.QUAESTOR_SPEECH_URL = `http://127.0.0.1:${api.address().port}`;
    server = await Server.start();
    delete process.env.QUAESTOR_SPEECH_URL;
    token = await server.token("anna", "member");
  });
  after(async () => {
    await server?.stop();
    api?.close();
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
