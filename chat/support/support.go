package support

import (
	"encoding/json"
	"time"

	"quaestor/obligations"
)

// Level is how well words support a value.
type Level int

// The levels, from the lowest.
const (
	None Level = iota // the words say something else, or nothing of it
	Weak              // the value may be meant; it has to be read back
	Full              // the value follows from the words
)

// String returns the level's name, such as "weak".
func (l Level) String() string { return [...]string{"none", "weak", "full"}[l] }

// Statement is a value and the words that it is said to rest on.
type Statement struct {
	Template *obligations.Template
	Value    json.RawMessage // of the template's shape
	Quote    string          // the words themselves
	Context  string          // the message they stand in; empty means that the quote is all of it
	Asked    bool            // they answer the template's question; else they were said in passing
	Now      time.Time       // when they were said

	// Similar returns the cosine of what two English texts mean. Nil means that there is
	// no text encoder: paraphrases then count as weak at most.
	Similar func(a, b string) float64
}

// Of returns how well the quote of s supports its value. A value that does not have the
// template's shape is not supported.
//
// Words in another language than the question's, such as a German answer to an English
// one, cannot be compared with labels and translated values: they support weakly at least.
func Of(s Statement) Level {
	if s.Template == nil || s.Quote == "" || s.Template.Check(s.Value) != nil {
		return None
	}
	w := newWording(&s)
	level := w.level()
	if level == None && w.crosses && s.Template.Widget != obligations.Number && s.Template.Widget != obligations.Date {
		return Weak
	}
	return level
}

// level returns how well the quote supports the value, by widget.
func (w *wording) level() Level {
	s := w.Statement
	switch s.Template.Widget {
	case obligations.Number:
		return w.linked(w.number())
	case obligations.Date:
		return w.linked(w.date())
	case obligations.ChoiceOne:
		var v string
		_ = json.Unmarshal(s.Value, &v) // has the shape
		return w.choice(v)
	case obligations.MultiSelect:
		return w.choices()
	case obligations.Text:
		var v string
		_ = json.Unmarshal(s.Value, &v) // has the shape
		return w.text(v)
	}
	return None
}

// choices supports a list as well as its items: fully when each of them is, and weakly
// when only some are, so that an invented one is read back with the others.
func (w *wording) choices() Level {
	var list []string
	_ = json.Unmarshal(w.Value, &list) // has the shape
	best, worst := None, Full
	for _, v := range list {
		level := w.choice(v)
		best, worst = max(best, level), min(worst, level)
	}
	if best > None && worst < Full {
		return Weak
	}
	return worst
}
