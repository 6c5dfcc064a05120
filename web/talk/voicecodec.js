// Opus, where the browser encodes it: an eighth of the bytes of plain samples.

import { rate } from "./voiceaudio.js";

const config = { codec: "opus", sampleRate: rate, numberOfChannels: 1, bitrate: 32_000 };

/** Whether this browser encodes speech as Opus. */
export async function mayEncode(world = globalThis) {
  if (!world.AudioEncoder || !world.AudioData) return false;
  try {
    return (await world.AudioEncoder.isConfigSupported(config)).supported === true;
  } catch {
    return false;
  }
}

/** Encoder makes packets of Opus of samples. hooks: packet(Uint8Array), failed(error). */
export class Encoder {
  #encoder;
  #world;
  #samples = 0;

  constructor(hooks, world = globalThis) {
    this.#world = world;
    this.#encoder = new world.AudioEncoder({
      output: (chunk) => {
        const packet = new Uint8Array(chunk.byteLength);
        chunk.copyTo(packet);
        hooks.packet(packet);
      },
      error: hooks.failed,
    });
    this.#encoder.configure(config);
  }

  /** Takes samples, an Int16Array. */
  add(samples) {
    if (this.#encoder.state !== "configured") return;
    const timestamp = (this.#samples * 1_000_000) / rate;
    const data = new this.#world.AudioData({ format: "s16", sampleRate: rate, numberOfFrames: samples.length, numberOfChannels: 1, timestamp, data: samples });
    this.#samples += samples.length;
    this.#encoder.encode(data);
    data.close();
  }

  close() {
    if (this.#encoder.state !== "closed") this.#encoder.close();
  }
}
