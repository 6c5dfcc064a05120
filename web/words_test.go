package web

import (
	"testing"

	"github.com/danielgtaylor/huma/v2/validation"
)

func TestBoundsAreWordedForPeople(t *testing.T) {
	t.Parallel()

	wordRefusals()
	for _, tt := range []struct {
		format string
		args   []any
		want   string
	}{
		{validation.MsgExpectedMaximumNumber, []any{2147483647.0}, "must be at most 2147483647"},
		{validation.MsgExpectedMinLength, []any{1}, "must not be empty"},
		{validation.MsgExpectedMinItems, []any{2}, "must have at least 2 entries"},
		{validation.MsgExpectedMatchPattern, []any{`^[^\x00]*$`}, "holds a NUL character; remove it"},
		{validation.MsgExpectedMatchPattern, []any{`^a$`}, "expected string to match pattern ^a$"},
	} {
		if got := wordBounds(tt.format, tt.args...); got != tt.want {
			t.Errorf("wordBounds(%q, %v) = %q, want %q", tt.format, tt.args, got, tt.want)
		}
	}
}
