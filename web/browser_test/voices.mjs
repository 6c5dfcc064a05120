// What is said into Chromium's microphone, an API of speech that does what a test wants, and a
// network between browser and server that can be cut.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect, createServer as listen } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { openBrowser } from "./browser.mjs";

const run = promisify(execFile);

/** recording makes a WAV file in folder in which each text begins at its second, and silence follows. noise is how many decibels the voice is above noise; none without. */
export async function recording(folder, name, texts, noise) {
  const file = (part) => path.join(folder, `${name}-${part}.wav`);
  const parts = [];
  for (const [i, [at, text]] of texts.entries()) {
    await run("flite", ["-voice", "slt", "-t", text, "-o", file(i)]);
    await run("sox", [file(i), "-r", "48000", "-c", "1", "-b", "16", file(`${i}-at`), "pad", String(at), "1"]);
    parts.push(file(`${i}-at`));
  }
  const whole = file("whole");
  const mixed = parts.length > 1 ? ["-m", ...parts.flatMap((part) => ["-v", "1", part])] : parts;
  if (parts.length > 0) await run("sox", [...mixed, whole, "pad", "0", "90"]);
  else await run("sox", ["-n", "-r", "48000", "-c", "1", "-b", "16", whole, "trim", "0", "90"]);
  return noise === undefined ? whole : noisy(whole, file("0"), noise);
}

/** noisy adds pink noise that is so many decibels below the voice of another file. */
async function noisy(whole, voice, decibels) {
  const level = async (file) => Number(/RMS\s+amplitude:\s+([\d.]+)/.exec((await run("sox", [file, "-n", "stat"])).stderr)[1]);
  const noise = whole.replace(".wav", "-noise.wav");
  const out = whole.replace(".wav", "-noisy.wav");
  await run("sox", ["-R", "-n", "-r", "48000", "-c", "1", "-b", "16", noise, "synth", "90", "pinknoise"]);
  const gain = ((await level(voice)) / (await level(noise))) * 10 ** (-decibels / 20);
  await run("sox", ["-m", "-v", "1", whole, "-v", gain.toFixed(5), noise, out]);
  return out;
}

/** hearing opens a browser whose microphone plays a file once. */
export function hearing(file) {
  return openBrowser(
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-audio-capture=${file}%noloop`,
    "--autoplay-policy=no-user-gesture-required",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
  );
}

/** Talker says texts into the microphone of a page when a test wants it to. */
export class Talker {
  #page;
  #folder;
  #said = 0;

  /** Takes the place of the microphone in the pages that page opens from now on. */
  static async at(page, folder) {
    await page.addInitScript(() => {
      const context = new AudioContext();
      const microphone = context.createMediaStreamDestination();
      navigator.mediaDevices.getUserMedia = async () => microphone.stream;
      window.sayAloud = async (wav) => {
        const bytes = Uint8Array.from(atob(wav), (c) => c.charCodeAt(0));
        const sound = context.createBufferSource();
        sound.buffer = await context.decodeAudioData(bytes.buffer);
        sound.connect(microphone);
        sound.start();
        await new Promise((ended) => sound.addEventListener("ended", ended));
      };
    });
    return new Talker(page, folder);
  }

  constructor(page, folder) {
    [this.#page, this.#folder] = [page, folder];
  }

  /** Says a text, and returns when it is said. */
  async say(text) {
    const file = path.join(this.#folder, `talker-${this.#said++}.wav`);
    await run("flite", ["-voice", "slt", "-t", text, "-o", file]);
    await this.#page.evaluate((sound) => window.sayAloud(sound), await readFile(file, "base64"));
  }
}

const rate = 24_000;

/** Returns a WAV file of silence. */
export function wav(samples) {
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

/** SpeechAPI is an OpenAI-compatible API of speech that hears what a test says it hears. */
export class SpeechAPI {
  /** What is heard in any sound. */
  text = "";
  /** Seconds that a word takes. */
  word = 0.1;
  /** Whether each half fails. */
  broken = { speaking: false, hearing: false };
  /** Bytes of the recordings that were heard, in order. */
  heard = [];
  #server;

  static async start() {
    const api = new SpeechAPI();
    api.#server = createServer((request, response) => api.#answer(request, response));
    api.#server.listen(0, "127.0.0.1");
    await once(api.#server, "listening");
    return api;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  async #answer(request, response) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const speaks = request.url.endsWith("/audio/speech");
    if (this.broken[speaks ? "speaking" : "hearing"]) {
      response.statusCode = 503;
      response.end();
    } else if (speaks) {
      const { input } = JSON.parse(body);
      response.end(wav(Math.round(input.split(/\s+/).length * rate * this.word)));
    } else {
      this.heard.push(body.length);
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ text: this.text }));
    }
  }

  stop() {
    this.#server.close();
  }
}

/** Network carries what a browser and a server send each other, until it is cut. */
export class Network {
  /** Connections that were refused since it was cut. */
  refused = 0;
  #server;
  #open = new Set();
  #down = false;

  static async to(url) {
    const { hostname, port } = new URL(url);
    const network = new Network();
    network.#server = listen((near) => network.#carry(near, () => connect(port, hostname)));
    network.#server.listen(0, "127.0.0.1");
    await once(network.#server, "listening");
    return network;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  #carry(near, reach) {
    if (this.#down) {
      this.refused += 1;
      near.destroy();
      return;
    }
    const far = reach();
    for (const [from, to] of [[near, far], [far, near]]) {
      this.#open.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy()).on("close", () => (to.destroy(), this.#open.delete(from)));
    }
  }

  cut() {
    [this.#down, this.refused] = [true, 0];
    for (const socket of this.#open) socket.destroy();
  }

  mend() {
    this.#down = false;
  }

  stop() {
    this.cut();
    this.#server.close();
  }
}
