// Package scripted is a language model that behaves by a script: obedient or wordy, weak,
// disobedient, in the wrong language, or doing what texts tell it to. Interviews are
// measured with it, at the pace of a real one. It speaks the chat completions API as an
// [http.Handler].
//
// What messages mean it takes from the labels of dialogs, so that its readings are right
// wherever its behaviour lets them be; what to ask it takes from the plan in the prompt.
package scripted
