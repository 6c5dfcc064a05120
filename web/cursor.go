package web

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"quaestor/internal/fault"
)

// ListRows is how many rows a page of a list shows.
const ListRows = 20

// FormatPlace makes a cursor of a place in a list that is ordered by time and id.
func FormatPlace(at time.Time, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(at.UnixMicro(), 36) + "." + id))
}

// ParsePlace reads a cursor; empty means from the start.
func ParsePlace(cursor string) (at time.Time, id string, err error) {
	if cursor == "" {
		return time.Time{}, "", nil
	}
	bad := fault.New(fault.Invalid, "is not a cursor of this list; take nextCursor of the page before, as it is").At("cursor").Coded("bad_cursor")
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return time.Time{}, "", bad
	}
	stamp, id, ok := strings.Cut(string(raw), ".")
	micros, err := strconv.ParseInt(stamp, 36, 64)
	if !ok || err != nil || micros < 0 || micros > 1<<53 {
		return time.Time{}, "", bad
	}
	if parsed, err := uuid.Parse(id); err != nil || parsed.String() != id {
		return time.Time{}, "", bad
	}
	return time.UnixMicro(micros).UTC(), id, nil
}

// ParsePage reads where a page of a list begins: nextCursor of the one before; empty
// means 0, the first.
func ParsePage(given string) (int64, error) {
	after, err := ParseCursor("cursor", given)
	if err != nil {
		return 0, fault.New(fault.Invalid, "is not a cursor of this list; take nextCursor of the page before, as it is").At("cursor").Coded("bad_cursor")
	}
	return after, nil
}

// ParseCursor reads an event id: a whole number from 0 on; empty means 0.
func ParseCursor(field, given string) (int64, error) {
	if given == "" {
		return 0, nil
	}
	after, err := strconv.ParseInt(given, 10, 64)
	if err != nil || after < 0 || given[0] == '+' {
		return 0, fault.New(fault.Invalid, "must be the id of an event, a whole number from 0 on").At(field).Coded("bad_last_event_id")
	}
	return after, nil
}
