package packs

import (
	"fmt"
	"strings"

	"quaestor/internal/fault"
)

// Fault is one thing that is wrong with a pack, a profile or a prompt.
type Fault struct {
	Path    string `json:"path"` // such as "analysis_areas.base[2].keywords"
	Message string `json:"message"`
}

func (f Fault) String() string {
	if f.Path == "" {
		return f.Message
	}
	return f.Path + ": " + f.Message
}

// Refuse returns an Unprocessable that names every fault, at the field of the first
// one; nil for none.
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

// within returns the path of a thing in another one.
func within(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func item(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
