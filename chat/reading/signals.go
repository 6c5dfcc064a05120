package reading

import (
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// signals notes what is worth remembering of the turn.
func (r *reader) signals() {
	s := &r.out.Signals
	s.Topic = r.topic()
	for _, f := range r.out.Findings {
		r.followFinding(f)
	}
	r.spokenOf()
	s.Style, s.Preferences = readStyle(r.scene.Message)
	r.preferences()
	r.notesTongue()
}

// notesTongue notes the language of a message that is in none we understand, so that the
// person is told so once.
func (r *reader) notesTongue() {
	if tag := messages.Foreign(r.scene.Message); tag != "" {
		r.prefer(chat.WritesIn, tag)
	}
}

// prefer notes a preference.
func (r *reader) prefer(name, value string) {
	if r.out.Signals.Preferences == nil {
		r.out.Signals.Preferences = map[string]string{}
	}
	r.out.Signals.Preferences[name] = value
}

// topic is what the turn was about: the first obligation it says something of,
// else the one asked.
func (r *reader) topic() string {
	if r.out.About != "" {
		return r.out.About
	}
	if len(r.out.Findings) > 0 {
		return r.out.Findings[0].Key
	}
	return r.askedKey()
}

// breather is how many turns pass before what stayed vague or unsure is gone back
// to: at once it would be a cross-examination.
const breather = 3

// followFinding schedules a return to what stayed vague or unsure, and ends it
// for what is known now.
func (r *reader) followFinding(f obligations.Finding) {
	s := &r.out.Signals
	o := r.find(f.Key)
	if o == nil {
		return
	}
	follow := func(key, said string) {
		s.FollowUps = append(s.FollowUps, sessions.FollowUp{Key: f.Key, Reason: r.noteOf(key, said), Priority: o.Priority})
	}
	soon := func(key, said string) {
		follow(key, said)
		s.FollowUps[len(s.FollowUps)-1].Turn = r.scene.Turn + breather
	}
	switch f.Act {
	case obligations.Tell, obligations.Correct:
		switch {
		case f.Grade.Vague:
			soon("note.vague", f.Evidence.Quote)
		case f.Grade.Hedged:
			soon("note.unsure", f.Evidence.Quote)
		default:
			s.Done = append(s.Done, f.Key)
		}
	case obligations.Confirm:
		s.Done = append(s.Done, f.Key)
	case obligations.Skip:
		s.Done = append(s.Done, f.Key)
	case obligations.Unsure:
		follow("note.unknown", "")
	case obligations.Deny:
		follow("note.denied", "")
	case obligations.Asked, obligations.Reopen, obligations.Defer: // what is put off is promised by the plan
	}
}

// mentionedWith is how surely what is spoken of in one breath belongs together.
const mentionedWith = 0.6

// spokenOf schedules a return to what was spoken of without its value: "a tight
// deadline" without a date.
func (r *reader) spokenOf() {
	if r.out.Intent != chat.Answer && r.out.Intent != chat.Correction {
		return
	}
	seen := map[string]bool{r.askedKey(): true}
	for _, n := range r.namings() {
		dated := n.o.Widget == obligations.Number || n.o.Widget == obligations.Date
		if seen[n.o.Key] || !dated || n.label || n.o.Value != nil || n.o.Resolved() || r.told(n.o.Key) {
			continue
		}
		seen[n.o.Key] = true
		about := wordRange{max(n.from-2, 0), min(n.to+1, len(r.words))}
		start, end := r.bytes(about)
		r.out.Signals.FollowUps = append(r.out.Signals.FollowUps, sessions.FollowUp{
			Key: n.o.Key, Reason: r.noteOf(r.lacking(n.o, about), r.raw[start:end]), Priority: n.o.Priority, Turn: r.scene.Turn + 1})
		if from := r.askedKey(); from != "" {
			r.out.Signals.Relationships = append(r.out.Signals.Relationships, sessions.Relation{From: from, To: n.o.Key, Type: "mentioned_with", Confidence: mentionedWith})
		}
		if len(seen) > 4 {
			return
		}
	}
}

// noteOf words why to come back to something that somebody said.
func (r *reader) noteOf(key, said string) string {
	return chat.MessagesOf(r.scene).Text(key, messages.Args{"quote": messages.Quote(field.Clip(said, 60))})
}

// lacking is the note on what some words leave out of o: a date, a figure, or nothing where they
// have one, which nothing was read from.
func (r *reader) lacking(o *obligations.Obligation, about wordRange) string {
	words, values := r.words[about.from:about.to], language.NewReader(r.language())
	switch {
	case len(values.Figures(words))+len(values.Dates(words, r.scene.Now, language.Ahead)) > 0:
		return "note.spoken-of"
	case o.Widget == obligations.Date:
		return "note.without-date"
	}
	return "note.without-figure"
}

// preferences adds what the person shows to like without saying so: brevity when they
// are short three times.
func (r *reader) preferences() {
	if _, said := r.out.Signals.Preferences[chat.Brevity]; !said && r.tersely() {
		r.prefer(chat.Brevity, "true")
	}
}

// tersely reports whether this message and the two before it have at most three
// words each.
func (r *reader) tersely() bool {
	if n := r.count(); n == 0 || n > 3 {
		return false
	}
	short := 0
	for i := len(r.scene.Transcript) - 1; i >= 0 && short < 2; i-- {
		m := r.scene.Transcript[i]
		if m.Role != sessions.FromUser {
			continue
		}
		if len(strings.Fields(m.Content)) > 3 {
			return false
		}
		short++
	}
	return short == 2
}
