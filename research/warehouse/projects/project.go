package projects

import (
	"encoding/json"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packs"
)

// Project is a project of an organisation.
type Project struct {
	ID string
	Spec
	State     State
	Version   int // number of the latest change, from 1
	CreatedBy string
	CreatedAt time.Time
	ChangedBy string
	ChangedAt time.Time
	Interview string // session in which the profile is filled; empty for none
	Model     string // id of the model that explores; empty for those that the organisation uses

	Generation        string        // id of the work that makes its pack; empty if none is under way
	GenerationFailure string        // why the last work that was to make its pack did not; empty if it did not fail
	Generated         packs.Version // the pack that was made and waits to be accepted; zero if none does
}

// Spec is the part of a project that people decide.
type Spec struct {
	Name      string            // unique in the organisation
	Pack      packs.Version     // an empty version means the newest
	Category  string            // of the pack; empty for its base
	Language  string            // of the texts that people read, as a BCP 47 tag; empty means en
	Warehouse string            // id of the connection that its runs explore unless they name another
	Others    []string          // ids of further connections that its runs may explore, in order
	Budget    warehouse.Budget  // of each of its runs
	Datasets  []string          // schemas; empty means all that the connection reads
	Filter    guard.Filter      // restricts the rows further than the connection does; may be empty
	Profile   json.RawMessage   // an object that satisfies the form of the pack; {} for none
	Prompts   map[string]string // texts that replace the pack's, by name; see packs.Pack.Texts
}

// DefaultPack is the pack of a project that names none.
const DefaultPack = "operations"

const (
	maxNameRunes  = 200
	maxDatasets   = 200
	maxOthers     = 50
	maxFilterText = 1000
	maxProfile    = 64 << 10 // bytes
)

// languageTag matches the form of a BCP 47 tag; it does not check that the language exists.
var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$`)

// orDefault returns d with defaults for what it leaves out.
func (d Spec) orDefault() Spec {
	d.Name = language.VisibleLine(d.Name) // it stands in titles and in prompts
	if d.Pack.Slug == "" {
		d.Pack.Slug = DefaultPack
	}
	if d.Language == "" {
		d.Language = "en"
	}
	if len(d.Profile) == 0 {
		d.Profile = json.RawMessage(`{}`)
	}
	if d.Datasets == nil {
		d.Datasets = []string{}
	}
	if d.Prompts == nil {
		d.Prompts = map[string]string{}
	}
	d.Others = slices.DeleteFunc(slices.Clone(d.Others), func(id string) bool { return id == d.Warehouse })
	slices.Sort(d.Others)
	d.Others = slices.Compact(d.Others)
	return d
}

// Warehouses returns the connections that runs of the project may explore, the default one first.
func (d Spec) Warehouses() []string { return append([]string{d.Warehouse}, d.Others...) }

// Explores returns nil if a run of the project may explore a warehouse; empty stands for the default
// one. Otherwise the error is Unprocessable.
func (d Spec) Explores(id string) error {
	if id == "" || slices.Contains(d.Warehouses(), id) {
		return nil
	}
	return fault.New(fault.Unprocessable, "the project does not explore this warehouse; add it to the project first").At("warehouseId")
}

// check validates d as far as that does not depend on the pack.
func (d Spec) check() error {
	bad := func(field, format string, args ...any) error {
		return fault.New(fault.Unprocessable, format, args...).At(field)
	}
	switch n := utf8.RuneCountInString(d.Name); {
	case n < 1 || n > maxNameRunes:
		return bad("name", "must have 1 to %d characters", maxNameRunes)
	case !languageTag.MatchString(d.Language):
		return bad("language", "must be a language tag such as en or pt-BR")
	case d.Warehouse == "":
		return bad("warehouse", "choose the warehouse to look into")
	case len(d.Others) > maxOthers || slices.Contains(d.Others, ""):
		return bad("otherWarehouses", "must be at most %d warehouses", maxOthers)
	case len(d.Datasets) > maxDatasets || slices.Contains(d.Datasets, ""):
		return bad("datasets", "must be at most %d schemas, none of them empty", maxDatasets)
	case d.Filter.Column == "" && d.Filter.Value != "":
		return bad("filter.column", "name the column that the value is for")
	case len(d.Filter.Column) > maxFilterText || len(d.Filter.Value) > maxFilterText:
		return bad("filter", "must have at most %d bytes", maxFilterText)
	case len(d.Profile) > maxProfile:
		return bad("profile", "must have at most %d bytes", maxProfile)
	}
	if field, right := d.Budget.Fault(); field != "" {
		return bad(field, "%s", right)
	}
	return nil
}

// Kit returns what pack amounts to for the project. If the category, the prompts or the profile have
// faults, the error is Unprocessable and lists all of them.
func (d Spec) Kit(pack *packs.Pack) (*packs.Kit, error) {
	kit, faults := pack.For(d.Category, d.Prompts)
	if kit != nil && kit.Form != nil {
		faults = append(faults, kit.Form.Faults(d.Profile)...)
	}
	return kit, packs.Refuse(faults)
}
