package chat

import (
	"slices"
	"strings"

	"quaestor/sessions"
)

// faultsOf returns what is wrong with what a reply asks, given its questions in order: the
// rules of [LintQuestion] that they break together, or [OffPlan]. None means that it asks
// what the plan asks, and asks it well. A reply to which the plan adds no question may ask
// nothing.
func faultsOf(s *Scene, p *Plan, questions []string, similar Similarity) []string {
	if p.Question == nil || p.Ends != "" {
		if len(questions) > 0 {
			return []string{string(OffPlan)}
		}
		return nil
	}
	asked := strings.Join(questions, " ")
	var broken []string
	for _, found := range lintReply(s, p, asked) {
		if !slices.Contains(broken, string(found.Rule)) {
			broken = append(broken, string(found.Rule))
		}
	}
	if len(broken) == 0 && asked != "" && !asksFor(s, p, asked, similar) {
		broken = append(broken, string(OffPlan))
	}
	return broken
}

// lintReply lints the questions of a reply together. A form needs no question, because its
// fields ask. Where values, or the end, are put to the person, the words are not the
// model's own, and only the number of questions counts.
func lintReply(s *Scene, p *Plan, asked string) []Problem {
	q := p.Question
	if q.Purpose == sessions.ToForm && asked == "" {
		return nil
	}
	var jargon []string
	for i := range p.List {
		jargon = append(jargon, markedJargon(p.List[i].Template)...)
	}
	b := LintContext{Jargon: jargon, Known: p.List, Asks: q.Key, Agrees: q.Purpose != sessions.ToAsk, Pools: s.Objective.Pools}
	found := LintQuestion(asked, b)
	if slices.ContainsFunc(found, func(f Problem) bool { return f.Rule == Jargon }) { // unless the person used the word first, which is worth checking only now
		b.Heard = wordsHeard(s, q)
		found = LintQuestion(asked, b)
	}
	if q.Purpose == sessions.ToAsk {
		return found
	}
	return slices.DeleteFunc(found, func(f Problem) bool { return f.Rule != NoQuestion && f.Rule != SeveralAtOnce })
}

// wordsHeard returns the texts whose words the person knows: what they said, and what the
// objective asks them.
func wordsHeard(s *Scene, q *sessions.Question) string {
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

// splitQuestions separates the sentences of a text that ask from those that do not.
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

// sentenceEnd returns where the first sentence of text ends: after a closing mark that is
// followed by white space, at the end of a line, or at the end of the text.
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
