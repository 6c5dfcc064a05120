package objectives

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// languageFaults refuses what is no language tag, and translations that name what d does
// not have.
func (d *Definition) languageFaults() (faults Faults) {
	if tag, ok := language.CanonicalTag(d.Language); d.Language != "" && (!ok || tag != d.Language) {
		faults = append(faults, badTag("language", d.Language, tag))
	}
	for _, tag := range slices.Sorted(maps.Keys(d.Translations)) {
		path := "translations." + tag
		canonical, ok := language.CanonicalTag(tag)
		switch {
		case !ok || canonical != tag:
			faults = append(faults, badTag(path, tag, canonical))
		case tag == d.Language:
			faults = append(faults, misplaced(path, "the objective is written in %q already; change its texts there, and remove this", tag))
		}
		t := d.Translations[tag]
		faults = append(faults, d.translationFaults(path, &t)...)
	}
	return faults
}

// badTag refuses a language tag and names its canonical spelling, if it has one.
func badTag(path, tag, canonical string) *fault.Error {
	if canonical == "" {
		return misplaced(path, "a language is a BCP 47 tag, such as de or pt-BR; %q is none", language.Short(tag))
	}
	return misplaced(path, "the language %q is written %q", tag, canonical)
}

// translationFaults refuses what t names and d does not have.
func (d *Definition) translationFaults(path string, t *Translation) (faults Faults) {
	var categories, constraints []string
	for i := range d.Obligations {
		categories = append(categories, d.Obligations[i].Category)
	}
	for _, c := range d.Constraints {
		constraints = append(constraints, c.Name)
	}
	faults = append(faults, unknownNames(path+".categories", "category", t.Categories, categories)...)
	faults = append(faults, unknownNames(path+".constraints", "constraint", t.Constraints, constraints)...)
	faults = append(faults, unknownNames(path+".pools", "pool", t.Pools, slices.Sorted(maps.Keys(d.Pools)))...)
	faults = append(faults, unknownNames(path+".obligations", "obligation", t.Obligations, d.keys())...)
	faults = append(faults, poolFaults(path+".pools", t.Pools)...)
	for _, key := range slices.Sorted(maps.Keys(t.Obligations)) {
		o := d.Template(key)
		if o == nil {
			continue
		}
		var values []string
		for _, c := range o.Choices {
			values = append(values, c.Value)
		}
		faults = append(faults, unknownNames(path+".obligations."+key+".choices", "choice", t.Obligations[key].Choices, values)...)
		faults = append(faults, d.inferenceFaults(path+".obligations."+key, key, t.Obligations[key].Inference)...)
	}
	return faults
}

// inferenceFaults refuses the rules of a translation that d itself could not have.
func (d *Definition) inferenceFaults(path, key string, rules []obligations.InferenceRule) (faults Faults) {
	if rules == nil {
		return nil
	}
	list := slices.Clone(d.Obligations)
	i := slices.IndexFunc(list, func(t obligations.Template) bool { return t.Key == key })
	list[i].Inference = rules
	own := fmt.Sprintf("obligations[%d]", i)
	for _, f := range obligations.Validate(list) {
		if rest, ok := strings.CutPrefix(f.Field, own); ok && strings.HasPrefix(rest, ".inference") {
			faults = append(faults, f.At(path+rest))
		}
	}
	return faults
}

// unknownNames refuses the names of a part of a translation that known does not list.
func unknownNames[V any](path, what string, part map[string]V, known []string) (faults Faults) {
	for _, name := range slices.Sorted(maps.Keys(part)) {
		if slices.Contains(known, name) {
			continue
		}
		f := misplaced(path+"."+name, "there is no %s %q to translate; there are: %s", what, language.Short(name), clipList(known))
		if len(known) == 0 {
			f = misplaced(path+"."+name, "there is no %s to translate here; remove it", what)
		}
		faults = append(faults, f)
	}
	return faults
}

// translations remarks on what the translations leave out, and on their questions and
// choices as on those of the objective.
func (l *linter) translations(d *Definition) {
	for _, tag := range slices.Sorted(maps.Keys(d.Translations)) {
		path := "translations." + tag
		if _, here := l.places.at[path]; !here {
			continue // it comes from the layer below
		}
		t := d.Translations[tag]
		if missing := t.missing(d); len(missing) > 0 {
			l.add(LintWarning, path, "%s; the objective's own language is used there", strings.Join(missing, "; "))
		}
		spoken := d.In(tag)
		for i := range spoken.Obligations {
			o := &spoken.Obligations[i]
			at := path + ".obligations." + o.Key
			if words, there := t.Obligations[o.Key]; there {
				if missing := words.missing(&d.Obligations[i]); len(missing) > 0 {
					l.add(LintWarning, at, "the translation lacks: %s; the objective's own language is used there", strings.Join(missing, ", "))
				}
				l.wording(at, o)
				l.closed(at, o)
			}
		}
	}
}

// missing returns what d says outside of its obligations, and the obligations, that have no
// translation.
func (t *Translation) missing(d *Definition) (out []string) {
	categories, keys := map[string]bool{}, []string{}
	for i := range d.Obligations {
		o := &d.Obligations[i]
		categories[o.Category] = o.Category != "" && t.Categories[o.Category] == ""
		if _, there := t.Obligations[o.Key]; !there {
			keys = append(keys, o.Key)
		}
	}
	constraints, pools := map[string]bool{}, map[string]bool{}
	for _, c := range d.Constraints {
		constraints[c.Name] = c.Message != "" && t.Constraints[c.Name] == ""
	}
	for id := range d.Pools {
		pools[id] = len(t.Pools[id]) == 0
	}
	for _, part := range []struct {
		what  string
		names []string
	}{
		{"texts", lacking(t.missingTexts(d))}, {"categories", lacking(categories)}, {"constraints", lacking(constraints)},
		{"pools", lacking(pools)}, {"obligations", keys},
	} {
		if len(part.names) > 0 {
			out = append(out, part.what+" not translated: "+clipList(part.names))
		}
	}
	return out
}

// missingTexts reports for each single text of d whether it has no translation.
func (t *Translation) missingTexts(d *Definition) map[string]bool {
	lacks := func(said, own string) bool { return said == "" && own != "" }
	return map[string]bool{
		"displayName": lacks(t.DisplayName, d.DisplayName), "description": lacks(t.Description, d.Description), "greeting": lacks(t.Greeting, d.Greeting),
		"phases.opening": lacks(t.Phases.Opening, d.Phases.Opening.Entry), "phases.exploration": lacks(t.Phases.Exploration, d.Phases.Exploration.Entry),
		"phases.validation": lacks(t.Phases.Validation, d.Phases.Validation.Entry), "phases.closing": lacks(t.Phases.Closing, d.Phases.Closing.Entry),
	}
}

// lacking returns the names for which names says true, in alphabetical order.
func lacking(names map[string]bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(name string) bool { return !names[name] })
}

// missing returns the parts of an obligation that have no translation.
func (t *TemplateTranslation) missing(o *obligations.Template) (out []string) {
	for _, x := range []struct {
		name  string
		lacks bool
	}{
		{"label", t.Label == "" && o.Label != ""}, {"prompt", t.Prompt == ""}, {"why", t.Why == "" && o.Why != ""},
		{"examples", len(t.Examples) == 0 && len(o.Examples) > 0}, {"cues", len(t.Cues) == 0 && len(o.Cues) > 0},
	} {
		if x.lacks {
			out = append(out, x.name)
		}
	}
	for _, c := range o.Choices {
		said := t.Choices[c.Value]
		if said.Label == "" {
			out = append(out, fmt.Sprintf("choices.%s.label", c.Value))
		}
		if len(said.Synonyms) == 0 && len(c.Synonyms) > 0 {
			out = append(out, fmt.Sprintf("choices.%s.synonyms", c.Value))
		}
	}
	return out
}
