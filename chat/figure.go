package chat

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// FigureRemark is what the person says of what their own data told, or of research that is to tell it.
type FigureRemark struct {
	Act  FigureAct
	Task research.TaskSummary // whose result it is about
	Said string               // the words, of a dispute
	Kept bool                 // a value of the person's own is held beside what the data say
}

// FigureAct is what is done with a figure.
type FigureAct string

// The acts.
const (
	DisputedFigure  FigureAct = "disputed"  // it is wrong, they say
	RefinedFigure   FigureAct = "refined"   // it is to be asked again, of other rows perhaps
	RepeatedFigure  FigureAct = "repeated"  // they want to hear it, or how far it is
	PreferredFigure FigureAct = "preferred" // it shall hold, and not what they said themselves
)

// What people say of figures.
const (
	callsWrong  language.Pattern = "figure-wrong"
	namesFigure language.Pattern = "figure-named"
	looksAgain  language.Pattern = "figure-look-again"
	takesOnly   language.Pattern = "figure-rows"
	narrows     language.Pattern = "figure-narrowed"
	leavesOut   language.Pattern = "figure-left-out"
	rowsFiller  language.Pattern = "figure-filler" // before the rows that are named
	rowsTail    language.Pattern = "figure-tail"   // behind them
	asksAgain   language.Pattern = "figure-asked-again"
	prefersData language.Pattern = "figure-preferred"
	dataDiffer  language.Pattern = "figure-differs"
)

// What people ask of research that was begun: what came of it, and whether it is over.
const (
	asksFound language.Pattern = "research-found"
	asksOver  language.Pattern = "research-over"
	namesRun  language.Pattern = "research-run"
)

// recently is for how many turns a figure that was told can be meant without being named.
const recently = 2

// aboutFigure returns what the message says of what the person's own data told, and nil for nothing.
func aboutFigure(s *Scene) *FigureRemark {
	if s.Message == "" || len(s.Research) == 0 {
		return nil
	}
	if f := asksAfterOne(s); f != nil {
		return f
	}
	if f := prefers(s); f != nil {
		return f
	}
	if f := refines(s); f != nil {
		return f
	}
	t, named := figureMeant(s, "")
	if t == nil {
		return nil
	}
	if asksAgain.In(s.Message) && (named || namesFigure.In(s.Message)) {
		return &FigureRemark{Act: RepeatedFigure, Task: t.TaskSummary}
	}
	if t.disputed(s, named) && (named || namesFigure.In(s.Message) || t.Told >= s.Turn-1) {
		return &FigureRemark{Act: DisputedFigure, Task: t.TaskSummary, Said: strings.TrimSpace(s.Message)}
	}
	return nil
}

// refines reads that a figure is to be asked again, of other rows perhaps; nil for anything else.
func refines(s *Scene) *FigureRemark {
	t, named := figureMeant(s, research.WarehouseQuestion)
	change, again := refinement(s.Message)
	if t == nil || !again {
		return nil
	}
	f := &FigureRemark{Act: RefinedFigure, Task: t.TaskSummary}
	if t.disputed(s, named) {
		f.Said = strings.TrimSpace(s.Message)
	}
	again = slices.ContainsFunc(parts.Split(s.Message, -1), looksAgain.In)
	alone := takesOnly.In(s.Message) && narrows.In(s.Message) && t.Told >= s.Turn-recently && !confirming(s)
	if again || change != "" && (alone || callsWrong.In(s.Message)) {
		return f
	}
	return nil
}

// confirming reports whether the last question put something to the person, which a no may be about.
func confirming(s *Scene) bool {
	return s.Asked != nil && s.Asked.Purpose != sessions.ToAsk && s.Asked.Purpose != sessions.ToProbe
}

// meantFigure is a piece of research that a message may be about.
type meantFigure struct{ research.TaskSummary }

// disputed reports whether the message says that what came of t is wrong, and not that something else is, which was
// read back or noted; named is whether it shares words with t.
func (t *meantFigure) disputed(s *Scene, named bool) bool {
	if !callsWrong.In(s.Message) || confirming(s) && s.Asked.Key == t.Key && t.Key != "" { // the answer to it says so
		return false
	}
	return named || namesFigure.In(s.Message) || !confirming(s) && !notedJustNow(s)
}

// figureMeant returns the piece of research in the person's own data that a message may be about: that whose words it
// shares, else the one that was told last, if that is not long ago or the message speaks of figures. named reports
// whether it shares words with it. It is nil for none. Of a kind, if one is given.
func figureMeant(s *Scene, kind research.Kind) (meant *meantFigure, named bool) {
	var t *research.TaskSummary
	most := 0
	for i := range s.Research {
		f := &s.Research[i]
		if !f.Kind.OwnData() || f.Told == 0 || f.Status != research.Completed || kind != "" && f.Kind != kind {
			continue
		}
		n := research.SharedWords(s.Message, f.Query+" "+f.Summary)
		switch {
		case n > most || n == most && n > 0 && f.Told >= t.Told:
			t, most = f, n
		case most == 0 && (t == nil || f.Told >= t.Told):
			t = f
		}
	}
	if t == nil || most == 0 && t.Told < s.Turn-recently && !namesFigure.In(s.Message) {
		return nil, false
	}
	return &meantFigure{*t}, most > 0
}

// notedJustNow reports whether the last reply noted something else that the message may be about.
func notedJustNow(s *Scene) bool {
	return slices.ContainsFunc(s.Obligations, func(o obligations.Obligation) bool {
		return o.Value != nil && len(o.Evidence) > 0 && o.Evidence[len(o.Evidence)-1].Turn == s.Turn-1 && o.Evidence[len(o.Evidence)-1].Kind != obligations.ResearchEvidence
	})
}

// parts matches what parts a message into what is said of the figure and what is to be counted.
var parts = regexp.MustCompile(`[.!?;:,]+(?:\s|$)|\s[–—-]\s`)

// refinement returns of which rows a figure is to be asked again: "for paid orders" of "look that up again for paid
// orders only". again reports whether it is to be asked again at all.
func refinement(message string) (change string, again bool) {
	for _, part := range parts.Split(message, -1) {
		rest := part
		switch {
		case looksAgain.In(part):
			again = true
			rest = looksAgain.Cut(part)
		case takesOnly.In(part), narrows.In(part) && !callsWrong.In(part):
		default:
			continue
		}
		out := leavesOut.In(rest)
		rest = strings.Trim(rowsTail.Cut(rowsFiller.Cut(rest)), " ,")
		if rest == "" {
			continue
		}
		if out {
			rest = "without " + rest
		}
		return rest, true
	}
	return "", again
}

// asksAfterOne reads a question what came of research in the person's own data, or whether it is over. Without any
// that it could mean there is none, and the question means what it always does.
func asksAfterOne(s *Scene) *FigureRemark {
	found, done := asksFound.In(s.Message), asksOver.In(s.Message)
	if !found && !done {
		return nil
	}
	run, last := namesRun.In(s.Message), (*research.TaskSummary)(nil)
	for i := range s.Research {
		f := &s.Research[i]
		if f.Status == research.Cancelled || run && f.Kind != research.WarehouseDiscovery || !f.Kind.OwnData() {
			continue
		}
		if found || run || f.Open() || f.Told == 0 || f.Told >= s.Turn-recently {
			last = f
		}
	}
	if last == nil {
		return nil
	}
	return &FigureRemark{Act: RepeatedFigure, Task: *last}
}

// prefers reads that the figure of the data shall hold in place of what the person said themselves.
func prefers(s *Scene) *FigureRemark {
	if !prefersData.In(s.Message) && !dataDiffer.In(s.Message) {
		return nil
	}
	var best *research.TaskSummary
	most := -1
	for i := range s.Research {
		f := &s.Research[i]
		o := obligations.Find(s.Obligations, f.Key)
		if o == nil || !f.Kind.OwnData() || f.Status != research.Completed || f.Proposed == nil || obligations.SameValue(f.Proposed, o.Value) {
			continue
		}
		if n := research.SharedWords(s.Message, o.Name()+" "+o.Prompt+" "+f.Query); n >= most {
			best, most = f, n
		}
	}
	if best == nil {
		return nil
	}
	return &FigureRemark{Act: PreferredFigure, Task: *best}
}

// readFigure takes what the message says of a figure of the person's own data for that, in the same way for every
// interviewer, rather than for an answer or for an order to look up something else.
func readFigure(s *Scene, u Understanding) Understanding {
	f := aboutFigure(s)
	if f == nil || slices.Contains(leaving, u.Intent) {
		return u
	}
	o := obligations.Find(s.Obligations, f.Task.Key)
	own := slices.DeleteFunc(slices.Clone(u.Findings), func(g obligations.Finding) bool { // what else they say of the very same value
		return o == nil || g.Key != o.Key || g.Act != obligations.Correct && g.Act != obligations.Tell && g.Act != obligations.Deny
	})
	u.Findings, u.Refused, u.Research, u.Steering, u.Proposals = nil, nil, nil, nil, nil
	u.Intent, u.About, u.Figure = AskResearch, "", f
	switch f.Act {
	case RepeatedFigure:
	case RefinedFigure:
		change, _ := refinement(s.Message)
		u.Research = []ResearchRequest{{Key: f.Task.Key, Query: s.Data.Refined(f.Task.Query, change, s.Session.Language, s.Now), Of: f.Task.ID}}
	case PreferredFigure:
		u.Intent, u.About = Correction, o.Key
		u.Findings = []obligations.Finding{s.preferred(o, f.Task.Proposed)}
	case DisputedFigure:
		f.Kept = slices.ContainsFunc(own, func(g obligations.Finding) bool { return g.Value != nil })
		switch {
		case f.Kept, len(own) > 0:
			u.Intent, u.About, u.Findings = Correction, o.Key, own
		case o != nil && o.Value != nil && obligations.SameValue(o.Value, f.Task.Proposed):
			u.Intent, u.About = Disagree, o.Key
			u.Findings = []obligations.Finding{{Key: o.Key, Act: obligations.Deny, Reason: "the person says that the figure of the data is wrong", Source: "conversation"}}
		}
	}
	return u
}

// preferred is the finding that a value which the data proposed holds after all.
func (s *Scene) preferred(o *obligations.Obligation, v json.RawMessage) obligations.Finding {
	e := obligations.Evidence{Kind: obligations.Accepted, By: s.Person, Message: s.MessageID(), Quote: s.Message, Proposal: &obligations.Proposal{Value: v}}
	e = obligations.Check(e, utterances(s))
	return obligations.Finding{Key: o.Key, Act: obligations.Correct, Value: v, Evidence: e, Grade: obligations.Grade{Kind: obligations.Accepted}, Source: "conversation",
		Reason: "the person wants the figure of the data", Starter: s.Session.User, Owner: s.Part == sessions.OwnerRole}
}

// asksFor reports whether the message does that with a figure of the person's own data.
func (u *Understanding) asksFor(act FigureAct) bool { return u.Figure != nil && u.Figure.Act == act }
