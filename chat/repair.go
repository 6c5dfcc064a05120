package chat

import (
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
)

// repair sees to it that a model's reply asks what the plan asks and asks it well. A
// question that breaks a rule of [LintQuestion] is taken out and the plan's own put
// in its place; one that is missing is added. What was repaired stands in the turn's
// usage.
func (r *run) repair(p *Plan, say func(string) error) error {
	text := r.deltas.Text()
	better, broken := repaired(r.scene, p, text)
	if len(broken) == 0 {
		return nil
	}
	r.usage.Repaired = strings.Join(broken, ",")
	if rest, ok := strings.CutPrefix(better, text); ok {
		return say(rest)
	}
	r.deltas.Reset()
	return say(better)
}

// repaired returns a reply as it should be, and the rules it broke; the reply itself
// and none when it will do. A reply that asks though the plan does not is left as it
// is: nothing better could be put there.
func repaired(s *Scene, p *Plan, text string) (better string, broken []string) {
	q := p.Question
	if q == nil || p.Ends != "" {
		return text, nil
	}
	statements, questions := splitQuestions(text)
	for _, found := range lintReply(s, p, strings.Join(questions, " ")) {
		if !slices.Contains(broken, string(found.Rule)) {
			broken = append(broken, string(found.Rule))
		}
	}
	if len(broken) == 0 {
		return text, nil
	}
	own := strings.TrimSpace(plainly(s, q))
	if len(questions) == 0 {
		return text + "\n\n" + own, broken // nothing is taken back of what the person has read
	}
	if len(statements) == 0 {
		return own, broken
	}
	return strings.Join(statements, " ") + "\n\n" + own, broken
}

// lintReply judges the questions of a reply together. A form needs no question, for
// its fields ask; where values are put to the person, or the end, the words around
// them are theirs, and only their number counts.
func lintReply(s *Scene, p *Plan, asked string) []Problem {
	q := p.Question
	if q.Purpose == sessions.ToForm && asked == "" {
		return nil
	}
	b := LintContext{Jargon: jargonIn(p.List), Known: p.List, Asks: q.Key, Agrees: q.Purpose != sessions.ToAsk, Pools: s.Objective.Pools}
	found := LintQuestion(asked, b)
	if slices.ContainsFunc(found, func(f Problem) bool { return f.Rule == Jargon }) { // unless it is the person's own, which takes reading all they said
		b.Heard = heardBy(s, q)
		found = LintQuestion(asked, b)
	}
	if q.Purpose == sessions.ToAsk {
		return found
	}
	return slices.DeleteFunc(found, func(f Problem) bool { return f.Rule != NoQuestion && f.Rule != SeveralAtOnce })
}

// heardBy is all that makes a word one of the person's own: what they said and what
// they were asked in the objective's words.
func heardBy(s *Scene, q *sessions.Question) string {
	var b strings.Builder
	for _, m := range s.Transcript {
		if m.Role == sessions.FromUser {
			b.WriteString(m.Content + " ")
		}
	}
	b.WriteString(s.Message + " " + q.Prompt + " " + q.Label)
	for _, f := range q.Fields {
		b.WriteString(" " + f.Prompt + " " + f.Label)
	}
	return b.String()
}

func jargonIn(list []obligations.Obligation) []string {
	var out []string
	for i := range list {
		out = appendJargon(out, list[i].Template)
	}
	return out
}

// splitQuestions parts the sentences of a text that ask from those that do not.
func splitQuestions(text string) (statements, questions []string) {
	rest := text
	for rest != "" {
		end := sentenceEnd(rest)
		sentence := strings.TrimSpace(rest[:end])
		rest = rest[end:]
		switch {
		case sentence == "":
		case strings.ContainsAny(sentence, questionMarks):
			questions = append(questions, sentence)
		default:
			statements = append(statements, sentence)
		}
	}
	return statements, questions
}

// sentenceEnd returns where the first sentence of text ends: after closing signs that
// white space follows, at a line's end, or at the text's.
func sentenceEnd(text string) int {
	for i, r := range text {
		if r == '\n' && i > 0 {
			return i + 1
		}
		if !strings.ContainsRune(".!"+questionMarks, r) {
			continue
		}
		end := i + len(string(r))
		if end == len(text) || strings.ContainsRune(" \n\t", rune(text[end])) || r == '？' {
			return end
		}
	}
	return len(text)
}
