package claims

import (
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/obligations"
)

// choiceForm is one way to name a choice.
type choiceForm struct {
	choice int
	stems  []string
	exact  string // how it must be written; empty when case does not matter
}

// namesOf lists the ways to name each choice: label, its parts, value, synonyms.
// Words that name nothing by themselves ("Other", "Yes") are left out.
func namesOf(choices []obligations.Choice) []choiceForm {
	var out []choiceForm
	for i, c := range choices {
		texts := append([]string{c.Label}, c.Synonyms...)
		if len(c.Value) > shortName || c.Label == "" {
			texts = append(texts, strings.ReplaceAll(c.Value, "_", " "))
		}
		for _, sep := range []string{"/", " or ", "("} {
			if parts := strings.Split(c.Label, sep); len(parts) > 1 {
				texts = append(texts, parts...)
			}
		}
		for _, s := range texts {
			out = addForm(out, i, strings.Trim(s, " ()"))
		}
	}
	return out
}

// vague name no choice by themselves.
var vague = set("other others none yes no all any both some unknown unsure not_sure n/a na maybe neither either")

// shortName is the length in runes up to which case tells a name from a word:
// "Go", "IT".
const shortName = 3

func addForm(list []choiceForm, choice int, text string) []choiceForm {
	f := choiceForm{choice: choice}
	matters := false
	for _, t := range cut(text) {
		if t.class != sign {
			f.stems = append(f.stems, t.key())
			matters = matters || !vague[t.text] && (!stopwords[t.text] || t.upper)
		}
	}
	if utf8.RuneCountInString(text) <= shortName {
		f.exact = text
	}
	if !matters || slices.ContainsFunc(list, func(o choiceForm) bool {
		return o.choice == choice && o.exact == f.exact && slices.Equal(o.stems, f.stems)
	}) {
		return list
	}
	return append(list, f)
}

// key is what a token is compared by.
func (t *token) key() string {
	if t.stem != "" {
		return t.stem
	}
	return t.text
}

// choices returns the choices that p names and does not deny, ascending. Where
// names overlap the longest counts.
func (p *passage) choices(forms []choiceForm) []int {
	var out []int
	for i := 0; i < len(p.toks); {
		best, length := -1, 0
		for _, f := range forms {
			if n := p.spellsForm(i, f); n > length {
				best, length = f.choice, n
			}
		}
		if best < 0 {
			i++
			continue
		}
		if !p.denied[i+length-1] && !slices.Contains(out, best) {
			out = append(out, best)
		}
		i += length
	}
	slices.Sort(out)
	return out
}

// spellsForm returns how many tokens of p, from i on, spell f; 0 when they do
// not. Hyphens within do not matter.
func (p *passage) spellsForm(i int, f choiceForm) int {
	j := i
	for n, s := range f.stems {
		if n > 0 && p.is(j, "-") {
			j++
		}
		if j >= len(p.toks) || p.toks[j].class == sign || p.toks[j].key() != s {
			return 0
		}
		j++
	}
	if f.exact != "" && f.exact != p.src[p.toks[i].from:p.toks[j-1].to] {
		return 0
	}
	return j - i
}
