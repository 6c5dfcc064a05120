package web

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"quaestor/internal/fault"
)

// refusedWell fails when err is not a fault that says what is wrong.
func refusedWell(t *testing.T, err error) {
	t.Helper()
	if kind := fault.KindOf(err); kind == fault.Internal || err.Error() == "" {
		t.Errorf("refused as %s: %v", kind, err)
	}
}

func FuzzParseCursor(f *testing.F) {
	for _, seed := range []string{"", "0", "17", "-1", "+1", "1e3", "99999999999999999999", " 1", "٣", "0x1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		after, err := ParseCursor("after", given)
		if err != nil {
			refusedWell(t, err)
			return
		}
		if back, err := strconv.ParseInt("0"+strings.TrimPrefix(given, "-"), 10, 64); after < 0 || err != nil || back != after {
			t.Errorf("parseCursor(%q) = %d", given, after)
		}
	})
}

func FuzzParsePlace(f *testing.F) {
	f.Add(FormatPlace(time.UnixMicro(1_700_000_000_000_000), "0b9f4c3e-0000-4000-8000-000000000000"))
	f.Add("")
	f.Add("!!!")
	f.Add("YWJj")
	f.Fuzz(func(t *testing.T, cursor string) {
		at, id, err := ParsePlace(cursor)
		if err != nil {
			refusedWell(t, err)
			return
		}
		if cursor == "" {
			return
		}
		if again, same, err := ParsePlace(FormatPlace(at, id)); err != nil || !again.Equal(at) || same != id {
			t.Errorf("parsePlace(%q) = %v %q, and back %v %q %v", cursor, at, id, again, same, err)
		}
	})
}
