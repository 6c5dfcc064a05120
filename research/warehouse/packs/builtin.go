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

// builtinFiles hold a folder a pack, and common, the texts that all of them share.
// A pack's folder has
//
//	pack.json           names, categories, areas without their prompts, profile
//	context.md          what the field is about
//	exploration.md      where an analyst of the field would look, and what misleads
//	recommendations.md  what good advice is there
//	areas/ID.md         what to ask of the results of an area
//	categories/ID.md    what a category adds to the exploration
//
// which go into the places that the common texts have for them.
//
//go:embed builtin
var builtinFiles embed.FS

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

// Builtin returns the packs that come with the server, by their slugs. They are
// shared and must not be changed.
func Builtin() []*Pack {
	all := builtin()
	out := make([]*Pack, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name])
	}
	return out
}

// BuiltinBySlug returns the pack that comes with the server under a slug.
func BuiltinBySlug(slug string) (*Pack, bool) {
	p, ok := builtin()[slug]
	return p, ok
}

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

// loader reads the files of one pack. A file that is not there is a fault of the
// program.
type loader struct{ folder string }

func (l loader) read(name string) string { return mustRead(path.Join(l.folder, name)) }

// common returns a text that all packs share, with what this one has to say in it.
func (l loader) common(name, own string) string {
	return strings.Replace(mustRead(path.Join("builtin/common", name)), "{{>own}}", own, 1)
}

func (l loader) areas(list []warehouse.Area) {
	for i, a := range list {
		own := "# " + a.Name + "\n\n" + a.Description + "\n\n" + l.read("areas/"+a.ID+".md")
		list[i].Prompt = l.common("analysis.md", own)
	}
}

func mustRead(name string) string {
	text, err := builtinFiles.ReadFile(name)
	if err != nil {
		panic("packs: " + err.Error())
	}
	return strings.TrimSpace(string(text))
}
