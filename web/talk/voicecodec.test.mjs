import assert from "node:assert/strict";
import { test } from "node:test";
import { Encoder, mayEncode } from "./voicecodec.js";

/** world is a browser whose encoder answers each 20 ms with a packet of their number. */
function world() {
  const made = [];
  class AudioData {
    constructor(init) {
      Object.assign(this, init);
    }
    close() {
      this.closed = true;
    }
  }
  class AudioEncoder {
    static isConfigSupported = async (config) => ({ supported: config.codec === "opus" && config.numberOfChannels === 1 });
    state = "unconfigured";
    constructor({ output }) {
      this.output = output;
    }
    configure() {
      this.state = "configured";
    }
    encode(data) {
      made.push(data);
      this.output({ byteLength: 1, copyTo: (to) => (to[0] = made.length) });
    }
    close() {
      this.state = "closed";
    }
  }
  return { made, AudioData, AudioEncoder };
}

test("a browser encodes Opus where it says so", async () => {
  assert.equal(await mayEncode({}), false);
  assert.equal(await mayEncode(world()), true);
  const refusing = { ...world(), AudioEncoder: { isConfigSupported: () => Promise.reject(new TypeError("no codec")) } };
  assert.equal(await mayEncode(refusing), false);
});

test("samples become packets in their order, until it is closed", () => {
  const outside = world();
  const packets = [];
  const encoder = new Encoder({ packet: (p) => packets.push(...p), failed() {} }, outside);
  encoder.add(new Int16Array(320));
  encoder.add(new Int16Array(320));
  encoder.close();
  encoder.add(new Int16Array(320));
  encoder.close();
  assert.deepEqual(packets, [1, 2]);
  assert.deepEqual(outside.made.map(({ timestamp, closed }) => [timestamp, closed]), [[0, true], [20_000, true]]);
});
