// Package speech turns text into speech and speech into text: through an
// OpenAI-compatible API when one is configured, else with the programs flite and
// pocketsphinx where they are installed. With neither, [Voice.Speaks] and [Voice.Hears]
// are empty, and only a browser's own voice is left.
//
// Everything is bounded: the length of a text, the size of a recording, the time that
// an answer may take. A program that takes longer is killed with all it started. Texts
// and recordings are neither stored nor logged.
package speech
