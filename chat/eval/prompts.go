package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// PromptOptions are the interviews that a model is measured with.
type PromptOptions struct {
	Host     func(ctx context.Context, contextType, language string) (Host, error) // makes a session about a shipped objective
	Dialogs  []*listening.Dialog                                                   // those about shipped objectives are talked through
	Talks    int                                                                   // at most so many; 0 means all
	Parallel int
}

// PromptReport is how interviews with a model went, as far as its prompts and the checks of
// its replies answer for it.
type PromptReport struct {
	Label   string `json:"label"`   // of the model
	Version int    `json:"version"` // of the prompts
	Calls   int    `json:"calls"`   // a turn

	Turns      int             `json:"turns"`
	Asked      int             `json:"asked"`             // turns whose plan asks for one obligation
	AskedRight int             `json:"askedRight"`        // of those, the reply asks for it and for nothing else
	Claims     int             `json:"claims"`            // replies with a long figure that nobody named
	Sentences  int             `json:"sentences"`         // whose language can be told
	Foreign    int             `json:"foreign"`           // of those, in another language than the person's
	Degraded   int             `json:"degraded"`          // turns that the model could not do alone
	Classes    map[string]int  `json:"classes,omitempty"` // why, and how often
	TakenBack  int             `json:"takenBack"`         // turns in which words were taken back
	Written    int             `json:"written"`           // tokens that the model wrote
	Unsaid     int             `json:"unsaid"`            // of those, the ones of replies that nobody was shown
	Failed     []string        `json:"failed,omitempty"`
	First      time.Duration   `json:"first"`      // to the model's own first token, where that is known
	FirstWords []time.Duration `json:"firstWords"` // of turns in which the person said something
	Whole      []time.Duration `json:"whole"`
}

// RunPrompts has the people of the dialogs talk with the engine's interviewer, and reports
// how that went. each is told every turn's message and reply; it may be nil.
func RunPrompts(ctx context.Context, o PromptOptions, each func(person, said, reply string)) (PromptReport, error) {
	var out PromptReport
	var mu sync.Mutex // guards out and each
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, o.Parallel))
	talks := 0
	for _, d := range o.Dialogs {
		def := shippedFor(d)
		for i := range d.Talks {
			if def == nil || o.Talks > 0 && talks >= o.Talks {
				break
			}
			talks++
			g.Go(func() error {
				return o.talk(ctx, d, &d.Talks[i], def, func(m *promptMeter, said string, turn TurnResult, whole time.Duration) {
					mu.Lock()
					defer mu.Unlock()
					m.count(&out, said, turn, whole)
					if each != nil {
						each(d.Talks[i].Person, said, turn.Reply)
					}
				})
			})
		}
	}
	return out, g.Wait()
}

// shippedFor returns the shipped objective that a dialog is about, in its language; nil for
// another.
func shippedFor(d *listening.Dialog) *objectives.Definition {
	if !slices.ContainsFunc(objectives.Shipped(), func(def objectives.Definition) bool { return def.ContextType == d.Objective }) {
		return nil
	}
	return TalkObjective(d)
}

// talk has one person talk to the end.
func (o *PromptOptions) talk(ctx context.Context, d *listening.Dialog, talk *listening.Talk, def *objectives.Definition, each func(*promptMeter, string, TurnResult, time.Duration)) error {
	lang := dialogLanguage(d)
	h, err := o.Host(ctx, def.ContextType, lang)
	if err != nil {
		return err
	}
	p := &talker{dialog: d, def: def, talk: talk, used: make([]bool, len(talk.Said)), truth: map[string][]saidValue{}, told: map[string]int{}, facts: map[string]bool{}, repeated: map[string]int{}}
	m := &promptMeter{def: def, language: lang}
	message := ""
	for n := 0; n <= maxTalkTurns; n++ {
		began := time.Now()
		turn, err := h.Say(ctx, message, nil)
		if err != nil {
			return fmt.Errorf("talk of %s: %w", talk.Person, err)
		}
		each(m, message, turn, time.Since(began))
		if turn.Reason != "answered" {
			return nil
		}
		said := p.say(turn.Question)
		if said == nil {
			return nil
		}
		p.hear(said, n)
		message = said.Text
	}
	return nil
}

// promptMeter measures the replies of one talk.
type promptMeter struct {
	def      *objectives.Definition
	language string
	heard    strings.Builder // everything that was said, and what the objective says
}

// count adds a turn to the report.
func (m *promptMeter) count(out *PromptReport, said string, turn TurnResult, whole time.Duration) {
	if m.heard.Len() == 0 {
		text, _ := json.Marshal(m.def) // a definition always can be
		m.heard.Write(text)
		for i := range m.def.Obligations {
			m.heard.WriteString(chat.RemedyOf(&m.def.Obligations[i]).In(messages.In(m.language)) + "\n") // with an example
		}
	}
	m.heard.WriteString(said + "\n")
	out.Turns++
	if said != "" {
		out.FirstWords, out.Whole = append(out.FirstWords, turn.FirstWords), append(out.Whole, whole)
	}
	if turn.Degraded != "" {
		out.Degraded++
		if out.Classes == nil {
			out.Classes = map[string]int{}
		}
		out.Classes[turn.Degraded]++
	}
	if turn.TakenBack {
		out.TakenBack++
	}
	if q := turn.Question; q != nil && q.Purpose == sessions.ToAsk {
		out.Asked++
		if keys := m.askedIn(turn.Reply); slices.Equal(keys, []string{q.Key}) {
			out.AskedRight++
		} else {
			out.fail(fmt.Sprintf("%s was to be asked, not %v: %s", q.Key, keys, turn.Reply))
		}
	}
	if q := turn.Question; q != nil {
		m.heard.Write(q.Proposal)
	}
	if m.claims(turn.Reply, turn.List) {
		out.Claims++
		out.fail("a figure that nobody named: " + turn.Reply)
	}
	for _, sentence := range sentenceEnds.Split(turn.Reply, -1) {
		in := messages.Foreign(sentence)
		if in == "" {
			in, _ = language.Detect(sentence, language.Languages())
		}
		if in == "" {
			continue
		}
		out.Sentences++
		if in != m.language {
			out.Foreign++
			out.fail("not in " + m.language + ": " + sentence)
		}
	}
}

// fail adds an example of what went wrong.
func (r *PromptReport) fail(what string) {
	if len(r.Failed) < maxFailed {
		r.Failed = append(r.Failed, language.Clip(what, 300))
	}
}

// maxFailed bounds the examples of a report.
const maxFailed = 20

var (
	sentenceEnds = regexp.MustCompile(`[.!?]\s+|\n+`)
	longFigure   = regexp.MustCompile(`\d[\d.,']*\d`)
)

// askedIn returns the keys of the obligations that a reply asks for in words of the
// objective.
func (m *promptMeter) askedIn(reply string) []string {
	var out []string
	for i := range m.def.Obligations {
		t := &m.def.Obligations[i]
		if slices.ContainsFunc(append(m.def.Pools[t.PoolID], t.Prompt), func(w string) bool { return strings.Contains(reply, w) }) {
			out = append(out, t.Key)
		}
	}
	return out
}

// claims reports whether a reply has a figure of four digits and more that was not said.
func (m *promptMeter) claims(reply string, list []obligations.Obligation) bool {
	heard := onlyDigits(m.heard.String())
	for i := range list {
		heard += " " + onlyDigits(string(list[i].Value))
	}
	return slices.ContainsFunc(longFigure.FindAllString(reply, -1), func(f string) bool {
		digits := strings.ReplaceAll(onlyDigits(f), " ", "")
		return len(digits) >= 4 && !strings.Contains(strings.ReplaceAll(heard, " ", ""), digits)
	})
}

// onlyDigits returns a text with a space for all that is no digit.
func onlyDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return ' '
	}, text)
}

// Within returns the share of turns whose first words came within d of the model's own
// first token.
func (r *PromptReport) Within(first, d time.Duration) float64 {
	n := 0
	for _, t := range r.FirstWords {
		if t <= first+d {
			n++
		}
	}
	return rate(n, len(r.FirstWords))
}

// percentile returns the p-th part of a list of durations, 0 for none.
func percentile(list []time.Duration, p float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

// PromptsMarkdown writes reports side by side, for people to read.
func PromptsMarkdown(w io.Writer, reports []PromptReport) error {
	p := page{w: w}
	p.say("| model | prompts | calls | turns | asks what is planned | claims | in the person's language | degraded | taken back | thrown away | first words p50 / p99 | within 50 ms of the first token | turn p50 |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for i := range reports {
		r := &reports[i]
		p.say("| %s | v%d | %d | %d | %.1f %% of %d | %d | %.1f %% of %d | %d | %d | %.1f %% | %v / %v | %.1f %% | %v |", r.Label, r.Version, r.Calls, r.Turns, 100*rate(r.AskedRight, r.Asked), r.Asked, r.Claims,
			100-100*rate(r.Foreign, r.Sentences), r.Sentences, r.Degraded, r.TakenBack, 100*rate(r.Unsaid, r.Written), percentile(r.FirstWords, 0.5).Round(time.Millisecond), percentile(r.FirstWords, 0.99).Round(time.Millisecond), 100*r.Within(r.First, 50*time.Millisecond), percentile(r.Whole, 0.5).Round(time.Millisecond))
	}
	for i := range reports {
		for class, n := range reports[i].Classes {
			p.say("\n- %s: %d turns degraded: %s", reports[i].Label, n, class)
		}
		for _, f := range reports[i].Failed {
			p.say("\n- %s: %s", reports[i].Label, cell(f))
		}
	}
	return p.err
}
