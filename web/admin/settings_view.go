package admin

import (
	"net/url"
	"time"

	"quaestor/web/ui"
)

// SettingsTab is one of the pages of the settings.
type SettingsTab string

// The pages.
const (
	LimitsTab      SettingsTab = "limits"
	PeopleTab      SettingsTab = "people"
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
	return map[SettingsTab]string{LimitsTab: "Limits and retention", PeopleTab: "People and tokens", ConnectionsTab: "Connections", DataTab: "Data"}[t]
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
	Tokens []TokenRow // newest first

	Parts     []PartRow
	Papers    []PaperRow // a page of the tenant's documents
	MoreAfter string     // path to go on after; empty on the last page
	Papered   bool       // this is not the first page of them
	Settings  []SettingRow

	Holds   []HoldRow
	Journal []JournalRow // newest first
	Earlier int64        // line to go on before; 0 on the last page
}

// PersonRow is somebody of the tenant.
type PersonRow struct {
	User      string
	Role      string
	Tokens    int    // that work
	TokenRole string // the highest of those; empty without any
	Since     time.Time
	Fixed     bool // the reader may not change them
}

// TokenRow is a token, without its secret.
type TokenRow struct {
	ID, User, Role, Name string
	Created              time.Time
	Expires              *time.Time
	Revoked              *time.Time
	Used                 *time.Time // last; nil for never
	Expired              bool
}

// Works reports whether the token is still good.
func (t TokenRow) Works() bool { return t.Revoked == nil && !t.Expired }

// soon reports whether a token that works ends within two weeks.
func (t TokenRow) soon(now time.Time) bool {
	return t.Works() && t.Expires != nil && t.Expires.Before(now.AddDate(0, 0, 14))
}

// label tells a token apart for the ear.
func (t TokenRow) label() string { return "the token of " + t.User + " " + t.Name }

// PartRow is something the server is connected to.
type PartRow struct {
	Name   string // in addresses
	Title  string
	State  string
	Use    string       // what it is used for
	Set    []SettingRow // the settings it comes from
	On     bool         // it is configured
	Tries  bool         // it can be tried
	Result *TryResult
}

// TryResult is what the last test of a part came to.
type TryResult struct {
	Well   bool
	Words  string
	Remedy string // what repairs it; empty for nothing
	Took   time.Duration
	By     string
	At     time.Time
}

// PaperRow is a document of the tenant.
type PaperRow struct {
	Path, Title, State, Reason string
	Size                       int64
	ReadAt                     time.Time
}

// SettingRow is a setting as it is in force; a secret is masked.
type SettingRow struct{ Variable, Value, Help string }

// TokenMadeView is what [TokenMade] shows.
type TokenMadeView struct {
	Nav                     ui.Nav
	Token, User, Role, Name string
	Replaces                bool // an older one ended with it
}

// split parts tokens into those that work and those that do not.
func (v SettingsView) split() (works, over []TokenRow) {
	for _, t := range v.Tokens {
		if t.Works() {
			works = append(works, t)
		} else {
			over = append(over, t)
		}
	}
	return works, over
}

func (v SettingsView) working() []TokenRow { list, _ := v.split(); return list }

func (v SettingsView) over() []TokenRow { _, list := v.split(); return list }

// papersPath is the address of the documents after a path.
func papersPath(after string) string {
	return ConnectionsTab.Path() + "?" + url.Values{"documents": {after}}.Encode() + "#documents"
}

// paperStateName says what became of a document.
func paperStateName(state string) string {
	switch state {
	case "read":
		return "Read"
	case "refused":
		return "Not read"
	case "gone":
		return "Gone"
	}
	return state
}

// tokenRoleNote says what a person's tokens may beyond or below their own role.
func tokenRoleNote(p PersonRow) string {
	switch {
	case p.Tokens == 0:
		return "no token that works"
	case p.TokenRole != p.Role:
		return ui.Count(p.Tokens, "token") + ", up to " + p.TokenRole
	}
	return ui.Count(p.Tokens, "token")
}
