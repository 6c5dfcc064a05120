// The program under test, started and stopped as its operator would.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const program = process.env.QUAESTOR ?? fileURLToPath(new URL("../../bin/quaestor", import.meta.url));
const startLimit = 90_000;

/** Server is one data folder and the program that serves it, on one address. */
export class Server {
  #args;
  #folder;
  #addr = "127.0.0.1:0";
  #process = null;

  constructor(folder, args) {
    this.#folder = folder;
    this.#args = args;
  }

  /** Starts a server with a fresh database; args are added to the command line. */
  static async start(...args) {
    const server = new Server(await mkdtemp(path.join(tmpdir(), "quaestor-browser-")), args);
    await server.run();
    return server;
  }

  /** Where it answers: http://host:port. */
  get url() {
    return `http://${this.#addr}`;
  }

  /** Runs the program, on the address it had before if there was one. */
  async run() {
    this.#process = spawn(program, ["serve", "--addr", this.#addr, "--data-dir", this.#folder, ...this.#args], { stdio: ["ignore", "pipe", "pipe"] });
    this.#addr = await readyLine(this.#process);
  }

  /** Makes a token for a user of the organisation acme, as whoever runs the server does. */
  async token(user, role) {
    const { stdout } = await promisify(execFile)(program, ["token", "create", "--data-dir", this.#folder, "--tenant", "acme", "--user", user, "--role", role]);
    return stdout.trim();
  }

  /** Takes it down without warning, as a power cut would. */
  async crash() {
    await end(this.#process, "SIGKILL");
  }

  /** Stops it in good order and forgets its data. */
  async stop() {
    await end(this.#process, "SIGTERM");
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function end(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

/** Waits for the line that says where the server answers, and returns host:port. */
function readyLine(child) {
  return new Promise((resolve, reject) => {
    let told = "";
    const late = setTimeout(() => reject(new Error(`quaestor is not ready after ${startLimit / 1000} s:\n${told}`)), startLimit);
    const hear = (text) => {
      told = (told + text).slice(-20_000);
      const found = /is ready: http:\/\/(\S+)/.exec(told);
      if (!found) return;
      clearTimeout(late);
      resolve(found[1]);
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.on("exit", (code) => {
      clearTimeout(late);
      reject(new Error(`quaestor ended with ${code} before it was ready:\n${told}`));
    });
  });
}
