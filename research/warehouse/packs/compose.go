package packs

import (
	"encoding/json"
	"path"
	"strings"

	"quaestor/research/warehouse"
)

// Outline is what is particular to a pack. The texts that all packs share, which explain the task,
// the actions and their bounds, come from the server.
type Outline struct {
	Slug, Name, Description, Version, Author string

	Context         string           // what the field is about
	Exploration     string           // where an analyst of the field looks, and what misleads
	Recommendations string           // what good advice is in the field
	Areas           []warehouse.Area // whose prompts are what to ask of the results
	Profile         json.RawMessage
}

// Compose returns the pack of an outline. What keeps it from being used, [Pack.Faults] tells.
func Compose(o Outline) *Pack {
	p := &Pack{Slug: o.Slug, Name: o.Name, Description: o.Description, Version: o.Version, Author: o.Author}
	p.Profile.Base = o.Profile
	p.Prompts.Base = BasePrompts{
		Context:         withOwn("base_context.md", o.Context),
		Exploration:     withOwn("exploration.md", o.Exploration),
		Recommendations: withOwn("recommendations.md", o.Recommendations),
	}
	for _, a := range o.Areas {
		a.Prompt = withOwn("analysis.md", "# "+a.Name+"\n\n"+a.Description+"\n\n"+a.Prompt)
		p.Areas.Base = append(p.Areas.Base, a)
	}
	return p
}

// withOwn returns a common text with a pack's own part inserted.
func withOwn(name, own string) string {
	return strings.Replace(mustRead(path.Join("builtin/common", name)), "{{>own}}", strings.TrimSpace(own), 1)
}

// TextFaults returns what is wrong with a text that is inserted into prompts, such as a placeholder
// that does not exist. path names the text in the faults.
func TextFaults(path, text string) []Fault {
	if _, err := NewTemplate(text, general); err != nil {
		return []Fault{{path, err.Error() + "; leave it out, or write one of these"}}
	}
	return nil
}
