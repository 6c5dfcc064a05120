package talk

import (
	"cmp"
	"fmt"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// partView is a part of the interview with what is asked in it, in the order of the
// objective.
type partView struct {
	chat.AgendaPart
	List []*obligations.Obligation
}

// agenda is the course of the interview. One that is over asks nothing.
func (v ChatView) agenda() chat.Agenda {
	if v.closed() {
		return chat.AgendaOf(v.Obligations, nil)
	}
	return chat.AgendaOf(v.Obligations, v.Question)
}

// parts returns the parts of the interview in their order. What has no category is a part
// with a name of its own.
func (v ChatView) parts() []partView {
	agenda := v.agenda()
	out, at := make([]partView, len(agenda.Parts)), map[string]int{}
	for i, p := range agenda.Parts {
		at[p.Name] = i
		p.Name = cmp.Or(p.Name, v.say(ui.NoCategory))
		out[i].AgendaPart = p
	}
	for i := range v.Obligations {
		o := &v.Obligations[i]
		part := &out[at[o.Category]]
		part.List = append(part.List, o)
	}
	return out
}

// partState words the state of a part. Of an interview that is over nothing is to come.
func (v ChatView) partState(p partView) string {
	if v.closed() && p.State == chat.PartAhead {
		return v.say("Left open")
	}
	return v.say(partStates[p.State])
}

// partStates word the states of parts, and partIcons picture them.
var (
	partStates = map[chat.AgendaState]string{chat.PartDone: "Done", chat.PartNow: "Now", chat.PartAhead: "To come"}
	partIcons  = map[chat.AgendaState]string{chat.PartDone: "satisfied", chat.PartNow: "onward", chat.PartAhead: "pending"}
)

// minutesWords tell about how long the rest takes; empty for an interview that is over, or
// that has nothing open.
func (v ChatView) minutesWords() string {
	n := v.agenda().Minutes
	switch {
	case v.closed() || n == 0:
		return ""
	case n == 1:
		return v.say("About a minute left")
	}
	return v.say("About {n} minutes left", "{n}", fmt.Sprint(n))
}

// messageView is a message of the conversation as the reader sees it.
func (v ChatView) messageView(m sessions.Message) ui.MessageView {
	out := ui.MessageView{ID: "m-" + m.ID(), Role: m.Role, Author: v.own(ui.Author(m, v.User)), Content: m.Content}
	switch {
	case m.Interrupted:
		out.Note = v.say("Interrupted here")
	case m.Role == sessions.FromAssistant && !m.Complete:
		out.Note = v.say("Stopped")
	}
	return out
}

// own says the words for the reader and for somebody without a name in the language of the
// session; other names stay as they are.
func (v ChatView) own(name string) string {
	if name == ui.Phrases().You || name == ui.Phrases().Someone {
		return v.say(name)
	}
	return name
}

// evidenceIntro words what a piece of evidence is.
func (v ChatView) evidenceIntro(e obligations.Evidence, t *obligations.Template) string {
	words, pairs := ui.EvidenceWords(e, t, v.User, ui.Namer(v.Obligations))
	for i := range pairs {
		pairs[i] = v.own(pairs[i])
	}
	return v.say(words, pairs...)
}

// valueInSight is what an obligation holds, or the value that a dispute is about.
func (v ChatView) valueInSight(o *obligations.Obligation) string {
	if proposal, _ := o.Negotiation.Last(); len(o.Value) == 0 && len(proposal) > 0 && o.Negotiation.Open() {
		return v.say(ui.Phrases().Disputed, "{value}", ui.ValueIn(v.Session.Language, o.Template, proposal))
	}
	return ui.HeldIn(v.Session.Language, o)
}

// speaker names a person for the reader.
func (v ChatView) speaker(user string) string {
	return v.own(ui.SpeakerName(user, v.User))
}

// peopleTitle is the heading over the people of an interview. Others are those beside
// the owner; a person alone is not counted.
func (v ChatView) peopleTitle() string {
	if len(v.People) == 0 {
		return v.say("People in this interview")
	}
	return v.say("People in this interview: {n}", "{n}", fmt.Sprint(len(v.People)+1))
}

// sureWords says how sure a value is, in the language of the interview.
func (v ChatView) sureWords(c obligations.Confidence) string {
	return sessions.Sureness(v.Session.Language, c.Band())
}
