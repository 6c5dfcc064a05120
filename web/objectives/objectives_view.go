package objectives

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web/ui"
)

// ShelfView is what the page of all objectives shows.
type ShelfView struct {
	Nav     ui.Nav
	Topics  []TopicRow
	Adrift  []DraftRow // drafts of contexts that have no version yet
	MayEdit bool
	Begin   BeginForm
}

// TopicRow is a context type, by its active version.
type TopicRow struct {
	ContextType, Name, Description, Version string
	ID                                      string // of the active version
	Layer                                   obligations.Layer
	Questions, Versions                     int
	On                                      sessions.VersionCount // all its versions together
	Drafts                                  []DraftRow
}

// DraftRow is a draft in a list.
type DraftRow struct {
	ID, Name, Version, By string // By edited it last
	Questions             int
	At                    time.Time
}

// BeginForm is the form that begins a draft, as it was sent.
type BeginForm struct {
	From        string // "nothing", "version" or "file"
	Version     string // id of the version to begin from
	Name        string
	ContextType string
	Document    string
	Schema      bool // the document is a JSON Schema
	Wrong       []Wrong
	Remarks     []objectives.Diagnostic // on the document
}

// wrong is what was wrong with a field; empty when nothing was.
func wrongIn(list []Wrong, field string) string {
	i := slices.IndexFunc(list, func(w Wrong) bool { return w.Field == field })
	if i < 0 {
		return ""
	}
	return list[i].Message
}

// TopicView is what the page of a context type shows.
type TopicView struct {
	Nav             ui.Nav
	ContextType     string
	Name            string
	Versions        []VersionRow
	Drafts          []DraftRow
	Releases        []ReleaseRow
	MayEdit         bool
	Notice, Failure string
}

// Active returns the version new sessions use; nil for none.
func (v *TopicView) Active() *VersionRow {
	i := slices.IndexFunc(v.Versions, func(r VersionRow) bool { return r.Active })
	if i < 0 {
		return nil
	}
	return &v.Versions[i]
}

// VersionRow is a published version.
type VersionRow struct {
	ID, Version string
	Layer       obligations.Layer
	Base        string // what it is a layer on; empty when it was written whole
	Active      bool
	Questions   int
	On          sessions.VersionCount
	At          time.Time
	By, Note    string // of its publication; empty where nobody is known
}

// ReleaseRow is that a version became active.
type ReleaseRow struct {
	Version, By, Note string
	Act               objectives.ReleaseAct
	At                time.Time
}

// layerName says where a version comes from.
func layerName(l obligations.Layer) string {
	switch l {
	case obligations.Shipped:
		return "Shipped with Quaestor"
	case obligations.TenantLayer:
		return "Your own"
	case obligations.SessionOnly:
		return "Of single interviews"
	}
	return string(l)
}

// objectivePath is where a context type's page is.
func objectivePath(contextType string, more ...string) string {
	return "/objectives/" + strings.Join(append([]string{contextType}, more...), "/")
}

// draftPath is where a part of a draft is edited.
func draftPath(id string, more ...string) string {
	return "/drafts/" + strings.Join(append([]string{id}, more...), "/")
}

func questionPath(id string, n int) string { return draftPath(id, "q", strconv.Itoa(n)) }

// MoveView is the page of what going over to the active version would do to
// running interviews.
type MoveView struct {
	Nav                        ui.Nav
	ContextType, Name, Version string
	Moves                      []MoveRow
	More                       bool // there are more than are shown
}

// MoveRow is an interview and what would become of it.
type MoveRow struct {
	Session, User, From string
	Migration           *sessions.Migration // nil when it could not be tried
	Why                 string              // it could not
}

// fateRow counts obligations of one fate.
type fateRow struct {
	Name string
	N    int
}

// fates counts what would become of an interview's obligations; nothing that is
// nought.
func fates(m *sessions.Migration) []fateRow {
	var out []fateRow
	for _, f := range []struct {
		fate obligations.Disposition
		name string
	}{{obligations.Kept, "kept"}, {obligations.Retyped, "rewritten"}, {obligations.Reopened, "asked again"}, {obligations.Removed, "left out"}, {obligations.Restored, "restored"}, {obligations.Added, "new"}} {
		if n := m.Count(f.fate); n > 0 {
			out = append(out, fateRow{f.name, n})
		}
	}
	return out
}

// releaseWords say what was done with a version.
func releaseWords(a objectives.ReleaseAct) string {
	switch a {
	case objectives.Published:
		return "published"
	case objectives.Activated:
		return "went back to"
	}
	return string(a)
}

// orDash shows that there is nothing.
func orDash(s string) string {
	if s == "" {
		return "—"
	}
	return s
}

// isRequired reports whether no session is complete without the obligation at i.
func isRequired(d *objectives.Definition, i int) bool {
	return slices.Contains(d.Completion.Required, d.Obligations[i].Key)
}
