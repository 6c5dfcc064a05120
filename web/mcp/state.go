package mcp

import (
	"context"
	"fmt"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// Bounds of an interview as tools return it.
const (
	maxKnown   = 100
	maxReply   = 8_000 // characters
	maxValue   = 500   // characters
	maxChoices = 50
)

// interview is where an interview stands.
type interview struct {
	SessionID string  `json:"sessionId"`
	Objective string  `json:"objective" jsonschema:"contextType of the objective"`
	Language  string  `json:"language,omitempty" jsonschema:"BCP 47 tag"`
	Status    string  `json:"status" jsonschema:"active or completed"`
	Phase     string  `json:"phase"`
	Ended     string  `json:"ended,omitempty" jsonschema:"why it ended or rests"`
	Progress  float64 `json:"progress" jsonschema:"0 to 1: how much is resolved"`
	Turn      int     `json:"turn" jsonschema:"number of the latest turn"`
	Running   bool    `json:"running" jsonschema:"the reply is still being made; call get_interview in a moment"`
	Reply     string  `json:"reply" jsonschema:"what the interviewer said last"`
	Question  *asked  `json:"question,omitempty" jsonschema:"what is asked now; absent when nothing is"`
	Known     []point `json:"known" jsonschema:"what is known by now"`
	Left      int     `json:"knownLeftOut" jsonschema:"points that are known and not listed here; read_brief has all"`
	Open      int     `json:"open" jsonschema:"how many points are not known yet"`
}

// asked is what the person is asked.
type asked struct {
	Purpose string   `json:"purpose" jsonschema:"what it is for: ask, form, confirm, probe, conflict, approve, widen, finish"`
	Key     string   `json:"key,omitempty" jsonschema:"for answers of continue_interview"`
	Prompt  string   `json:"prompt"`
	Widget  string   `json:"widget,omitempty" jsonschema:"how it is answered: text, choice, multiselect, number, date and others"`
	Choices []choice `json:"choices,omitempty"`
	Other   bool     `json:"allowOther,omitempty" jsonschema:"an answer outside the choices is taken"`
	Unit    string   `json:"unit,omitempty"`
	Why     string   `json:"why,omitempty" jsonschema:"what the answer is for"`
	Fields  []field  `json:"fields,omitempty" jsonschema:"of a form: the questions in it"`
}

// field is a question of a form.
type field struct {
	Key     string   `json:"key"`
	Prompt  string   `json:"prompt"`
	Widget  string   `json:"widget,omitempty"`
	Choices []choice `json:"choices,omitempty"`
}

type choice struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// point is something that is known.
type point struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Value  string `json:"value"`
	Sure   string `json:"sure" jsonschema:"low, medium, high or very high"`
	Status string `json:"status"`
}

// state returns a session as it is, with what the interviewer said in a turn. An earlier
// turn counts when that one has said nothing yet.
func (s *Handlers) state(ctx context.Context, found sessions.Session, turn int) (interview, error) {
	_, list, err := s.Known(ctx, found)
	if err != nil {
		return interview{}, err
	}
	said, err := sessions.Transcript(ctx, s.Pool, found.Scope(), max(0, turn-2), 0)
	if err != nil {
		return interview{}, err
	}
	running, err := s.Engine.Running(ctx, found.Scope())
	if err != nil {
		return interview{}, err
	}
	found.Question.Complete(obligations.TemplateOf(list))
	out := interview{SessionID: found.ID, Objective: found.ContextType, Language: found.Language, Status: string(found.Status), Phase: string(found.Phase), Ended: string(found.StopReason),
		Progress: found.Progress, Turn: found.Turns, Running: running > 0, Question: toQuestion(found.Question), Known: []point{}}
	for _, m := range said {
		if m.Role == sessions.FromAssistant && m.Turn <= turn {
			out.Reply = clip(m.Content, maxReply)
		}
	}
	out.count(list)
	return out, nil
}

// count adds what is known and how much is open.
func (v *interview) count(list []obligations.Obligation) {
	for i := range list {
		o := &list[i]
		switch {
		case o.Held() == nil:
			if o.Open() {
				v.Open++
			}
		case len(v.Known) == maxKnown:
			v.Left++
		default:
			v.Known = append(v.Known, point{Key: o.Key, Name: o.Name(), Value: clip(ui.HeldValue(o), maxValue), Sure: string(o.Confidence.Band()), Status: string(o.Status)})
		}
	}
}

func toQuestion(q *sessions.Question) *asked {
	if q == nil {
		return nil
	}
	return &asked{Purpose: string(q.Purpose), Key: q.Key, Prompt: clip(q.Prompt, maxText), Widget: string(q.Widget), Choices: toChoices(q.Choices), Other: q.Other, Unit: q.Unit,
		Why: clip(q.Why, maxText), Fields: web.Map(q.Fields, func(f sessions.Question) field {
			return field{f.Key, clip(f.Prompt, maxText), string(f.Widget), toChoices(f.Choices)}
		})}
}

func toChoices(list []obligations.Choice) []choice {
	return web.Map(list[:min(len(list), maxChoices)], func(c obligations.Choice) choice { return choice{c.Value, clip(c.Label, maxValue)} })
}

// text is the reply and what is asked, for clients that show no structured content.
func (v interview) text() string {
	out := []string{fmt.Sprintf("Interview %s: %s, %d %% resolved.", v.SessionID, v.Status, int(v.Progress*100))}
	if v.Running {
		out = append(out, "The reply is still being made; call get_interview in a moment.")
	}
	if v.Reply != "" {
		out = append(out, "", v.Reply)
	}
	if q := v.Question; q != nil {
		if !strings.Contains(v.Reply, q.Prompt) {
			out = append(out, "", q.Prompt)
		}
		for _, c := range q.Choices {
			out = append(out, "- "+c.Label+" ("+c.Value+")")
		}
	}
	return lines(out)
}
