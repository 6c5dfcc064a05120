// Package audio is what a spoken conversation needs of sound, before and after words:
//
//   - [Decode] and [Encode] turn bytes of PCM16 into samples and back, [Resampler] changes
//     their rate, [DecodeMuLaw] and its kin speak G.711 with telephones, [OpusDecoder] hears
//     browsers, [ReadWAV] and [WAV] read and write files, and [Level] tells how loud something
//     is;
//   - [Detector] finds where somebody speaks in a stream, and does not take noise, tones
//     and clicks for speech;
//   - [Endpointer] decides from that when a turn is over, whether a sound interrupts what is
//     being played, and when nobody answers. How long it waits depends on what was asked;
//   - [Played] tells which words were heard of a sentence that was played in part.
//
// Everything is pure: time is the position in the stream, samples are handed over, and
// nothing is read, written or started. Samples are 16-bit, one channel. Nothing here is
// safe for concurrent use unless it says so; a stream has one of each.
package audio
