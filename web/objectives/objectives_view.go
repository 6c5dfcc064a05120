package objectives

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// PageView is what every page shows beside its subject.
type PageView struct {
	Nav     ui.Nav
	MayEdit bool // the reader may write drafts and publish them
}

// pageOf returns what a request's page shows beside its subject.
func pageOf(r *http.Request) PageView {
	return PageView{Nav: web.NavOf(r.Context(), ui.AtObjectives), MayEdit: web.ActorFrom(r.Context()).May(auth.Author)}
}

// ListView is what the page of all objectives shows.
type ListView struct {
	PageView
	Objectives  []ObjectiveRow
	Unpublished []objectives.Draft // drafts of context types that have no version yet
	Begin       BeginForm
}

// ObjectiveRow is a context type in the list, told by its active version.
type ObjectiveRow struct {
	objectives.Objective
	Versions int
	Sessions sessions.VersionCount // of all versions together
	Drafts   []objectives.Draft
}

// BeginForm is the form that begins a draft, as it was sent, with what is wrong with it.
type BeginForm struct {
	From        string // "nothing", "version" or "file"; empty counts as nothing
	Version     string // id of the version to copy
	Name        string
	ContextType string
	Document    string // the text of the file, or what was pasted
	Schema      bool   // Document is a JSON Schema
	Faults      []FieldFault
	Remarks     []objectives.Diagnostic // on Document
}

// FieldFault is what was typed into a field and cannot be stored.
type FieldFault struct{ Field, Message string }

// faultIn returns what is wrong with a field; empty when nothing is.
func faultIn(list []FieldFault, field string) string {
	i := slices.IndexFunc(list, func(f FieldFault) bool { return f.Field == field })
	if i < 0 {
		return ""
	}
	return list[i].Message
}

// ObjectiveView is what the page of a context type shows.
type ObjectiveView struct {
	PageView
	ContextType, Name string
	Versions          []VersionRow // the active one first; at least one
	Drafts            []objectives.Draft
	Releases          []ReleaseRow
	Failure           string // why something was not done; empty when nothing failed
}

// VersionRow is a published version in a list.
type VersionRow struct {
	objectives.Objective
	Sessions sessions.VersionCount
	By, Note string // of its publication; empty where that was not recorded
}

// ReleaseRow records that a version became active.
type ReleaseRow struct {
	objectives.Release
	Version string
}

// VersionView is a published version to be read.
type VersionView struct {
	PageView
	Objective objectives.Objective
	Graph     Graph
}

// RunningView shows what the active version would do to running interviews.
type RunningView struct {
	PageView
	Active objectives.Objective
	Rows   []MigrationRow
	More   bool // there are more interviews than Rows has
}

// MigrationRow is an interview, and what the active version would do to it.
type MigrationRow struct {
	sessions.OutdatedSession
	Migration *sessions.Migration // nil when it could not be tried
	Failure   string              // why it could not
}

// dispositionNames name what a migration does to obligations, in the order in which they
// are counted on the page.
var dispositionNames = []struct {
	disposition obligations.Disposition
	name        string
}{{obligations.Kept, "kept"}, {obligations.Retyped, "rewritten"}, {obligations.Reopened, "asked again"}, {obligations.Removed, "left out"}, {obligations.Restored, "restored"}, {obligations.Added, "new"}}

// draftName names a draft in a list, even one in which nothing was written yet.
func draftName(d *objectives.Definition) string {
	return cmp.Or(d.DisplayName, d.ContextType, "an objective without a name")
}

// layerNames tell where a version comes from.
var layerNames = map[obligations.Layer]string{
	obligations.Shipped:     "Shipped with Quaestor",
	obligations.TenantLayer: "Your own",
	obligations.SessionOnly: "For single interviews",
}

// releaseWords tell what was done with a version, between its releaser and its number.
var releaseWords = map[objectives.ReleaseAct]string{objectives.Published: "published", objectives.Activated: "went back to"}

// objectivePath returns the address of a context type's page, or of a page below it.
func objectivePath(contextType string, more ...string) string {
	return "/objectives/" + strings.Join(append([]string{contextType}, more...), "/")
}

// draftPath returns the address of a draft, or of a part of it.
func draftPath(id string, more ...string) string {
	return "/drafts/" + strings.Join(append([]string{id}, more...), "/")
}

// questionPath returns the address of a draft's n-th question, counted from 1.
func questionPath(id string, n int) string { return draftPath(id, "q", strconv.Itoa(n)) }

// noValue stands for an empty value, so that a row never looks unfinished.
const noValue = "—"

// isRequired reports whether no session is complete without the obligation at i.
func isRequired(d *objectives.Definition, i int) bool {
	return slices.Contains(d.Completion.Required, d.Obligations[i].Key)
}
