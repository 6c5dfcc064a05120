package model

import (
	"slices"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// addFinding adds one finding of the model, as far as a model may decide it.
func (i *interpreter) addFinding(f modelFinding) {
	o := i.find(f.Key)
	if o == nil {
		return
	}
	switch f.Act {
	case obligations.Tell, obligations.Correct:
		i.addValue(o, f)
	case obligations.Confirm:
		i.addAssent(o, f)
	case obligations.Deny, obligations.Unsure, obligations.Defer, obligations.Skip:
		i.addRefusal(o, f)
	case obligations.Asked, obligations.Unheard, obligations.Reopen: // not for a model to decide
	}
}

// addValue adds a value in the shape that the widget of o wants, with its evidence.
// What rests on assent to the last question confirms or corrects; what rests on a
// file or a conclusion never corrects.
func (i *interpreter) addValue(o *obligations.Obligation, f modelFinding) {
	v := coerce(o.Template, f.Value)
	if v == nil {
		i.addUnfit(o, f)
		return
	}
	e, ok := i.evidence(o, f, v)
	if !ok {
		return
	}
	out := obligations.Finding{Key: o.Key, Act: f.Act, Value: v, Evidence: e, Grade: f.grade(e.Kind), Reason: f.Reason, Source: "conversation"}
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
	i.record(out)
}

// grade returns what the confidence in the finding is computed from.
func (f *modelFinding) grade(kind obligations.EvidenceKind) obligations.Grade {
	sure := obligations.Of(usualSure)
	if f.Confidence != nil {
		sure = obligations.Of(*f.Confidence)
	}
	return obligations.Grade{Kind: kind, Hedged: f.Hedged, Vague: f.Vague, Model: &sure}
}

// addUnfit adds a refusal of an answer that cannot be the value. It does so only when
// the person answered what was asked or made a correction; a value that was merely
// mentioned is dropped.
func (i *interpreter) addUnfit(o *obligations.Obligation, f modelFinding) {
	if given := plainText(f.Value); given != "" && (i.asked(o) || f.Act == obligations.Correct) {
		if f.Quote != "" {
			given = f.Quote
		}
		i.out.Refused = append(i.out.Refused, chat.InvalidAnswer{Key: o.Key, Text: tidy(given, maxReasonRunes), Remedy: i.remedy(o.Template)})
	}
}

// addAssent adds assent to a value that was put to the person. Assent that comes with
// another value is a correction.
func (i *interpreter) addAssent(o *obligations.Obligation, f modelFinding) {
	held := o.Held()
	if i.asking(o, sessions.ToConfirm) && i.scene.Asked.Proposal != nil {
		held = i.scene.Asked.Proposal
	}
	switch given := coerce(o.Template, f.Value); {
	case given != nil && !obligations.SameValue(given, held):
		f.Act = obligations.Correct
		i.addValue(o, f)
	case held == nil || !i.meant(o, f.Quote):
	case i.asked(o):
		if f.Value = held; i.out.Intent == chat.Agree && !i.saysNow(f.Quote) {
			f.Quote = tidy(i.scene.Message, maxQuoteRunes)
		}
		if i.saysNow(f.Quote) {
			i.addValue(o, f)
		}
	case i.saysNow(f.Quote):
		grade := f.grade(obligations.Stated)
		grade.Loose = true
		e := obligations.Evidence{Kind: obligations.Stated, Message: i.scene.MessageID(), Quote: f.Quote}
		i.record(obligations.Finding{Key: o.Key, Act: obligations.Confirm, Value: held, Evidence: e, Grade: grade, Reason: f.Reason, Source: "conversation"})
	}
}

// meant reports whether the person could know that o was meant: it was asked, or the
// last reply or their own words name it. A "yes" confirms nothing else.
func (i *interpreter) meant(o *obligations.Obligation, quote string) bool {
	if i.asked(o) {
		return true
	}
	names := []string{chat.ValueInWords(o.Template, o.Value), o.Name()}
	last := i.lastReply()
	return slices.ContainsFunc(names, func(name string) bool {
		return contains(quote, name) || last != nil && contains(last.Content, name)
	})
}

// addRefusal adds an answer without a value: a rejection, "I don't know", "later" or
// "skip it". It must be in the person's words unless it answers the question, and
// even then what is satisfied is not given up without them.
func (i *interpreter) addRefusal(o *obligations.Obligation, f modelFinding) {
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
		if i.asking(o, sessions.ToConfirm) {
			out.Value = i.scene.Asked.Proposal
		}
	}
	i.record(out)
}

// record adds a finding and keeps one for each obligation, beside what files contain:
// a widget beats words, words that were said beat words that were not, a rejection and a
// value make a correction, and of two values the later is the person's last word.
func (i *interpreter) record(f obligations.Finding) {
	at := slices.IndexFunc(i.out.Findings, func(g obligations.Finding) bool { return g.Key == f.Key && fromFile(g) == fromFile(f) })
	if at < 0 {
		i.out.Findings = append(i.out.Findings, f)
		return
	}
	before := &i.out.Findings[at]
	switch {
	case before.Evidence.Kind == obligations.WidgetInput, fromFile(f):
	case i.saysNow(before.Evidence.Quote) && f.Evidence.Quote != "" && !i.saysNow(f.Evidence.Quote):
	case f.Act == obligations.Deny && before.Act == obligations.Tell && before.Evidence.Kind == obligations.Stated:
		before.Act = obligations.Correct
	case before.Act == obligations.Deny && f.Act == obligations.Tell && f.Evidence.Kind == obligations.Stated:
		f.Act = obligations.Correct
		*before = f
	case f.Act == obligations.Tell || f.Act == obligations.Correct:
		*before = f
	}
}

// addImplied adds what follows from the intent alone, for models that name the intent
// and leave out the finding.
func (i *interpreter) addImplied() {
	act, ok := impliedActs[i.out.Intent]
	subjects := i.subjects()
	if !ok || slices.ContainsFunc(subjects, i.touched) {
		return
	}
	yesOrNo := act == obligations.Confirm || act == obligations.Deny
	for _, o := range subjects {
		if o.Status != obligations.Satisfied && (!yesOrNo || i.asking(o, sessions.ToConfirm)) {
			certain := 1.0
			i.addFinding(modelFinding{Key: o.Key, Act: act, Quote: tidy(i.scene.Message, maxQuoteRunes), Confidence: &certain})
		}
	}
}

// impliedActs are the acts that follow from an intent alone.
var impliedActs = map[chat.Intent]obligations.Act{
	chat.SkipThis: obligations.Skip, chat.Later: obligations.Defer, chat.DontKnow: obligations.Unsure, chat.Agree: obligations.Confirm, chat.Disagree: obligations.Deny,
}

// touched reports whether anything was read about o.
func (i *interpreter) touched(o *obligations.Obligation) bool {
	return slices.ContainsFunc(i.out.Findings, func(f obligations.Finding) bool { return f.Key == o.Key }) ||
		slices.ContainsFunc(i.out.Refused, func(r chat.InvalidAnswer) bool { return r.Key == o.Key })
}

// subjects returns the obligations that the intent is about: the one the model names,
// else the ones that were asked.
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
