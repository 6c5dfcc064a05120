package packs

import (
	"fmt"
	"strings"

	"quaestor/internal/fault"
)

// Fault is something wrong with a pack, a profile or a prompt.
type Fault struct {
	Path    string `json:"path"` // such as "analysis_areas.base[2].keywords"
	Message string `json:"message"`
}

// String returns the path and what is wrong there.
func (f Fault) String() string {
	if f.Path == "" {
		return f.Message
	}
	return f.Path + ": " + f.Message
}

// Refuse returns an Unprocessable fault that lists all of faults, at the field of the first; nil
// if there are none.
func Refuse(faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	lines := []string{faults[0].Message}
	for _, f := range faults[1:] {
		lines = append(lines, f.String())
	}
	return fault.New(fault.Unprocessable, "%s", strings.Join(lines, "\n")).At(faults[0].Path)
}

// within returns the path of name inside path.
func within(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// item returns the path of element i inside path.
func item(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
