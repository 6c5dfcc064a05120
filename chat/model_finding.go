package chat

import (
	"encoding/json"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
)

// finding takes one finding of the model, if it may be.
func (i *interpreter) finding(f modelFinding) {
	o := i.find(f.Key)
	if o == nil {
		return
	}
	switch f.Act {
	case obligations.Tell, obligations.Correct:
		i.told(o, f)
	case obligations.Confirm:
		i.confirmed(o, f)
	case obligations.Deny, obligations.Unsure, obligations.Defer, obligations.Skip:
		i.turnedDown(o, f)
	case obligations.Asked, obligations.Reopen: // not a model's to say
	}
}

// told takes a value, in the shape its widget wants, with what it rests on.
func (i *interpreter) told(o *obligations.Obligation, f modelFinding) {
	v := coerce(o.Template, f.Value)
	if v == nil {
		i.refuse(o, f)
		return
	}
	e, ok := i.evidence(o, f, v)
	if !ok {
		return
	}
	out := obligations.Finding{Key: o.Key, Act: f.Act, Value: v, Evidence: e, Grade: f.grade(e.Kind), Reason: f.Reason, Source: "conversation"}
	if e.Kind == obligations.Stated && !figured(o.Template, v, e.Quote) {
		out.Grade.Hedged = true // it has to be confirmed
	}
	switch {
	case e.Kind == obligations.Document:
		out.Act, out.Source = obligations.Tell, "document"
	case e.Kind == obligations.InferredEvidence:
		out.Act, out.Source = obligations.Tell, "model"
	case obligations.SameValue(o.Value, v):
		out.Act = obligations.Tell
		if e.Kind == obligations.Accepted || i.asking(o, sessions.ToResolve) {
			out.Act = obligations.Confirm
		}
	case i.asking(o, sessions.ToConfirm), i.asking(o, sessions.ToResolve):
		out.Act = obligations.Correct
	}
	i.put(out)
}

func (f *modelFinding) grade(kind obligations.EvidenceKind) obligations.Grade {
	sure := obligations.Of(f.Confidence)
	return obligations.Grade{Kind: kind, Hedged: f.Hedged, Vague: f.Vague, Model: &sure}
}

// refuse notes an answer that cannot be taken, when the person gave it to what
// was asked or as a correction; what was read in passing is let go.
func (i *interpreter) refuse(o *obligations.Obligation, f modelFinding) {
	if given := plainText(f.Value); given != "" && (i.asked(o) || f.Act == obligations.Correct) {
		if f.Quote != "" {
			given = f.Quote
		}
		i.out.Refused = append(i.out.Refused, Refusal{Key: o.Key, Text: tidy(given, maxReasonRunes), Remedy: remedy(o.Template, f.Value)})
	}
}

// confirmed takes assent to a value that was put to the person. Assent with
// another value is that value.
func (i *interpreter) confirmed(o *obligations.Obligation, f modelFinding) {
	held := o.Value
	if i.asking(o, sessions.ToConfirm) && i.scene.Asked.Proposal != nil {
		held = i.scene.Asked.Proposal
	}
	switch given := coerce(o.Template, f.Value); {
	case given != nil && !obligations.SameValue(given, held):
		f.Act = obligations.Correct
		i.told(o, f)
	case held == nil || !i.putTo(o, f.Quote):
	case i.asked(o):
		if f.Value = held; i.out.Intent == Agree && !i.saysNow(f.Quote) {
			f.Quote = tidy(i.scene.Message, maxQuoteRunes)
		}
		if i.saysNow(f.Quote) {
			i.told(o, f)
		}
	case i.saysNow(f.Quote):
		grade := f.grade(obligations.Stated)
		grade.Loose = true
		e := obligations.Evidence{Kind: obligations.Stated, Message: i.scene.MessageID(), Quote: f.Quote}
		i.put(obligations.Finding{Key: o.Key, Act: obligations.Confirm, Value: held, Evidence: e, Grade: grade, Reason: f.Reason, Source: "conversation"})
	}
}

// putTo reports whether the person knew that o was meant: it was asked, or the
// last reply or their own words name it. A "yes" confirms nothing else.
func (i *interpreter) putTo(o *obligations.Obligation, quote string) bool {
	if i.asked(o) {
		return true
	}
	names := []string{spoken(o.Template, o.Value), o.Name()}
	last := i.lastReply()
	return slices.ContainsFunc(names, func(name string) bool {
		return contains(quote, name) || last != nil && contains(last.Content, name)
	})
}

// turnedDown takes what brings no value: a rejection, not knowing, not now, not
// at all. It needs the person's words, unless it answers the question; and what
// is known for sure is not given up without them.
func (i *interpreter) turnedDown(o *obligations.Obligation, f modelFinding) {
	if i.scene.Message == "" || !i.saysNow(f.Quote) && !(i.asked(o) && o.Status != obligations.Satisfied) {
		return
	}
	out := obligations.Finding{Key: o.Key, Act: f.Act, Reason: f.Reason, Source: "conversation"}
	switch f.Act {
	case obligations.Skip:
		out.Skip = obligations.Declined
		if f.SkipReason != nil {
			out.Skip = *f.SkipReason
		}
	case obligations.Deny:
		if f.Quote != "" && !i.saysNow(f.Quote) {
			return // what is held is not given up for words nobody said
		}
		out.Value = i.proposal(o)
	}
	i.put(out)
}

// proposal is the value the last question put up for o, nil for none.
func (i *interpreter) proposal(o *obligations.Obligation) json.RawMessage {
	if i.asking(o, sessions.ToConfirm) {
		return i.scene.Asked.Proposal
	}
	return nil
}

// put adds a finding, one for each obligation: what was typed into a widget
// stands, a rejection and a value make a correction, of two values the later is
// the person's last word. What a file says stands beside that.
func (i *interpreter) put(f obligations.Finding) {
	at := slices.IndexFunc(i.out.Findings, func(g obligations.Finding) bool { return g.Key == f.Key && ofFile(g) == ofFile(f) })
	if at < 0 {
		i.out.Findings = append(i.out.Findings, f)
		return
	}
	before := &i.out.Findings[at]
	switch {
	case before.Evidence.Kind == obligations.WidgetInput, ofFile(f):
	case f.Act == obligations.Deny && before.Act == obligations.Tell && before.Evidence.Kind == obligations.Stated:
		before.Act = obligations.Correct
	case before.Act == obligations.Deny && f.Act == obligations.Tell && f.Evidence.Kind == obligations.Stated:
		f.Act = obligations.Correct
		*before = f
	case f.Act == obligations.Tell || f.Act == obligations.Correct:
		*before = f
	}
}

// implied adds what the intent alone says, for models that name the intent and
// leave its finding out.
func (i *interpreter) implied() {
	act, ok := impliedActs[i.out.Intent]
	subjects := i.subjects()
	if !ok || slices.ContainsFunc(subjects, i.touched) {
		return
	}
	yesOrNo := act == obligations.Confirm || act == obligations.Deny
	for _, o := range subjects {
		if o.Status != obligations.Satisfied && (!yesOrNo || i.asking(o, sessions.ToConfirm)) {
			i.finding(modelFinding{Key: o.Key, Act: act, Quote: tidy(i.scene.Message, maxQuoteRunes), Confidence: 1})
		}
	}
}

var impliedActs = map[Intent]obligations.Act{
	SkipThis: obligations.Skip, Later: obligations.Defer, DontKnow: obligations.Unsure, Agree: obligations.Confirm, Disagree: obligations.Deny,
}

// touched reports whether the message was read to say something of o.
func (i *interpreter) touched(o *obligations.Obligation) bool {
	return slices.ContainsFunc(i.out.Findings, func(f obligations.Finding) bool { return f.Key == o.Key }) ||
		slices.ContainsFunc(i.out.Refused, func(r Refusal) bool { return r.Key == o.Key })
}

// subjects returns what the intent is about: what the model says, else what was
// asked.
func (i *interpreter) subjects() []*obligations.Obligation {
	keys := i.scene.Asked.Keys()
	if i.out.About != "" {
		keys = []string{i.out.About}
	}
	var out []*obligations.Obligation
	for _, key := range keys {
		if o := i.find(key); o != nil {
			out = append(out, o)
		}
	}
	return out
}
