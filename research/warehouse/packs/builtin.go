package packs

import (
	"embed"
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"quaestor/research/warehouse"
)

// builtinFiles has a folder for each pack, and "common" with the texts that all of them share.
// A pack's folder has
//
//	pack.json           names, categories, areas without their prompts, profile
//	context.md          what the field is about
//	exploration.md      where an analyst of the field would look, and what misleads
//	recommendations.md  what good advice is in the field
//	areas/ID.md         what to ask of the results of an area
//	categories/ID.md    what a category adds to the exploration
//
// whose contents are inserted into the common texts.
//
//go:embed builtin
var builtinFiles embed.FS

// builtin loads the packs that come with the server, by slug, on first use.
var builtin = sync.OnceValue(func() map[string]*Pack {
	out := map[string]*Pack{}
	folders, err := fs.ReadDir(builtinFiles, "builtin")
	if err != nil {
		panic("packs: " + err.Error())
	}
	for _, f := range folders {
		if f.Name() != "common" {
			out[f.Name()] = loadBuiltin(f.Name())
		}
	}
	return out
})

// Builtin returns the packs that come with the server, ordered by slug. They are shared and must
// not be changed.
func Builtin() []*Pack {
	all := builtin()
	out := make([]*Pack, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name])
	}
	return out
}

// BuiltinBySlug returns the pack with that slug that comes with the server.
func BuiltinBySlug(slug string) (*Pack, bool) {
	p, ok := builtin()[slug]
	return p, ok
}

// loadBuiltin assembles a pack from its folder. A mistake in it is a mistake in the program, so
// it panics.
func loadBuiltin(folder string) *Pack {
	l := loader{path.Join("builtin", folder)}
	p := &Pack{}
	if err := json.Unmarshal([]byte(l.read("pack.json")), p); err != nil {
		panic("packs: " + folder + ": " + err.Error())
	}
	p.Author, p.Published = "Quaestor", true
	p.Prompts.Base = BasePrompts{
		Context:         l.common("base_context.md", l.read("context.md")),
		Exploration:     l.common("exploration.md", l.read("exploration.md")),
		Recommendations: l.common("recommendations.md", l.read("recommendations.md")),
	}
	p.Prompts.Categories = map[string]CategoryPrompts{}
	for _, c := range p.Categories {
		p.Prompts.Categories[c.ID] = CategoryPrompts{l.read("categories/" + c.ID + ".md")}
	}
	l.areas(p.Areas.Base)
	for _, list := range p.Areas.Categories {
		l.areas(list)
	}
	return p
}

// loader reads the files of one pack and panics if one is missing.
type loader struct{ folder string }

// read returns a file of the pack's folder.
func (l loader) read(name string) string { return mustRead(path.Join(l.folder, name)) }

// common returns a common text with this pack's own part inserted.
func (l loader) common(name, own string) string {
	return withOwn(name, own)
}

func (l loader) areas(list []warehouse.Area) {
	for i, a := range list {
		own := "# " + a.Name + "\n\n" + a.Description + "\n\n" + l.read("areas/"+a.ID+".md")
		list[i].Prompt = l.common("analysis.md", own)
	}
}

// mustRead returns an embedded file. A missing one is a programming error, which the
// tests find.
func mustRead(name string) string {
	text, err := builtinFiles.ReadFile(name)
	if err != nil {
		panic("packs: " + err.Error())
	}
	return strings.TrimSpace(string(text))
}
