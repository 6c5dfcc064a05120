package chat

import (
	"math"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
)

// Agenda is the course of an interview: its parts in the order in which they were or will be
// talked about, and how long the rest will take.
type Agenda struct {
	Minutes int          `json:"minutesLeft" doc:"about how many minutes of talk are left; 0 when nothing is open"`
	Parts   []AgendaPart `json:"parts"`
}

// AgendaPart is a part of an interview: the obligations of one category.
type AgendaPart struct {
	Name     string      `json:"name" doc:"the category; empty for what has none"`
	State    AgendaState `json:"state" enum:"done,now,ahead"`
	Total    int         `json:"total"`
	Resolved int         `json:"resolved" doc:"known, or left out"`
	Open     []string    `json:"open" doc:"keys of what is open, in the order of the objective"`
}

// AgendaState is where a part stands.
type AgendaState string

// The states of a part.
const (
	PartDone  AgendaState = "done"  // nothing in it is open
	PartNow   AgendaState = "now"   // what is asked belongs to it
	PartAhead AgendaState = "ahead" // something in it is open
)

// secondsAnswer is how long a question and its answer take: the shipped interviews of about
// twenty obligations are announced as fifteen minutes, that is about 40 s each, read-backs included.
const secondsAnswer = 40

// AgendaOf returns the course of an interview whose obligations are list and which asks q;
// q may be nil. Parts stand in the order of the objective.
func AgendaOf(list []obligations.Obligation, q *sessions.Question) Agenda {
	a := Agenda{Parts: []AgendaPart{}}
	open := 0
	for i := range list {
		o := &list[i]
		part := a.part(o.Category)
		part.Total++
		switch {
		case !o.Resolved():
			open++
			part.Open = append(part.Open, o.Key)
			if part.State == PartDone {
				part.State = PartAhead
			}
		default:
			part.Resolved++
		}
		if slices.Contains(q.Keys(), o.Key) {
			part.State = PartNow
		}
	}
	a.Minutes = minutes(open)
	return a
}

// part returns the part of that name, which it adds where it is new.
func (a *Agenda) part(name string) *AgendaPart {
	i := slices.IndexFunc(a.Parts, func(p AgendaPart) bool { return p.Name == name })
	if i < 0 {
		a.Parts = append(a.Parts, AgendaPart{Name: name, State: PartDone, Open: []string{}})
		i = len(a.Parts) - 1
	}
	return &a.Parts[i]
}

// minutes returns about how long so many questions take: whole minutes, from ten on in steps
// of five, since nobody knows better.
func minutes(questions int) int {
	m := int(math.Ceil(float64(questions) * secondsAnswer / 60))
	if m > 10 {
		m = (m + 4) / 5 * 5
	}
	return m
}

// Ahead returns the names of the parts in which something is open, the present one first.
func (a Agenda) Ahead() []string {
	var now, ahead []string
	for _, p := range a.Parts {
		switch {
		case p.Name == "" || p.State == PartDone:
		case p.State == PartNow:
			now = append(now, p.Name)
		case p.State == PartAhead:
			ahead = append(ahead, p.Name)
		}
	}
	return append(now, ahead...)
}
