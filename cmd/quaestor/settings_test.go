package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// row is a line of a table that opens with a variable's name.
var row = regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| ([^|]+) \\| ([^|]+) \\|$")

// The table of settings lacked three of them: it lists every one, with its default,
// and none that is not there.
func TestTableOfSettingsListsEachWithItsDefault(t *testing.T) {
	t.Parallel()

	page, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		if got[m[1]] = strings.Trim(m[2], "`"); strings.TrimSpace(m[3]) == "" {
			t.Errorf("nothing is said of %s", m[1])
		}
	}

	want := map[string]string{"QUAESTOR_RUNTIME_DIR": got["QUAESTOR_RUNTIME_DIR"]} // read before there are settings
	for f := range reflect.TypeFor[Settings]().Fields() {
		name, def := f.Tag.Get("env"), f.Tag.Get("default")
		switch {
		case def == "" && strings.Contains(got[name], " "):
			def = got[name] // made from other settings, in words
		case def == "":
			def = "–"
		case strings.Contains(def, "${"):
			def = got[name] // depends on the machine
		}
		if want[name] = def; name == "" || def == "" {
			t.Errorf("%s has no variable, or the table has no default for %q", f.Name, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the settings of docs/operating.md (-settings +table):\n%s", diff)
	}
}
