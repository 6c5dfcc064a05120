package tokens

import (
	"strings"
	"testing"
	"time"
)

// No text takes long, however it is made.
func TestHostileTextsTakeNoTime(t *testing.T) {
	t.Parallel()

	for _, unit := range []string{"a", "A", "É", "é", "Aa", "aA", " ", "\n", " \n", "\t ", "表", "ʰ", "ʰA", "\u0301", "\u0301A", "'", "'s", "!", "!/", "1", "١", "\x00", "\xff", "\xffA", "!a", "</", "ǅ", " \u00a0", "\u2028", "A'"} {
		s := strings.Repeat(unit, 50_000/len(unit))
		began := time.Now()
		n := shared.words(s)
		if took := time.Since(began); took > 5*time.Second || n < 1 || n > len(s) {
			t.Errorf("%d tokens of %q take %s", n, unit, took)
		}
	}
}
