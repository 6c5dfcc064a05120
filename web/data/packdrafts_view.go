package data

import (
	"strings"

	"quaestor/research/warehouse/packdrafts"
	"quaestor/research/warehouse/projects"
	"quaestor/web/ui"
)

// PacksView is what [Packs] shows.
type PacksView struct {
	Nav    ui.Nav
	Notice string
	Packs  []projects.PackVersion
	Drafts []packdrafts.Draft
}

// NewDraftView is what [NewDraft] shows.
type NewDraftView struct {
	Nav        ui.Nav
	Failure    string
	Form       ui.FormView
	Warehouses []ui.Choice
	HasModel   bool
}

// focus reports whether a field is the first at fault.
func (v NewDraftView) focus(name string) bool {
	return v.Form.First("draft", name, []string{"name", "warehouse", "slice", "urls", "files", "notes"})
}

// PackDraftView is what [PackDraft] shows.
type PackDraftView struct {
	Nav             ui.Nav
	Notice, Failure string
	Form            ui.FormView // of a section, called section. and its key
	HasModel        bool
	packdrafts.Draft
}

// accepted is how many sections are accepted.
func (v PackDraftView) accepted() int {
	n := 0
	for _, s := range v.Sections {
		if s.State == packdrafts.AcceptedSection {
			n++
		}
	}
	return n
}

// isChanging reports whether there is soon more to see. What somebody typed and was refused is not
// drawn over.
func (v PackDraftView) isChanging() bool {
	return v.State == packdrafts.Drafting && v.Form.Name == ""
}

// stateWords tells how far the draft is.
func (v PackDraftView) stateWords() string {
	switch v.State {
	case packdrafts.Drafting:
		return "It is being drafted; each section shows here as it comes."
	case packdrafts.Open:
		return "Look at each section, change what is wrong, and accept it."
	case packdrafts.Failed:
		return "It could not be drafted: " + v.Draft.Failure
	case packdrafts.Accepted:
		return "It is accepted as " + v.Slug + "@" + v.Version + "."
	}
	return ""
}

// byWords tells who wrote a section.
func byWords(s packdrafts.Section) string {
	switch {
	case s.State == packdrafts.Waiting:
		return "is being drafted"
	case s.By == "rules":
		return "drafted by rules, from the tables and the terms of the documents"
	case s.By == "person":
		return "changed by hand"
	}
	return "drafted by " + s.By
}

// readWords tells what became of a source.
func readWords(s packdrafts.Source) string {
	switch s.State {
	case "waiting":
		return "is being read"
	case "failed":
		return "could not be read: " + s.Why
	}
	return ui.Count(len(strings.Fields(s.Text)), "word")
}

// isArea reports whether a section is about an area.
func isArea(s packdrafts.Section) bool { return strings.HasPrefix(s.Key, "area.") }

// form is the name of a section's form.
func form(s packdrafts.Section) string { return "section." + s.Key }

// hasText reports whether a section has a text.
func hasText(s packdrafts.Section) bool {
	return s.Key != packdrafts.About && s.Key != packdrafts.Profile
}
