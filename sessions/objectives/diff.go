package objectives

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// Diff is how one version of an objective differs from another.
type Diff struct {
	From    string       `json:"from"` // context type and version
	To      string       `json:"to"`
	Changes []Difference `json:"changes"`
}

// Difference is one thing that differs.
type Difference struct {
	Op     DiffOp          `json:"op"`
	Path   string          `json:"path"` // such as obligations.market.priority: what has a name is named by it
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// DiffOp is how a thing differs.
type DiffOp string

// The ways to differ.
const (
	DiffAdded   DiffOp = "added"
	DiffRemoved DiffOp = "removed"
	DiffChanged DiffOp = "changed"
)

// named are the members by which things in lists are told apart.
var named = []string{"key", "name", "value"}

// DiffOf returns the changes from a to b, ordered by path. It does not compare versions,
// nor the order of named things in lists. The order of obligations is the exception: it
// is a change of "obligations".
func DiffOf(a, b *Definition) (Diff, error) {
	d := Diff{From: a.ContextType + " " + a.Version, To: b.ContextType + " " + b.Version, Changes: []Difference{}}
	before, err := document(a)
	if err != nil {
		return d, err
	}
	after, err := document(b)
	if err != nil {
		return d, err
	}
	delete(before, "version")
	delete(after, "version")
	d.compare("", before, after)
	if x, y := keepIn(a.keys(), b.keys()), keepIn(b.keys(), a.keys()); !slices.Equal(x, y) {
		d.note(DiffChanged, "obligations", anyList(x), anyList(y))
	}
	slices.SortStableFunc(d.Changes, func(x, y Difference) int { return strings.Compare(x.Path, y.Path) })
	return d, nil
}

// keepIn returns the entries of list that are in other.
func keepIn(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(k string) bool { return !slices.Contains(other, k) })
}

func anyList(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// compare notes how two values at path differ, down to their parts.
func (d *Diff) compare(path string, before, after any) {
	x, xok := members(before)
	y, yok := members(after)
	if !xok || !yok {
		if !reflect.DeepEqual(before, after) {
			d.note(DiffChanged, path, before, after)
		}
		return
	}
	for name := range maps.Keys(x) {
		at := strings.TrimPrefix(path+"."+name, ".")
		if now, there := y[name]; there {
			d.compare(at, x[name], now)
		} else {
			d.note(DiffRemoved, at, x[name], nil)
		}
	}
	for name := range maps.Keys(y) {
		if _, there := x[name]; !there {
			d.note(DiffAdded, strings.TrimPrefix(path+"."+name, "."), nil, y[name])
		}
	}
}

// members returns the parts of an object, or of a list of named items.
func members(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case []any:
		return byName(v)
	}
	return nil, false
}

// byName returns the items of a list by their names; false unless all have different
// ones.
func byName(list []any) (map[string]any, bool) {
	out := map[string]any{}
	for _, item := range list {
		i := slices.IndexFunc(named, func(by string) bool { return nameOf(item, by) != "" })
		if i < 0 {
			return nil, false
		}
		name := nameOf(item, named[i])
		if _, twice := out[name]; twice {
			return nil, false
		}
		out[name] = item
	}
	return out, len(list) > 0
}

// note records a difference.
func (d *Diff) note(op DiffOp, path string, before, after any) {
	c := Difference{Op: op, Path: path}
	if op != DiffAdded {
		c.Before, _ = json.Marshal(before) // came out of JSON
	}
	if op != DiffRemoved {
		c.After, _ = json.Marshal(after)
	}
	d.Changes = append(d.Changes, c)
}

// Text returns the differences for people, one a line: + added, - removed, ~ changed.
func (d *Diff) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s → %s\n", d.From, d.To)
	if len(d.Changes) == 0 {
		b.WriteString("Nothing differs.\n")
	}
	for _, c := range d.Changes {
		switch c.Op {
		case DiffAdded:
			fmt.Fprintf(&b, "+ %s: %s\n", c.Path, brief(c.After))
		case DiffRemoved:
			fmt.Fprintf(&b, "- %s: %s\n", c.Path, brief(c.Before))
		case DiffChanged:
			fmt.Fprintf(&b, "~ %s: %s → %s\n", c.Path, brief(c.Before), brief(c.After))
		}
	}
	return b.String()
}

// brief returns a value in one short line; of an obligation, its question.
func brief(v json.RawMessage) string {
	var o struct{ Prompt string }
	if json.Unmarshal(v, &o) == nil && o.Prompt != "" {
		return language.Short(o.Prompt)
	}
	return language.Short(string(v))
}
