package analyst

import (
	"quaestor/research/warehouse/tokens"
)

// StepSize is how large a step of a run is in its prompts, in tokens.
type StepSize struct {
	Said int // the model's reply
	Gave int // what came of it, with the words around it
}

// TypicalStep is the size of a step where nothing is known of earlier ones: a query of a few lines with
// its reason, and a result of about ten rows.
var TypicalStep = StepSize{Said: 110, Gave: 260}

// Forecast returns the tokens of all prompts of an exploration of so many steps, given the size of its
// system message and of its steps. It lays out the prompts as [Model.Messages] does, so that what moves
// to the notebook, and when, is the same.
func (m *Model) Forecast(system, steps int, size StepSize) (in int) {
	l := limitsOf(m.limit(), system)
	one := &page{lineTokens: maxLine * 2 / 3, shortTokens: maxShort * 4 / 5, turnTokens: min(size.Said, l.said) + min(size.Gave, l.gave) + 2*ofMessage}
	fixed := ofAnswer + 2*ofMessage + system + tokens.Count(render("opening", "")) + tokens.Count(render("state", state{Done: steps / 2, Max: steps}))
	pages := make([]*page, 0, steps)
	for range steps {
		in += fixed + laid(pages, l)
		pages = append(pages, one)
	}
	return in
}

// laid returns the tokens of the steps in a prompt, those in the notebook included.
func laid(steps []*page, l limits) int {
	at := lay(steps, l)
	n := 0
	if at.folded > 0 {
		n += l.folded / 2
	}
	for _, s := range steps[at.folded:at.short] {
		n += s.shortTokens
	}
	for _, s := range steps[at.short:at.start] {
		n += s.lineTokens
	}
	for _, s := range steps[at.start:] {
		n += s.turnTokens
	}
	return n
}

// The size of an insight in the prompt that has it worded, and of its wording, in tokens.
const (
	insightTold = 230
	insightSaid = 75
)

// ForecastWords returns the tokens of the call that has so many insights of an area worded; zeros for
// none, which are not worded.
func ForecastWords(insights int) (in, out int) {
	if insights == 0 {
		return 0, 0
	}
	return tokens.Count(wordsPrompt) + 60 + insightTold*insights, insightSaid * insights
}
