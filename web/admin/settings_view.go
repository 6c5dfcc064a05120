package admin

import (
	"cmp"
	"net/url"
	"slices"
	"time"

	"quaestor/internal/auth"
	"quaestor/sessions/settings"
	"quaestor/web/ui"
)

// SettingsTab is one of the pages of the settings.
type SettingsTab string

// The pages.
const (
	LimitsTab      SettingsTab = "limits"
	PeopleTab      SettingsTab = "people"
	ModelsTab      SettingsTab = "models"
	ConnectionsTab SettingsTab = "connections"
	DataTab        SettingsTab = "data"
)

// Path is the address of the page.
func (t SettingsTab) Path() string {
	if t == LimitsTab {
		return "/admin/settings"
	}
	return "/admin/settings/" + string(t)
}

// name is what the page is called.
func (t SettingsTab) name() string {
	return map[SettingsTab]string{LimitsTab: "Limits and retention", PeopleTab: "People and tokens", ModelsTab: "Models", ConnectionsTab: "Connections", DataTab: "Data"}[t]
}

// SettingsView is what [Settings] shows.
type SettingsView struct {
	Nav      ui.Nav
	Tab      SettingsTab
	User     string // who is looking
	Role     string
	Owner    bool        // the reader is an owner
	Operates bool        // the reader decides about what all organisations share
	Notice   string      // what was just done; empty for nothing
	Failure  string      // why it could not be done; empty when it could
	Form     ui.FormView // what was typed into a form that was refused

	Limits LimitsView

	Roles  []string // those the reader may give, the highest first
	People []PersonRow
	Tokens []auth.Token // newest first

	Models ModelsView

	Parts     []PartRow
	Papers    []PaperRow // a page of the tenant's documents
	MoreAfter string     // path to go on after; empty on the last page
	Papered   bool       // this is not the first page of them
	Settings  []Setting

	Holds   []settings.LegalHold
	Journal []JournalRow // newest first
	Earlier int64        // line to go on before; 0 on the last page
}

// PersonRow is a member of the organisation.
type PersonRow struct {
	auth.Person
	Fixed bool // the reader may not change them
}

// isValid reports whether a token is neither revoked nor expired.
func isValid(t auth.Token) bool {
	return t.Revoked == nil && (t.Expires == nil || t.Expires.After(time.Now()))
}

// endsSoon reports whether a token expires within two weeks, which is time enough to
// hand out another.
func endsSoon(t auth.Token) bool {
	return t.Expires != nil && t.Expires.Before(time.Now().AddDate(0, 0, 14))
}

// tokenLabel names a token to those who hear the page.
func tokenLabel(t auth.Token) string { return "the token of " + t.User + " " + t.Name }

// PartRow is a part of the server with the outcome of its last test, nil for none.
type PartRow struct {
	Part
	Result *settings.TestResult
}

// PaperRow is a document of the tenant.
type PaperRow struct {
	Path, Title, State, Reason string
	Size                       int64
	ReadAt                     time.Time
}

// TokenMadeView is what [TokenMade] shows.
type TokenMadeView struct {
	Nav               ui.Nav
	Token, User, Role string
	Replaces          bool // an older token ended with it
}

// tokens returns the tokens that are valid, or those that are not.
func (v SettingsView) tokens(valid bool) []auth.Token {
	return slices.DeleteFunc(slices.Clone(v.Tokens), func(t auth.Token) bool { return isValid(t) != valid })
}

// papersPath is the address of the documents after a path.
func papersPath(after string) string {
	return ConnectionsTab.Path() + "?" + url.Values{"documents": {after}}.Encode() + "#documents"
}

// paperStateName tells what became of a document.
func paperStateName(state string) string {
	names := map[string]string{"read": "Read", "refused": "Not read", "gone": "Gone"}
	return cmp.Or(names[state], state)
}

// tokenRoleNote tells how many tokens a person has, and their highest role where it is
// not the person's own.
func tokenRoleNote(p PersonRow) string {
	switch {
	case p.Tokens == 0:
		return "no token that works"
	case p.TokenRole != p.Role:
		return ui.Count(p.Tokens, "token") + ", up to " + string(p.TokenRole)
	}
	return ui.Count(p.Tokens, "token")
}
