package builtin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"quaestor/internal/language"
	"quaestor/research/warehouse"
)

// Analyst is the analyst without a model. It keeps nothing, and may be used by many
// at once.
type Analyst struct{}

var _ warehouse.Analyst = Analyst{}

// Name says that there is no model.
func (Analyst) Name() string { return "built-in analyst" }

// Next returns the reply to s: one JSON object in the form that
// [warehouse.ParseAction] reads. It makes no calls and costs nothing. The error is
// that of ctx.
func (Analyst) Next(ctx context.Context, s warehouse.Situation) (warehouse.Reply, error) {
	if err := ctx.Err(); err != nil {
		return warehouse.Reply{}, err
	}
	m := newMind(s)
	m.live()
	then := m.decide()
	for range maxFailures { // a reply that was not understood is not said again
		if s.Rejected == "" || m.reply(then) != s.Rejected || then.done {
			break
		}
		m.drop(then)
		then = m.decide()
	}
	return warehouse.Reply{Text: m.reply(then)}, nil
}

// reply writes a move.
func (m *mind) reply(then move) string {
	switch {
	case then.done:
		return object(completion{true, m.summary()})
	case then.search != "":
		return object(searching{"The catalog is long: which tables have to do with " + m.areas[m.searched].name + "?", then.search, warehouse.DefaultSearchTopK})
	case len(then.tables) > 0:
		return object(m.lookup(then.tables))
	default:
		return object(query{then.say.thinking, then.say.query, then.say.purpose})
	}
}

// The forms of a reply.
type (
	query struct {
		Thinking string `json:"thinking"`
		Query    string `json:"query"`
		Purpose  string `json:"query_purpose"`
	}
	lookup struct {
		Thinking string   `json:"thinking"`
		Tables   []string `json:"lookup_schema"`
	}
	searching struct {
		Thinking string `json:"thinking"`
		Words    string `json:"search_tables"`
		TopK     int    `json:"search_top_k"`
	}
	completion struct {
		Done    bool   `json:"done"`
		Summary string `json:"summary"`
	}
)

// lookup asks for the columns of tables.
func (m *mind) lookup(tables []*table) lookup {
	out := lookup{}
	for _, t := range tables {
		out.Tables = append(out.Tables, t.ref)
	}
	n := m.s.Catalog.Len()
	switch {
	case m.queries > 0:
		out.Thinking = "The tables so far have shown most of what they have; these come next."
	case n == len(tables) && n == 1:
		out.Thinking = "There is one table; first of all its columns."
	case n == len(tables):
		out.Thinking = fmt.Sprintf("There are %d tables; first of all their columns.", n)
	default:
		out.Thinking = fmt.Sprintf("Of %s these promise most by their size, their times and figures, and how they hang together; first of all their columns.", language.Count(int64(n), "table"))
	}
	return out
}

// object writes v as JSON on one line.
func object(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("builtin: " + err.Error()) // strings and numbers only
	}
	return string(bytes.TrimSpace(b.Bytes()))
}
