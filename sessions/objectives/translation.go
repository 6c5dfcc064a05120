package objectives

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// Translation is what an objective says to people in another language than its own. What
// is left out is said in the objective's own. Keys, values, conditions and everything for
// the interviewer alone have no translation.
type Translation struct {
	DisplayName string              `json:"displayName,omitempty"`
	Description string              `json:"description,omitempty"`
	Greeting    string              `json:"greeting,omitempty"`
	Phases      PhaseEntries        `json:"phases,omitzero"`
	Categories  map[string]string   `json:"categories,omitempty"`  // category as the obligations have it → its name
	Constraints map[string]string   `json:"constraints,omitempty"` // name of a constraint → its message
	Pools       map[string][]string `json:"pools,omitempty"`       // pool id → wordings; their number may differ

	Obligations map[string]TemplateTranslation `json:"obligations,omitempty"` // by key
}

// PhaseEntries is what is said when a phase begins, phase by phase.
type PhaseEntries struct {
	Opening     string `json:"opening,omitempty"`
	Exploration string `json:"exploration,omitempty"`
	Validation  string `json:"validation,omitempty"`
	Closing     string `json:"closing,omitempty"`
}

// TemplateTranslation is what an obligation says to people in another language. Cues and
// examples of the translation replace those of the objective, for the words that announce an
// answer in one language announce nothing in another; so do the rules of what is concluded
// from words.
type TemplateTranslation struct {
	Label    string                       `json:"label,omitempty"`
	Prompt   string                       `json:"prompt,omitempty"`
	Why      string                       `json:"why,omitempty"`
	Probe    string                       `json:"probe,omitempty"`
	Examples []string                     `json:"examples,omitempty"`
	Cues     []string                     `json:"cues,omitempty"`
	Choices  map[string]ChoiceTranslation `json:"choices,omitempty"` // by value

	Inference []obligations.InferenceRule `json:"inference,omitempty"`
}

// ChoiceTranslation is how a choice is called in another language. Its value stays.
type ChoiceTranslation struct {
	Label    string   `json:"label,omitempty"`
	Synonyms []string `json:"synonyms,omitempty"`
}

// OwnLanguage returns the BCP 47 tag of the language that d is written in: the one it
// names, else the one that its questions are recognised to be in, else "en".
func (d *Definition) OwnLanguage() string {
	if d.Language != "" {
		return d.Language
	}
	prompts := make([]string, len(d.Obligations))
	for i := range d.Obligations {
		prompts[i] = d.Obligations[i].Prompt
	}
	found, _ := language.Detect(strings.Join(prompts, "\n"), language.Languages())
	return cmp.Or(found, "en")
}

// Languages returns the languages that d speaks: its own, then those it is translated to,
// in alphabetical order.
func (d *Definition) Languages() []string {
	return append([]string{d.OwnLanguage()}, slices.Sorted(maps.Keys(d.Translations))...)
}

// In returns d as it is spoken in a language: an objective of that language, with the same
// keys and values. It is d itself where d has no such translation, as for "". What it
// returns must not be published: it is a view of the same version.
func (d *Definition) In(tag string) *Definition {
	t, ok := d.Translations[tag]
	if !ok || tag == d.Language {
		return d
	}
	out := *d
	out.Language = tag
	out.DisplayName = cmp.Or(t.DisplayName, d.DisplayName)
	out.Description = cmp.Or(t.Description, d.Description)
	out.Greeting = cmp.Or(t.Greeting, d.Greeting)
	out.Phases = t.Phases.in(d.Phases)
	if len(t.Pools) > 0 {
		out.Pools = map[string][]string{}
		maps.Copy(out.Pools, d.Pools)
		maps.Copy(out.Pools, t.Pools)
	}
	out.Constraints = slices.Clone(d.Constraints)
	for i := range out.Constraints {
		c := &out.Constraints[i]
		c.Message = cmp.Or(t.Constraints[c.Name], c.Message)
	}
	out.Obligations = make([]obligations.Template, len(d.Obligations))
	for i := range d.Obligations {
		out.Obligations[i] = t.in(d.Obligations[i])
	}
	return &out
}

// in returns the phases with the translated entries in place of theirs.
func (e PhaseEntries) in(p Phases) Phases {
	p.Opening.Entry = cmp.Or(e.Opening, p.Opening.Entry)
	p.Exploration.Entry = cmp.Or(e.Exploration, p.Exploration.Entry)
	p.Validation.Entry = cmp.Or(e.Validation, p.Validation.Entry)
	p.Closing.Entry = cmp.Or(e.Closing, p.Closing.Entry)
	return p
}

// in returns an obligation as the translation words it.
func (t *Translation) in(o obligations.Template) obligations.Template {
	o.Category = cmp.Or(t.Categories[o.Category], o.Category)
	words, ok := t.Obligations[o.Key]
	if !ok {
		return o
	}
	o.Label = cmp.Or(words.Label, o.Label)
	o.Prompt = cmp.Or(words.Prompt, o.Prompt)
	o.Why = cmp.Or(words.Why, o.Why)
	o.Probe = cmp.Or(words.Probe, o.Probe)
	if words.Examples != nil {
		o.Examples = words.Examples
	}
	if words.Cues != nil {
		o.Cues = words.Cues
	}
	if words.Inference != nil {
		o.Inference = words.Inference
	}
	o.Choices = slices.Clone(o.Choices)
	for i := range o.Choices {
		c := &o.Choices[i]
		said := words.Choices[c.Value]
		c.Label = cmp.Or(said.Label, c.Label)
		if said.Synonyms != nil {
			c.Synonyms = said.Synonyms
		}
	}
	return o
}

// Speak gives the obligations of a session of d their templates in a language, as
// [Definition.In] has them, and returns d in that language. Obligations that d does not
// define keep theirs: they came up in the session.
func (d *Definition) Speak(tag string, list []obligations.Obligation) *Definition {
	if len(d.Translations) == 0 {
		return d
	}
	spoken := d.In(tag)
	for i := range list {
		if t := spoken.Template(list[i].Key); t != nil {
			list[i].Template = t
		}
	}
	return spoken
}

// Prune removes from the translations what d does not have any more: obligations, choices,
// pools, constraints and categories. All else is kept untouched, so that an edit of the
// objective's own texts loses no translation.
func (d *Definition) Prune() {
	categories, constraints := map[string]bool{}, map[string]bool{}
	for i := range d.Obligations {
		categories[d.Obligations[i].Category] = true
	}
	for _, c := range d.Constraints {
		constraints[c.Name] = true
	}
	for _, t := range d.Translations {
		maps.DeleteFunc(t.Categories, func(name, _ string) bool { return !categories[name] })
		maps.DeleteFunc(t.Constraints, func(name, _ string) bool { return !constraints[name] })
		maps.DeleteFunc(t.Pools, func(id string, _ []string) bool { return d.Pools[id] == nil })
		maps.DeleteFunc(t.Obligations, func(key string, words TemplateTranslation) bool {
			o := d.Template(key)
			if o != nil {
				maps.DeleteFunc(words.Choices, func(v string, _ ChoiceTranslation) bool { return o.Pick(v) == nil })
			}
			return o == nil
		})
	}
}
