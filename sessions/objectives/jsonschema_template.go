package objectives

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// name fills in what the whole objective is called.
func (w *schemaWalk) name(d *Definition, root *schemaNode) {
	text := func(name string) string {
		s, _ := root.raw[name].(string)
		return s
	}
	d.ContextType = cmp.Or(d.ContextType, text("x-context-type"), keyOf(segmentOf(strings.ToLower(root.title)+"_objective")))
	d.Version = cmp.Or(d.Version, text("x-version"), "1.0.0")
	if strings.TrimSpace(d.DisplayName) == "" {
		d.DisplayName = titleOf(root, d.ContextType)
	}
	d.Phases = Phases{Opening: PhaseConfig{Goal: "Understand what this is about."}, Exploration: PhaseConfig{Goal: "Learn what the schema asks for."},
		Validation: PhaseConfig{Goal: "Confirm what is not sure."}, Closing: PhaseConfig{Goal: "Sum up what was learnt."}}
}

// fill makes the obligations.
func (w *schemaWalk) fill(d *Definition, list []*leaf) {
	for _, l := range list {
		d.Obligations = append(d.Obligations, w.template(l, list))
		if l.required {
			d.Completion.Required = append(d.Completion.Required, l.key)
		}
	}
	d.Completion.MinSatisfied = len(d.Completion.Required)
	d.Completion.MinConfidence = obligations.DefaultSatisfied
}

func (w *schemaWalk) template(l *leaf, list []*leaf) obligations.Template {
	t := obligations.Template{Key: l.key, FieldPath: l.fieldPath, Label: titleOf(l.schemaNode, l.props[len(l.props)-1]), Category: l.category, Priority: 4}
	if l.required {
		t.Priority = 7
	}
	w.widget(&t, l.schemaNode)
	w.words(&t, l)
	w.extensions(&t, l, list)
	if t.ValueType = valueType(l.raw, &t, l.props[len(l.props)-1]); !t.SuitsWidget() {
		w.refuse(l.path+"/x-value-type", "must be one of %s", strings.Join(obligations.ValueTypes[t.Widget], ", "))
	}
	return t
}

// widget chooses the input and what makes its value good enough for the schema.
func (w *schemaWalk) widget(t *obligations.Template, n *schemaNode) {
	conditions := []string{"confidence >= 0.71"}
	limit := func(name, format string) {
		if v, there := n.raw[name]; there {
			conditions = append(conditions, fmt.Sprintf(format, v))
		}
	}
	format, _ := n.raw["format"].(string)
	switch {
	case n.kind == "array":
		t.Widget, t.Choices = obligations.MultiSelect, choicesOf(n.items)
		limit("minItems", "len(value) >= %v")
		limit("maxItems", "len(value) <= %v")
	case n.enum != nil:
		t.Widget, t.Choices = obligations.ChoiceOne, choicesOf(n)
	case n.kind == "boolean":
		t.Widget = obligations.ChoiceOne
		t.Choices = []obligations.Choice{{Value: "true", Label: "Yes"}, {Value: "false", Label: "No"}}
	case n.kind == "integer" || n.kind == "number":
		t.Widget, t.Integer = obligations.Number, n.kind == "integer"
		t.Min, t.Max = number(n.raw["minimum"]), number(n.raw["maximum"])
		limit("exclusiveMinimum", "value > %v")
		limit("exclusiveMaximum", "value < %v")
		conditions = append(conditions, "float(value) == value") // a range is no number
	case format == "date":
		t.Widget = obligations.Date
		conditions = append(conditions, "len(value) == 10") // a whole date
	default:
		t.Widget = obligations.Text
		limit("minLength", "len(value) >= %v")
		limit("maxLength", "len(value) <= %v")
	}
	if len(conditions) > 1 {
		t.SatisfiedWhen = strings.Join(conditions, " && ")
	}
}

func number(v any) *float64 {
	n, ok := v.(json.Number)
	f, err := n.Float64()
	if !ok || err != nil {
		return nil
	}
	return &f
}

func choicesOf(n *schemaNode) []obligations.Choice {
	out := make([]obligations.Choice, len(n.enum))
	for i, v := range n.enum {
		c := obligations.Choice{Value: choiceValue(v)}
		c.Label = cmp.Or(strings.TrimSpace(n.labels[i]), strings.TrimSpace(strings.ReplaceAll(c.Value, "_", " ")), c.Value)
		if c.Value == "true" || c.Value == "false" {
			c.Label = map[string]string{"true": "Yes", "false": "No"}[c.Value]
		}
		out[i] = c
	}
	return out
}

// words makes the question, and what it is for.
func (w *schemaWalk) words(t *obligations.Template, l *leaf) {
	description := strings.TrimSpace(l.description)
	t.Prompt, _ = l.raw["x-prompt"].(string)
	t.Why = description
	switch {
	case strings.TrimSpace(t.Prompt) != "":
	case strings.HasSuffix(description, "?"):
		t.Prompt, t.Why = description, ""
	case isQuestion(t.Label):
		t.Prompt = questionOf(t.Label)
	case l.kind == "array":
		t.Prompt = "Which of these apply: " + language.LowerFirst(t.Label) + "?"
	case l.kind == "boolean":
		t.Prompt = t.Label + ": yes or no?"
	default:
		t.Prompt = questionOf(t.Label)
	}
	t.Why = cmp.Or(t.Why, "It is part of what this interview is to find out.")
	list, _ := l.raw["examples"].([]any)
	for _, e := range list {
		body, err := json.Marshal(e)
		if word := choiceValue(body); err == nil && strings.TrimSpace(word) != "" {
			t.Examples = append(t.Examples, word)
		}
	}
}

// extensions reads x-priority, x-expertise, x-cues and x-depends-on.
func (w *schemaWalk) extensions(t *obligations.Template, l *leaf, list []*leaf) {
	if v, there := l.raw["x-priority"]; there {
		n, ok := v.(json.Number)
		p, err := n.Int64()
		if !ok || err != nil || p < 1 || p > 10 {
			w.refuse(l.path+"/x-priority", "must be a whole number from 1 to 10")
		}
		t.Priority = int(p)
	}
	t.ExpertiseRequired, _ = l.raw["x-expertise"].(string)
	if v, there := l.raw["x-cues"]; there {
		if list, ok := v.([]any); !ok || len(list) == 0 || slices.ContainsFunc(list, func(c any) bool { s, ok := c.(string); return !ok || strings.TrimSpace(s) == "" }) {
			w.refuse(l.path+"/x-cues", "must be a list of words")
		} else {
			for _, c := range list {
				t.Cues = append(t.Cues, c.(string))
			}
		}
	}
	v, there := l.raw["x-depends-on"]
	names, ok := v.([]any)
	if there && !ok {
		w.refuse(l.path+"/x-depends-on", "must be a list of properties")
	}
	for _, item := range names {
		name, _ := item.(string)
		i := slices.IndexFunc(list, func(o *leaf) bool {
			return o != l && (o.fieldPath == name || strings.Join(o.props, ".") == name || o.props[len(o.props)-1] == name || o.key == name)
		})
		if i < 0 {
			w.refuse(l.path+"/x-depends-on", "%q is no other property that is asked for", language.Short(name))
			continue
		}
		t.Dependencies = append(t.Dependencies, list[i].key)
	}
}
