// The microphone and the loudspeaker of the page.

export const rate = 16000; // samples a second, of calls

/** Whether this browser gives this page a microphone. */
export function mayHear(world = globalThis) {
  return Boolean(world.navigator?.mediaDevices?.getUserMedia && world.AudioContext && world.AudioWorkletNode);
}

/**
 * Sound is a microphone and a loudspeaker, or the loudspeaker alone. hooks: heard(Int16Array)
 * for each 20 ms, level("yours" | "theirs", 0 to 1), lost() when the microphone is gone.
 */
export class Sound {
  #context;
  #stream;
  #capture;
  #playback;
  #reports = [];
  #place = { turn: 0, ms: 0 };

  /** How much of which reply was played: {turn, ms}. */
  get place() {
    return this.#place;
  }

  /** Asks for the microphone and opens both; rejects with what the browser says. */
  static async open(worklet, devices, hooks) {
    const sound = new Sound();
    try {
      await sound.#open(worklet, devices, hooks);
      return sound;
    } catch (err) {
      sound.close();
      throw err;
    }
  }

  async #open(worklet, { microphone, silent }, hooks) {
    const source = silent ? null : await this.#listen(microphone);
    this.#context ??= new AudioContext({ sampleRate: rate });
    await this.#context.resume();
    await this.#context.audioWorklet.addModule(worklet);
    this.#playback = new AudioWorkletNode(this.#context, "playback", { numberOfInputs: 0, outputChannelCount: [1] });
    this.#playback.port.onmessage = ({ data }) => {
      if ("level" in data) {
        this.#place = { turn: data.turn, ms: (data.played / rate) * 1000 };
        hooks.level("theirs", data.level);
      } else this.#reports.shift()?.(data);
    };
    this.#playback.connect(this.#context.destination);
    if (!source) return;
    this.#capture = new AudioWorkletNode(this.#context, "capture", { numberOfOutputs: 0 });
    this.#capture.port.onmessage = ({ data }) => {
      hooks.level("yours", data.level);
      hooks.heard(data.samples);
    };
    source.connect(this.#capture);
    for (const track of this.#stream.getTracks()) track.onended = () => hooks.lost();
  }

  /** Asks for the microphone, and returns it as a source of sound. */
  async #listen(microphone) {
    const wanted = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };
    if (microphone) wanted.deviceId = { exact: microphone };
    this.#stream = await navigator.mediaDevices.getUserMedia({ audio: wanted });
    this.#context = new AudioContext({ sampleRate: rate });
    try {
      return this.#context.createMediaStreamSource(this.#stream);
    } catch {
      // Firefox wants the rate of the microphone; the worklet then changes the rate.
      this.#context.close();
      this.#context = new AudioContext();
      return this.#context.createMediaStreamSource(this.#stream);
    }
  }

  /** Plays on a loudspeaker by its id, "" for the usual one; false when it cannot be used. */
  async playOn(loudspeaker) {
    if (!this.#context.setSinkId) return loudspeaker === "";
    try {
      await this.#context.setSinkId(loudspeaker);
      return true;
    } catch {
      await this.#context.setSinkId("").catch(() => {});
      return false;
    }
  }

  /** Plays samples of a turn, which stand at that sample of its reply. */
  play(turn, at, samples) {
    this.#playback.port.postMessage({ turn, at, samples });
  }

  /** Stops at once; resolves to {turn, ms}: how much of which reply was played. */
  async stop() {
    const { turn, played } = await new Promise((resolve) => {
      this.#reports.push(resolve);
      this.#playback.port.postMessage({ stop: true });
    });
    const late = (this.#context.outputLatency || 0) * 1000; // not in the air yet
    return { turn, ms: Math.max(0, Math.round((played / rate) * 1000 - late)) };
  }

  /** Plays two tones, so that one hears whether one hears. */
  tones() {
    const half = rate / 2;
    const samples = Int16Array.from({ length: rate }, (_, i) => {
      const swell = Math.sin((Math.PI * (i % half)) / half);
      return 6000 * swell * Math.sin((2 * Math.PI * (i < half ? 523 : 659) * i) / rate);
    });
    this.play(0, 0, samples);
  }

  close() {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#context?.close();
  }
}

/** The devices there are: {microphones, loudspeakers}, each with id and name. */
export async function devices() {
  const all = await navigator.mediaDevices.enumerateDevices();
  const of = (kind) => all.filter((d) => d.kind === kind && d.deviceId && d.label).map((d) => ({ id: d.deviceId, name: d.label }));
  return { microphones: of("audioinput"), loudspeakers: "setSinkId" in AudioContext.prototype ? of("audiooutput") : [] };
}
