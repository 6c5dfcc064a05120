package field

import (
	"testing"
)

func TestFigure(t *testing.T) {
	t.Parallel()

	for _, test := range []struct {
		in   float64
		want string
	}{{0, "0"}, {12, "12"}, {1234.5, "1,234.5"}, {-1000, "-1,000"}, {1e6, "1,000,000"}, {2.0 / 3, "0.67"}} {
		if got := showFigure(english(), test.in); got != test.want {
			t.Errorf("showFigure(%v) = %s, want %s", test.in, got, test.want)
		}
	}
}
