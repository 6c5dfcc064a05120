// Sound in and out of the page, on the thread of sound. Served as it is: a worklet cannot
// import. The rate of calls is 16 kHz; where the sound card has another, sound is
// averaged down and drawn up here.

const rate = 16000;
const block = 320; // samples of a message: 20 ms

/** The microphone: posts {samples, level} every 20 ms, samples as Int16 at 16 kHz. */
class Capture extends AudioWorkletProcessor {
  #step = sampleRate / rate;
  #next = 0;
  #sum = 0;
  #count = 0;
  #out = new Int16Array(block);
  #at = 0;
  #power = 0;

  process([input]) {
    const channel = input[0];
    if (!channel) return true;
    for (const sample of channel) {
      this.#sum += sample;
      this.#count += 1;
      this.#next += 1;
      if (this.#next < this.#step) continue;
      this.#next -= this.#step;
      this.#put(this.#sum / this.#count);
      [this.#sum, this.#count] = [0, 0];
    }
    return true;
  }

  #put(value) {
    this.#power += value * value;
    this.#out[this.#at++] = Math.max(-32768, Math.min(32767, Math.round(value * 32767)));
    if (this.#at < block) return;
    const samples = this.#out;
    this.port.postMessage({ samples, level: Math.sqrt(this.#power / block) }, [samples.buffer]);
    [this.#out, this.#at, this.#power] = [new Int16Array(block), 0, 0];
  }
}

/**
 * The loudspeaker: plays {turn, at, samples} one after the other, where at is the place in
 * the reply, in samples. {stop: true} drops what was not played; {report: true} asks how
 * far it is. Answers {turn, played} to both, and posts {level, turn, played} every 20 ms.
 */
class Playback extends AudioWorkletProcessor {
  #queue = [];
  #place = 0; // in the first of the queue, in samples of a call
  #turn = 0;
  #played = 0;
  #power = 0;
  #since = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }) => {
      if (data.samples) return this.#queue.push(data);
      if (data.stop) [this.#queue, this.#place] = [[], 0];
      this.port.postMessage({ turn: this.#turn, played: this.#played });
    };
  }

  process(_, [output]) {
    const channel = output[0];
    for (let i = 0; i < channel.length; i++) channel[i] = this.#sample();
    for (const sample of channel) this.#power += sample * sample;
    this.#since += channel.length;
    if (this.#since >= sampleRate / 50) {
      this.port.postMessage({ level: Math.sqrt(this.#power / this.#since), turn: this.#turn, played: this.#played });
      [this.#power, this.#since] = [0, 0];
    }
    return true;
  }

  #sample() {
    const first = this.#queue[0];
    if (!first) return 0;
    const from = Math.floor(this.#place);
    const here = first.samples[from];
    const next = first.samples[from + 1] ?? this.#queue[1]?.samples[0] ?? here;
    const value = (here + (next - here) * (this.#place - from)) / 32768;
    this.#place += rate / sampleRate;
    this.#turn = first.turn;
    this.#played = first.at + Math.min(this.#place, first.samples.length);
    if (this.#place >= first.samples.length) {
      this.#place -= first.samples.length;
      this.#queue.shift();
    }
    return value;
  }
}

registerProcessor("capture", Capture);
registerProcessor("playback", Playback);
