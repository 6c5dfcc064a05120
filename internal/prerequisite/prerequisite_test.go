package prerequisite_test

import (
	"errors"
	"strings"
	"testing"

	"quaestor/internal/prerequisite"
)

type skipped struct{ said string }

func (*skipped) Helper()                         {}
func (s *skipped) Skipf(format string, _ ...any) { s.said = format }

func TestOnlyWhatIsNamedIsLeftOut(t *testing.T) {
	t.Setenv("QUAESTOR_TEST_WITHOUT", "mariadb  sample")

	for part, want := range map[prerequisite.Part]bool{prerequisite.MariaDB: true, prerequisite.Sample: true, prerequisite.ClickHouse: false, prerequisite.Encoder: false} {
		var s skipped
		prerequisite.Need(&s, part)
		if got := s.said != ""; got != want {
			t.Errorf("%s is left out: %t, want %t", part, got, want)
		}
	}
}

func TestNothingIsLeftOutByItself(t *testing.T) {
	t.Setenv("QUAESTOR_TEST_WITHOUT", "")

	for _, part := range []prerequisite.Part{prerequisite.MariaDB, prerequisite.Sample, prerequisite.ClickHouse, prerequisite.Encoder, prerequisite.Speech} {
		if prerequisite.LeftOut(part) {
			t.Errorf("%s is left out", part)
		}
		if err := prerequisite.Missing(part, errors.New("not found")); !strings.Contains(err.Error(), "to get it: ") || strings.HasSuffix(err.Error(), ": ") {
			t.Errorf("no remedy for %s: %v", part, err)
		}
	}
}
