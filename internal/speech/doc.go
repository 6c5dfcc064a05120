// Package speech says texts aloud and hears what was said: through an
// OpenAI-compatible API when one is configured, else with the programs flite and
// pocketsphinx where they are installed. Where there is neither, [Voice.Speaks] and
// [Voice.Hears] say so, and a browser's own voice is all there is.
//
// Everything is bounded: the length of a text, the size of a recording, the time an
// answer may take. A program that takes longer is killed with all it started. No
// text and no recording is kept, and none is logged.
package speech
