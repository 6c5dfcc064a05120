package objectives

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// objectiveFiles are the objectives Quaestor comes with, each in a file named
// by its context type.
//
//go:embed *.json
var objectiveFiles embed.FS

// Shipped returns the objectives Quaestor comes with, ordered by context type.
// The list is the caller's; what is in it is shared and must not be changed. It
// panics when an embedded file cannot be published, which a test rules out.
func Shipped() []Definition { return slices.Clone(shipped()) }

// ShippedJSON returns the file of the shipped objective of that context type as
// it is written, and false when none is shipped for it.
func ShippedJSON(contextType string) ([]byte, bool) {
	data, err := objectiveFiles.ReadFile(contextType + ".json")
	return data, err == nil
}

// shipped reads the embedded files once. A folder lists its files by name, and
// their names are the context types.
var shipped = sync.OnceValue(func() []Definition {
	files, err := objectiveFiles.ReadDir(".")
	if err != nil {
		panic(fmt.Sprintf("read the shipped objectives: %v", err))
	}
	list := make([]Definition, len(files))
	for i, f := range files {
		list[i] = mustParseShipped(strings.TrimSuffix(f.Name(), ".json"))
	}
	return list
})

// mustParseShipped reads one shipped objective and panics when it is broken or
// speaks of another context type than its file's name.
func mustParseShipped(contextType string) Definition {
	data, ok := ShippedJSON(contextType)
	if !ok {
		panic(fmt.Sprintf("no objective is shipped for %q", contextType))
	}
	d, err := ParseDefinition(data)
	if err != nil {
		panic(fmt.Sprintf("shipped objective %q: %v", contextType, err))
	}
	if d.ContextType != contextType {
		panic(fmt.Sprintf("shipped objective %q names the context type %q", contextType, d.ContextType))
	}
	return d
}
