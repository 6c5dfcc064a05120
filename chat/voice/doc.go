// Package voice holds the conversation of a session aloud. A [Call] hears a person over a
// [Wire], has an utterance written down when it is over, and takes a turn of the same
// engine as somebody who types: the events are those of every other turn, and typed and
// spoken turns mix. The reply is cut into sentences while it is made, and each is spoken
// as soon as it is whole.
//
//	sound ─► ears ─► utterance ─► speech.Voice ─► words ─► chat.Engine
//	                                                           │ events of the session
//	sound ◄─ mouth ◄─ speech.Voice ◄─ sentences ◄─ reply ◄─────┘
//
// When the person speaks while something is played, the mouth stops at once. What they say
// decides how it goes on: after a cough, a noise or an "mhm" the reply goes on where it
// was; after words the rest of it is dropped, [chat.Engine.Interrupt] records what was heard
// of it, and the words are the next turn.
//
// Speech that fails costs nothing but speech: the person is told why, the text is there,
// and the session goes on. Sound is kept in memory only, and only until it was written
// down or played.
package voice
