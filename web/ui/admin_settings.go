package ui

import (
	"net/url"
	"strconv"
	"time"
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
	Nav      Nav
	Tab      SettingsTab
	User     string // who is looking
	Role     string
	Owner    bool     // the reader is an owner
	Operates bool     // the reader decides about what all organisations share
	Notice   string   // what was just done; empty for nothing
	Failure  string   // why it could not be done; empty when it could
	Form     FormView // what was typed into a form that was refused

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

// FormView is what was typed into a form, with what is wrong about it, by field.
type FormView struct {
	Name   string // of the form; empty for none
	Values url.Values
	Faults map[string]string
}

// value is what a field of a form shows: what was typed, else what is there.
func (f FormView) value(form, field, there string) string {
	if f.Name == form {
		return f.Values.Get(field)
	}
	return there
}

// fault says what is wrong about a field; empty for nothing.
func (f FormView) fault(form, field string) string {
	if f.Name != form {
		return ""
	}
	return f.Faults[field]
}

// first reports whether the field is the first of its form that is at fault among
// those given in order.
func (f FormView) first(form, field string, order []string) bool {
	for _, name := range order {
		if f.fault(form, name) != "" {
			return name == field
		}
	}
	return false
}

// formLine is a line of a form.
type formLine struct {
	Form, Name, Label string
	Hint              string // below it; may be empty
	Value             string
	Kind              string // of the input; empty means text
	Mode              string // of the keyboard on a phone; may be empty
	Hold              string // shown while it is empty
	Longest           int    // characters; 0 for 500
	Needed            bool
	ID                string // for tests
	Focus             bool
}

// id is the field's in the page.
func (f formLine) id() string { return "f-" + f.Form + "-" + f.Name }

// longest is how many characters it takes.
func (f formLine) longest() string {
	if f.Longest == 0 {
		return "500"
	}
	return strconv.Itoa(f.Longest)
}

// kind is the kind of its input.
func (f formLine) kind() string {
	if f.Kind == "" {
		return "text"
	}
	return f.Kind
}

// described names what describes a field; empty for nothing.
func (f formLine) described(fault string) string {
	out := ""
	if fault != "" {
		out = f.id() + "-fault"
	}
	if f.Hint != "" {
		if out != "" {
			out += " "
		}
		out += f.id() + "-hint"
	}
	return out
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
	Nav                     Nav
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
func (v SettingsView) over() []TokenRow    { _, list := v.split(); return list }

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
		return count(p.Tokens, "token") + ", up to " + p.TokenRole
	}
	return count(p.Tokens, "token")
}
