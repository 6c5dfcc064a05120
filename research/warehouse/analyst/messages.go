package analyst

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/llm"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/tokens"
)

// Messages returns the prompt for a situation. It has at most limit tokens, provided that limit is
// at least 4,000 and the system message takes at most three quarters of it. Messages is pure: the
// same situation gives the same messages.
func Messages(s warehouse.Situation, limit int) []llm.Message {
	out, _ := new(pages).messages(&s, limit)
	return out
}

// messages returns the prompt and its size in tokens.
func (p *pages) messages(s *warehouse.Situation, limit int) ([]llm.Message, int) {
	l := limitsOf(limit, tokens.Count(s.Instructions.System))
	steps := make([]*page, len(s.Steps))
	for i := range s.Steps {
		steps[i] = p.of(&s.Steps[i], l)
	}
	at := lay(steps, l)
	out := make([]llm.Message, 0, 4+2*(len(steps)-at.start))
	out = append(out, llm.Message{Role: "system", Content: s.Instructions.System}, llm.Message{Role: "user", Content: render("opening", notebook(s.Steps, steps, at, l))})
	for i := at.start; i < len(steps); i++ {
		said, gave := turn(&s.Steps[i], read(&s.Steps[i]), l)
		out = append(out, llm.Message{Role: "assistant", Content: said}, llm.Message{Role: "user", Content: gave})
	}
	out = conclude(out, s, l)
	return out, Size(out)
}

// Size returns the tokens of a prompt, counted as providers do.
func Size(messages []llm.Message) int {
	n := ofAnswer
	for i := range messages {
		n += ofMessage + tokens.Count(messages[i].Content)
	}
	return n
}

// notebook writes the lines of the steps that are not shown in full.
func notebook(all []warehouse.Step, steps []*page, at plan, l limits) string {
	var b strings.Builder
	if at.folded > 0 {
		b.WriteString(folded(all[:at.folded], l.folded))
	}
	for _, s := range steps[at.folded:at.short] {
		b.WriteString(s.short)
	}
	for _, s := range steps[at.short:at.start] {
		b.WriteString(s.line)
	}
	return b.String()
}

// folded writes one line for many steps: how many of each kind, and the tables read most often.
func folded(steps []warehouse.Step, limit int) string {
	var queries, failed, lookups, searches int
	read := make(map[string]int)
	for i := range steps {
		switch s := &steps[i]; s.Type {
		case warehouse.QueryStep:
			queries++
			if s.Error != "" {
				failed++
			}
			for _, t := range s.Tables {
				read[t]++
			}
		case warehouse.LookupStep:
			lookups++
		case warehouse.SearchStep:
			searches++
		}
	}
	text := fmt.Sprintf("Steps %d to %d: %d queries (%d failed), %d lookups, %d searches", steps[0].N, steps[len(steps)-1].N, queries, failed, lookups, searches)
	if len(read) > 0 {
		text += "; read most: " + mostRead(read)
	}
	return closed(text, limit)
}

// mostRead lists the tables that were read most often, with counts.
func mostRead(read map[string]int) string {
	names := make([]string, 0, len(read))
	for t := range read {
		names = append(names, t)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(read[b], read[a]), strings.Compare(a, b)) })
	for i, t := range names[:min(len(names), 2*maxNamed)] {
		names[i] = fmt.Sprintf("%s (%d)", oneLine(t, 60), read[t])
	}
	return strings.Join(names[:min(len(names), 2*maxNamed)], ", ")
}

// state is the progress of a run, for the template.
type state struct {
	Correction        string
	Done, Max, Min    int
	Lookups, Searches int
}

// conclude adds the progress of the run to the end of the prompt. If the last reply was wrong, it
// is repeated before that, with what was wrong.
func conclude(out []llm.Message, s *warehouse.Situation, l limits) []llm.Message {
	st := state{Done: len(s.Steps), Max: s.MaxSteps, Min: s.MinSteps, Lookups: s.LookupsLeft, Searches: s.SearchesLeft}
	left := l.state - tokens.Count(render("state", st)) - 2*ofMessage
	st.Correction = within(s.Correction, left/2)
	end := render("state", st)
	if s.Rejected == "" {
		out[len(out)-1].Content += end
		return out
	}
	return append(out, llm.Message{Role: "assistant", Content: firstOf(within(s.Rejected, left/2), "(a reply)")}, llm.Message{Role: "user", Content: end})
}
