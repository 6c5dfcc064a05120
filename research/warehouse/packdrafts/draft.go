package packdrafts

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/research/warehouse/packdrafts/internal/dbsqlc"
	"quaestor/research/warehouse/packs"
)

// State is the state of a draft.
type State string

// The states.
const (
	Drafting State = "drafting" // its sources are read, or sections drafted
	Open     State = "open"     // its sections wait for people
	Failed   State = "failed"   // it cannot go on; Failure says why
	Accepted State = "accepted" // it is a version of a pack
)

// SectionState is the state of a section.
type SectionState string

// The states.
const (
	Waiting         SectionState = "waiting" // to be drafted
	Drafted         SectionState = "drafted" // for people to look at
	AcceptedSection SectionState = "accepted"
)

// Draft is a pack that is being made.
type Draft struct {
	ID        string
	Name      string
	Slug      string   // of the pack
	Warehouse string   // id of the connection
	Slice     []string // schemas and qualified tables; empty for all
	State     State
	Failure   string // of Failed
	Version   string // of Accepted: that of the pack
	CreatedBy string
	CreatedAt time.Time
	ChangedAt time.Time
	Sources   []Source  // only of a draft that was found
	Sections  []Section // likewise
}

// SourceKind is the kind of a source.
type SourceKind string

// The kinds.
const (
	FromURL  SourceKind = "url"
	FromFile SourceKind = "file"
	Notes    SourceKind = "notes"
)

// Source is something that a pack is made of.
type Source struct {
	Kind  SourceKind
	Name  string // address, file name, or "Notes"
	Text  string // empty for a page that was not read yet
	State string // waiting, read or failed
	Why   string // of failed
}

// Section is a part of a pack that is accepted by itself.
type Section struct {
	Key      string
	Content  Content
	State    SectionState
	By       string // "rules", "person", or "model" and its name; empty while it waits
	Feedback string // what to change when it is drafted again
	Version  int    // counts the changes
	place    int
}

// Faults returns what keeps the section from being accepted.
func (s Section) Faults() []packs.Fault { return s.Content.Faults(s.Key) }

// Spec describes a draft that is to be made.
type Spec struct {
	Name      string // 1 to 200 characters; the pack's slug is made of it
	Warehouse string
	Slice     []string
	Sources   []Source // at most 20; text of files and notes, addresses of pages
}

// Bounds of a draft.
const (
	MaxSources   = 20 // pages, files and notes
	MaxDrafting  = 5  // drafts of an organisation that are drafted at a time
	maxSlice     = 200
	maxSource    = 400 << 10 // bytes of text
	maxAddress   = 2000
	maxFeedback  = 2000 // characters
	maxNameRunes = 200
)

var slugForm = regexp.MustCompile(`^[a-z0-9]+([_-][a-z0-9]+)*$`)

// check returns d normalized, and the slug of its pack.
func (d Spec) check() (Spec, string, error) {
	bad := func(field, format string, args ...any) (Spec, string, error) {
		return d, "", fault.New(fault.Unprocessable, format, args...).At(field)
	}
	d.Name = language.VisibleLine(d.Name)
	slug := slugOf(d.Name)
	switch n := utf8.RuneCountInString(d.Name); {
	case n < 1 || n > maxNameRunes:
		return bad("name", "needs 1 to %d characters, not %d", maxNameRunes, n)
	case !slugForm.MatchString(slug):
		return bad("name", "needs a Latin letter or a digit, of which the pack's identifier is made")
	case d.Warehouse == "":
		return bad("warehouse", "choose the warehouse that the pack is for")
	case len(d.Slice) > maxSlice:
		return bad("slice", "has at most %d schemas and tables, not %d", maxSlice, len(d.Slice))
	case len(d.Sources) > MaxSources:
		return bad("sources", "are at most %d, not %d", MaxSources, len(d.Sources))
	}
	if _, ok := packs.BuiltinBySlug(slug); ok {
		return bad("name", "is that of a pack that comes with the server; choose another")
	}
	for i, s := range d.Sources {
		d.Sources[i].State = "read"
		switch s.Kind {
		case FromURL:
			u, err := url.Parse(strings.TrimSpace(s.Name))
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || len(s.Name) > maxAddress {
				return bad("urls", "“%s” is no address of a page, such as https://example.org/handbook", clipped(s.Name))
			}
			if u.User != nil { // it would be stored and shown
				return bad("urls", "an address carries a user or a password; pages that need one are not read")
			}
			d.Sources[i].Name, d.Sources[i].Text, d.Sources[i].State = strings.TrimSpace(s.Name), "", "waiting"
		case FromFile, Notes:
			if strings.TrimSpace(s.Text) == "" {
				return bad("sources", "%s has no text", clipped(s.Name))
			}
			d.Sources[i].Text = storable(s.Text)
		default:
			return bad("sources", "the kind %q is not one of url, file and notes", clipped(string(s.Kind)))
		}
	}
	return d, slug, nil
}

// storable returns the beginning of a text, without what the database cannot hold and what only models
// would read.
func storable(s string) string {
	return headBytes(language.Visible(strings.ToValidUTF8(s, "")), maxSource)
}

// headBytes returns at most n bytes of s, cut between characters.
func headBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func draftOf(r *dbsqlc.PackDraft) Draft {
	return Draft{ID: r.ID, Name: r.Name, Slug: r.Slug, Warehouse: r.WarehouseID, Slice: r.Slice, State: State(r.State), Failure: r.Failure, Version: r.AcceptedVersion,
		CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt, ChangedAt: r.ChangedAt}
}

func sectionOf(r *dbsqlc.PackDraftSection) (Section, error) {
	s := Section{Key: r.Key, State: SectionState(r.State), By: r.MadeBy, Feedback: r.Feedback, Version: int(r.Version), place: int(r.Place)}
	return s, json.Unmarshal(r.Content, &s.Content)
}
