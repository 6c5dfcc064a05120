package chat

import (
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/sessions"
)

// knownFacts are what a reply may state: the figures that were said or are held, in the
// language of the conversation.
type knownFacts struct {
	scene   *Scene
	plan    *Plan
	reader  *language.Reader
	tongue  string
	figures []float64 // in what was said and what is held; computed when the first reply states one
	read    bool
}

func factsOf(s *Scene, p *Plan) *knownFacts {
	return &knownFacts{scene: s, plan: p, reader: language.NewReader(LanguageOf(s)), tongue: tongueOf(s)}
}

// fit returns why a statement of the reply must not be made: it states a figure that
// nobody said, or is in another language than the person's.
func (k *knownFacts) fit(sentence string) error {
	if !sameTongue(k.tongue, sentence) {
		return errTongue
	}
	for _, f := range k.reader.Figures(language.Words(sentence)) {
		if f.Ordinal || f.Low == f.High && f.Low >= 0 && f.Low <= smallCount && f.Unit == "" && f.Currency == "" && !f.Percent {
			continue
		}
		if !k.knows(f.Low) || !k.knows(f.High) {
			return errClaims
		}
	}
	return nil
}

// smallCount is up to which number a bare figure is no claim: "two more questions".
const smallCount = 3

// knows reports whether a figure was said, is held, or is a figure of the plan.
func (k *knownFacts) knows(n float64) bool {
	if !k.read {
		k.read = true
		for _, text := range k.texts() {
			for _, f := range k.reader.Figures(language.Words(text)) {
				k.figures = append(k.figures, f.Low, f.High)
			}
		}
	}
	return slices.Contains(k.figures, n)
}

// texts returns everything that the reply may take figures from.
func (k *knownFacts) texts() []string {
	s, p := k.scene, k.plan
	out := []string{s.Message, s.Summary, s.Contact, s.Objective.Greeting, s.Objective.Description, strconv.Itoa(p.Left), strconv.Itoa(int(p.Completeness.Progress*100 + 0.5)),
		strconv.Itoa(AgendaOf(p.List, p.Question).Minutes) + " minutes", strconv.Itoa(p.Completeness.Satisfied), strconv.Itoa(p.Completeness.Total), strconv.Itoa(len(p.Completeness.OpenKeys))}
	for _, m := range s.Transcript {
		out = append(out, m.Content)
	}
	for _, f := range s.Files {
		out = append(out, f.Text)
	}
	for _, f := range s.Research {
		out = append(out, f.Summary)
	}
	for i := range p.List {
		o := &p.List[i]
		out = append(out, o.Prompt, o.Why, strings.Join(o.Examples, "\n"), ValueInWords(o.Template, o.Value))
		for _, c := range o.Choices {
			out = append(out, c.Label)
		}
	}
	return out
}

// tongueOf returns the tag of the language that the reply must be in: the one the person
// writes in where that can be told, unless another was asked for; empty when any will do.
func tongueOf(s *Scene) string {
	if s.Session.LanguageSource == sessions.LanguageAsked {
		return s.Session.Language
	}
	if tag := tongueIn(s.Message); tag != "" {
		return tag
	}
	for i := len(s.Transcript) - 1; i >= 0; i-- {
		if m := &s.Transcript[i]; m.Role == sessions.FromUser {
			if tag := tongueIn(m.Content); tag != "" {
				return tag
			}
		}
	}
	return s.Session.Language
}

// tongueIn returns the language of a text, and "" where that cannot be told.
func tongueIn(text string) string {
	if tag := messages.Foreign(text); tag != "" {
		return tag
	}
	tag, _ := language.Detect(text, language.Languages())
	return tag
}

// sameTongue reports whether a text may be in a language. Short texts and those without
// words of one language only may be.
func sameTongue(tag, text string) bool {
	if tag == "" {
		return true
	}
	in := tongueIn(text)
	return in == "" || in == tag || messages.Base(in) == messages.Base(tag)
}
