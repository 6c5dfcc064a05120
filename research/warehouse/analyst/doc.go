// Package analyst is the analyst that asks a language model.
//
// A run of a hundred steps is told to a model in one prompt of bounded size:
//
//	system     what the run is about, the same from its beginning to its end
//	user       the notebook: a line for each step that is no longer told in full
//	assistant  what the model said at a step
//	user       what came of it
//	…          the newest steps, each as it was
//
// [Messages] makes it of the [warehouse.Situation] alone, so that a run that was
// interrupted goes on with the same words. The prompt grows at its end. When the
// steps told in full take too much, several go into the notebook at once; when that
// is full, its older lines are shortened and its oldest become one. Between such
// turns of the page all that was sent before is sent again byte by byte, which is
// what providers' caches of prompts want. Sizes are real tokens, and no prompt is
// over its window, whatever the steps hold.
//
// What a warehouse says (rows, names, errors) is data between marks that no text in
// it can close.
package analyst
