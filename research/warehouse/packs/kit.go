package packs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quaestor/research/warehouse"
)

// Kit is a pack as a project uses it: the base combined with one category, with the project's own
// texts replacing those of the pack. It is immutable.
type Kit struct {
	Version     Version
	Category    string
	Areas       []warehouse.Area // by priority, then id; their prompts are still templates
	Form        *ProfileForm
	context     *PromptTemplate
	exploration *PromptTemplate
	category    *PromptTemplate // nil if the category adds nothing
	recommend   *PromptTemplate
	analysis    map[string]*PromptTemplate // by area id
}

// The names of the texts that a project may replace; [AreaText] returns those of areas.
const (
	ContextText         = "base_context"
	ExplorationText     = "exploration"
	CategoryText        = "exploration_context"
	RecommendationsText = "recommendations"
)

// AreaText returns the name of an area's prompt among the texts.
func AreaText(area string) string { return "areas." + area }

// Texts returns the texts of the pack for a category, by name.
func (p *Pack) Texts(category string) map[string]string {
	base := p.Prompts.Base
	out := map[string]string{ContextText: base.Context, ExplorationText: base.Exploration, RecommendationsText: base.Recommendations, CategoryText: p.Prompts.Categories[category].Exploration}
	for _, a := range p.areasOf(category) {
		out[AreaText(a.ID)] = a.Prompt
	}
	return out
}

// areasOf returns the areas of the base and the category, by priority, then id.
func (p *Pack) areasOf(category string) []warehouse.Area {
	out := slices.Concat(p.Areas.Base, p.Areas.Categories[category])
	slices.SortFunc(out, func(a, b warehouse.Area) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), strings.Compare(a.ID, b.ID))
	})
	return out
}

// For combines the base with a category (empty for the base alone) and replaces the texts named
// in overrides. It returns every fault: a category that the pack does not have, an override of
// an unknown text, and whatever is wrong with a text.
func (p *Pack) For(category string, overrides map[string]string) (*Kit, []Fault) {
	if !p.HasCategory(category) {
		return nil, []Fault{{"category", fmt.Sprintf("%s has no category %q; it has %s", p.At(), category, p.categoryNames())}}
	}
	texts := p.Texts(category)
	b := &kitBuilder{}
	for _, name := range slices.Sorted(maps.Keys(overrides)) {
		if _, known := texts[name]; !known {
			b.fault(name, "%s has no text of this name for the category %q", p.At(), category)
			continue
		}
		texts[name] = overrides[name]
	}
	k := &Kit{Version: p.At(), Category: category, Areas: p.areasOf(category), analysis: map[string]*PromptTemplate{}}
	k.context = b.template(ContextText, texts, basePrompt)
	k.exploration = b.template(ExplorationText, texts, explorationPrompt)
	k.recommend = b.template(RecommendationsText, texts, recommendationsPrompt)
	if texts[CategoryText] != "" {
		k.category = b.template(CategoryText, texts, categoryPrompt)
	}
	for i := range k.Areas {
		name := AreaText(k.Areas[i].ID)
		k.Areas[i].Prompt = texts[name]
		k.analysis[k.Areas[i].ID] = b.template(name, texts, areaPrompt)
	}
	form, err := newForm(p.Profile.Base, p.Profile.Categories[category])
	if err != nil {
		b.faults = append(b.faults, Fault{"profile_schema", err.Error()})
	}
	k.Form = form
	return k, b.faults
}

// categoryNames lists the ids of the categories for a message.
func (p *Pack) categoryNames() string {
	var ids []string
	for _, c := range p.Categories {
		ids = append(ids, c.ID)
	}
	if ids == nil {
		return "none"
	}
	return strings.Join(ids, ", ")
}

// kitBuilder parses templates and collects their faults.
type kitBuilder struct{ faults []Fault }

// fault records a fault in a template of that name.
func (b *kitBuilder) fault(name, format string, args ...any) {
	b.faults = append(b.faults, Fault{within("prompts", name), fmt.Sprintf(format, args...)})
}

// template parses a text and checks it like that of a pack; it returns nil if it does not parse.
func (b *kitBuilder) template(name string, texts map[string]string, kind promptKind) *PromptTemplate {
	c := &checker{}
	must := map[promptKind][]string{areaPrompt: {QueryResults}, recommendationsPrompt: {InsightsData}}[kind]
	c.prompt(within("prompts", name), texts[name], kind, must...)
	if kind == explorationPrompt {
		c.exploration(within("prompts", name), texts[name])
	}
	for _, f := range c.faults {
		b.faults = append(b.faults, Fault{strings.TrimPrefix(f.Path, "pack."), f.Message})
	}
	t, err := NewTemplate(texts[name], kind.placeholders())
	if err != nil {
		return nil
	}
	return t
}

// Exploration returns the system prompt of a run: the context, then the task. What the category
// adds goes to its placeholder, or to the end if the prompt has none.
func (k *Kit) Exploration(v Values) (string, error) {
	v = maps.Clone(v)
	v[CategoryContext] = ""
	if k.category != nil {
		text, err := k.category.Fill(v)
		if err != nil {
			return "", fmt.Errorf("prompt %s of %s: %w", CategoryText, k.Version, err)
		}
		v[CategoryContext] = strings.TrimSpace(text)
	}
	text, err := k.after(ExplorationText, k.exploration, v)
	if err == nil && !k.exploration.Uses(CategoryContext) && v[CategoryContext] != "" {
		text += "\n\n" + v[CategoryContext]
	}
	return text, err
}

// Analysis returns the prompt for an area.
func (k *Kit) Analysis(area string, v Values) (string, error) {
	t := k.analysis[area]
	if t == nil {
		return "", fmt.Errorf("%s has no area %q in the category %q", k.Version, area, k.Category)
	}
	return k.after(AreaText(area), t, v)
}

// Recommendations returns the prompt for recommendations.
func (k *Kit) Recommendations(v Values) (string, error) {
	return k.after(RecommendationsText, k.recommend, v)
}

// after returns the context followed by a prompt, both filled.
func (k *Kit) after(name string, t *PromptTemplate, v Values) (string, error) {
	head, err := k.context.Fill(v)
	if err != nil {
		return "", fmt.Errorf("prompt %s of %s: %w", ContextText, k.Version, err)
	}
	body, err := t.Fill(v)
	if err != nil {
		return "", fmt.Errorf("prompt %s of %s: %w", name, k.Version, err)
	}
	return strings.TrimSpace(head) + "\n\n" + strings.TrimSpace(body), nil
}
