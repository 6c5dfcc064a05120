// Package analyst implements the analyst that asks a language model.
//
// A run of a hundred steps is described to the model in one prompt of bounded size:
//
//	system     what the run is about; constant for the whole run
//	user       the notebook: a line for each step that is no longer shown in full
//	assistant  the model's reply at a step
//	user       the outcome of that step
//	…          the latest steps, each in full
//
// [Messages] derives the prompt from the [warehouse.Situation] alone, so that an interrupted run
// continues with the same words. The prompt grows at its end. When the steps shown in full take
// too much room, several move to the notebook at once; when the notebook is full, its older lines
// are shortened and the oldest are merged into one. Between such turns of the page, everything sent
// before is sent again byte by byte, which is what prompt caches of providers need. Sizes are
// counted in real tokens, and no prompt exceeds its window, whatever the steps contain.
//
// What a warehouse returns (rows, names, errors) is data between tags that no text in it can close.
package analyst
