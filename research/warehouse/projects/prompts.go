package projects

import (
	"context"
	"maps"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/packs"
)

// Prompt is a text of a project beside that of its pack.
type Prompt struct {
	Name  string // as packs.Pack.Texts has it
	Title string // for people
	Pack  string // the pack's
	Now   string // in force
	Own   bool   // the project has its own
}

// PromptsOver returns the texts of a project over its pack, in the order in which a run uses them. Texts that the
// pack's category does not have are left out.
func (d Spec) PromptsOver(pack *packs.Pack) []Prompt {
	texts := pack.Texts(d.Category)
	var out []Prompt
	for _, name := range namesOf(pack, d.Category) {
		if texts[name] == "" && d.Prompts[name] == "" {
			continue
		}
		p := Prompt{Name: name, Title: promptTitle(pack, d.Category, name), Pack: texts[name], Now: texts[name]}
		if own, ok := d.Prompts[name]; ok {
			p.Now, p.Own = own, true
		}
		out = append(out, p)
	}
	return out
}

// namesOf returns the names of a pack's texts: the context, the exploration, the areas, the
// recommendations.
func namesOf(pack *packs.Pack, category string) []string {
	out := []string{packs.ContextText, packs.ExplorationText, packs.CategoryText}
	if kit, _ := pack.For(category, nil); kit != nil {
		for _, a := range kit.Areas {
			out = append(out, packs.AreaText(a.ID))
		}
	}
	return append(out, packs.RecommendationsText)
}

// promptTitle returns what a text is called on pages.
func promptTitle(pack *packs.Pack, category, name string) string {
	switch name {
	case packs.ContextText:
		return "The field"
	case packs.ExplorationText:
		return "Exploration"
	case packs.CategoryText:
		return "Exploration of the category"
	case packs.RecommendationsText:
		return "Recommendations"
	}
	if kit, _ := pack.For(category, nil); kit != nil {
		for _, a := range kit.Areas {
			if packs.AreaText(a.ID) == name {
				return "Area: " + a.Name
			}
		}
	}
	return name
}

// SetPrompt gives a project its own text in the place of the pack's, or takes it back if text is nil
// or the pack's. An unknown placeholder and whatever else is wrong with it is Unprocessable at
// prompts.NAME. version is the one that the user has seen; 0 means any.
func (s Store) SetPrompt(ctx context.Context, tenant, id, by string, version int, name string, text *string) (Project, error) {
	p, err := s.Find(ctx, tenant, id)
	if err != nil {
		return p, err
	}
	pack, err := s.Pack(ctx, tenant, p.Pack)
	if err != nil {
		return p, err
	}
	base, known := pack.Texts(p.Category)[name]
	if !known {
		return p, fault.New(fault.NotFound, "%s has no text %q", p.Pack, name).Coded("prompt_not_found")
	}
	d := p.Spec
	d.Prompts = maps.Clone(p.Prompts)
	if d.Prompts == nil {
		d.Prompts = map[string]string{}
	}
	if text == nil || plainText(*text) == plainText(base) {
		delete(d.Prompts, name)
	} else {
		d.Prompts[name] = plainText(*text)
	}
	if version == 0 {
		version = p.Version
	}
	return s.Update(ctx, tenant, id, by, version, d)
}

// plainText returns a text with the line ends of Unix and without spaces around it, since forms send
// others.
func plainText(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))
}

// Change is what an upgrade of the pack does with one text.
type Change string

// The changes.
const (
	Unchanged Change = "unchanged" // nobody changed it
	Upgraded  Change = "upgraded"  // the pack changed it, and the project takes that over
	Kept      Change = "kept"      // the project changed it and the pack did not
	Both      Change = "both"      // both changed it: somebody has to choose
	Added     Change = "added"     // only the new version has it
	Removed   Change = "removed"   // the new version does not have it; a text of the project's own is lost
)

// PromptUpgrade is one text in an upgrade.
type PromptUpgrade struct {
	Name, Title string
	Change      Change
	Before      string // of the version that the project is on
	After       string // of the new version
	Own         string // the project's; empty if it has none
}

// Upgrade is a change of a project to another version of its pack.
type Upgrade struct {
	From, To packs.Version
	Prompts  []PromptUpgrade
}

// Conflicts returns the texts for which somebody has to choose.
func (u Upgrade) Conflicts() []PromptUpgrade {
	return slices.DeleteFunc(slices.Clone(u.Prompts), func(p PromptUpgrade) bool { return p.Change != Both })
}

// upgradeOver compares three texts of each name: those of the version that a project is on, those of
// the new one, and the project's own.
func upgradeOver(before, after *packs.Pack, d Spec) Upgrade {
	u := Upgrade{From: before.At(), To: after.At()}
	was, is := before.Texts(d.Category), after.Texts(d.Category)
	names := namesOf(after, d.Category)
	for _, name := range namesOf(before, d.Category) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		own, hasOwn := d.Prompts[name]
		p := PromptUpgrade{Name: name, Title: promptTitle(after, d.Category, name), Before: was[name], After: is[name], Own: own}
		if p.Title == name {
			p.Title = promptTitle(before, d.Category, name)
		}
		_, had := was[name]
		_, has := is[name]
		switch changed := plainText(p.Before) != plainText(p.After); {
		case !has:
			p.Change = Removed
		case !had:
			p.Change = Added
		case !changed && !hasOwn:
			p.Change = Unchanged
		case !changed:
			p.Change = Kept
		case !hasOwn, plainText(own) == plainText(p.After):
			p.Change = Upgraded
		default:
			p.Change = Both
		}
		if p.Before != "" || p.After != "" || p.Own != "" {
			u.Prompts = append(u.Prompts, p)
		}
	}
	return u
}

// UpgradeOf returns what an upgrade of a project to the newest version of its pack would do; nil if
// it is on that.
func (s Store) UpgradeOf(ctx context.Context, tenant string, p Project) (*Upgrade, error) {
	after, err := s.Pack(ctx, tenant, packs.Version{Slug: p.Pack.Slug})
	if err != nil || after.At() == p.Pack {
		return nil, err
	}
	before, err := s.Pack(ctx, tenant, p.Pack)
	if err != nil {
		return nil, err
	}
	u := upgradeOver(before, after, p.Spec)
	return &u, nil
}

// The decisions about a text that both changed. Any other text is the one that is to be used.
const (
	TakePack = "pack" // the new version's
	KeepOwn  = "own"
)

// Upgrade moves a project to the newest version of its pack. Texts that the project did not change
// are those of the new version from now on, and its own stay where the pack's did not change. For each
// text that both changed, decided has TakePack, KeepOwn or a text; a missing decision is a Conflict at
// prompts.NAME. Own texts that the new version has no place for are dropped. A project that is on the
// newest version is a Conflict.
func (s Store) Upgrade(ctx context.Context, tenant, id, by string, version int, decided map[string]string) (Project, error) {
	p, err := s.Find(ctx, tenant, id)
	if err != nil {
		return p, err
	}
	u, err := s.UpgradeOf(ctx, tenant, p)
	if err != nil {
		return p, err
	}
	if u == nil {
		return p, fault.New(fault.Conflict, "the project is on the newest version of its pack, %s", p.Pack).Coded("pack_newest")
	}
	d := p.Spec
	d.Pack, d.Prompts = u.To, map[string]string{}
	for _, one := range u.Prompts {
		switch one.Change {
		case Kept:
			d.Prompts[one.Name] = one.Own
		case Both:
			text := decided[one.Name]
			if text == KeepOwn {
				text = one.Own
			}
			if plainText(text) == "" {
				return p, fault.New(fault.Conflict, "“%s” was changed by you and by the pack: take the pack's, keep yours, or write another", one.Title).At("prompts." + one.Name).Coded("prompt_conflict")
			}
			if text != TakePack && plainText(text) != plainText(one.After) {
				d.Prompts[one.Name] = plainText(text)
			}
		case Unchanged, Upgraded, Added, Removed:
		}
	}
	if version == 0 {
		version = p.Version
	}
	return s.Update(ctx, tenant, id, by, version, d)
}
