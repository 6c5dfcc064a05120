package obligations

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// Bounds of the rules of one obligation. They are more than a person can keep apart.
const (
	maxInferenceRules = 20
	maxPremises       = 8
)

// inference refuses rules that could never hold, or whose value could not be stored.
func (v *validator) inference(i int, list []Template, t *Template) {
	if len(t.Inference) > 0 && t.Collection != Inferred {
		v.add(at(i, "inference"), "rules are for what is inferred; set collectionType to inferred, or remove the rules")
	}
	if len(t.Inference) > maxInferenceRules {
		v.add(at(i, "inference"), "an obligation has at most %d rules, not %d", maxInferenceRules, len(t.Inference))
		return
	}
	for j := range t.Inference {
		v.rule(at(i, fmt.Sprintf("inference[%d]", j)), list, t, &t.Inference[j])
	}
}

func (v *validator) rule(place string, list []Template, t *Template, r *InferenceRule) {
	if m := strings.TrimSpace(r.Because); m == "" || len(m) > maxMessageBytes || strings.ContainsAny(m, unstorable) {
		v.add(place+".because", "say in one sentence of at most %d bytes why it follows", maxMessageBytes)
	}
	if r.Then == nil {
		v.add(place+".then", "the value that follows is missing")
	} else if err := t.Check(r.Then); err != nil {
		v.add(place+".then", "%s", err)
	}
	if len(r.When) == 0 || len(r.When) > maxPremises {
		v.add(place+".when", "a rule has 1 to %d conditions, not %d", maxPremises, len(r.When))
		return
	}
	for k := range r.When {
		v.premise(fmt.Sprintf("%s.when[%d]", place, k), list, t, &r.When[k])
	}
}

// premise refuses a condition on what does not exist, on what waits for the conclusion
// itself, and one that the other obligation can never meet.
func (v *validator) premise(place string, list []Template, t *Template, p *Premise) {
	at, ok := v.keys[p.Key]
	switch {
	case !ok:
		v.add(place+".key", "%q is concluded from %q, which does not exist", t.Key, language.Short(p.Key))
	case p.Key == t.Key:
		v.add(place+".key", "%q cannot be concluded from itself", t.Key)
	case v.waitsFor(list, p.Key, t.Key, map[string]bool{}):
		v.add(place+".key", "%q is concluded from %q, which waits for %[1]q", t.Key, p.Key)
	default:
		v.condition(place, &list[at], p)
	}
}

// waitsFor reports whether the obligation of key depends on other, directly or not.
func (v *validator) waitsFor(list []Template, key, other string, seen map[string]bool) bool {
	i, ok := v.keys[key]
	if !ok || seen[key] {
		return false
	}
	seen[key] = true
	return slices.ContainsFunc(list[i].Dependencies, func(d string) bool { return d == other || v.waitsFor(list, d, other, seen) })
}

// condition checks the test of a premise against the template of its obligation.
func (v *validator) condition(place string, t *Template, p *Premise) {
	bounded := p.AtLeast != nil || p.AtMost != nil
	tests := 0
	for _, there := range []bool{p.Equals != nil, p.In != nil, bounded, p.Contains != "", p.ContainsAny != nil} {
		if there {
			tests++
		}
	}
	if tests != 1 {
		v.add(place, "a condition has one of equals, in, contains, containsAny, or a bound (atLeast, atMost, or both); this one has %d", tests)
		return
	}
	if p.In != nil && len(p.In) == 0 {
		v.add(place+".in", "list at least one value")
	}
	v.same(place+".equals", t, p.Equals)
	for i, value := range p.In {
		v.same(fmt.Sprintf("%s.in[%d]", place, i), t, value)
	}
	if p.Contains != "" {
		v.contains(place+".contains", t, p.Contains)
	}
	if p.ContainsAny != nil && len(p.ContainsAny) == 0 {
		v.add(place+".containsAny", "name at least one word")
	}
	for i, s := range p.ContainsAny {
		v.contains(fmt.Sprintf("%s.containsAny[%d]", place, i), t, s)
	}
	v.bounds(place, t, p)
}

// same refuses a value that the obligation of t can never have.
func (v *validator) same(place string, t *Template, value json.RawMessage) {
	if value == nil {
		return
	}
	if err := t.Check(value); err != nil {
		v.add(place, "%s", err)
	}
}

func (v *validator) contains(place string, t *Template, s string) {
	switch {
	case t.Widget == MultiSelect:
		if err := t.checkChoice(s); err != nil {
			v.add(place, "%s", err)
		}
	case t.Widget != Text:
		v.add(place, "contains is for texts and for several choices; %q is a %s", t.Key, t.Widget)
	case len(language.Words(s)) == 0:
		v.add(place, "name a word that the text has to contain")
	}
}

func (v *validator) bounds(place string, t *Template, p *Premise) {
	v.bound(place, "atLeast", t, p.AtLeast)
	v.bound(place, "atMost", t, p.AtMost)
	least, _, first := ends(t, p.AtLeast)
	_, most, last := ends(t, p.AtMost)
	if first && last && least > most {
		v.add(place+".atLeast", "nothing is at least %s and at most %s", p.AtLeast, p.AtMost)
	}
}

func (v *validator) bound(place, name string, t *Template, bound json.RawMessage) {
	if bound == nil {
		return
	}
	low, high, ok := ends(t, bound)
	switch {
	case t.Widget != Number && t.Widget != Date:
		v.add(place+"."+name, "%s is for numbers and dates; %q is a %s", name, t.Key, t.Widget)
	case !ok || t.Widget == Number && low != high:
		v.add(place+"."+name, "%s must be a %s, not %s", name, t.Widget, language.Short(string(bound)))
	}
}
