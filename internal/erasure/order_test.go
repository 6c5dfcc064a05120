package erasure

import (
	"slices"
	"testing"
)

func TestEmptyingOrder(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name       string
		tables     []string
		references []reference
		want       []string
	}{
		{"nothing", nil, nil, []string{}},
		{"by name", []string{"b", "a"}, nil, []string{"a", "b"}},
		{"children first", []string{"a", "b", "c"}, []reference{{"c", "b"}, {"b", "a"}}, []string{"c", "b", "a"}},
		{"of itself", []string{"a", "b"}, []reference{{"a", "a"}, {"b", "a"}}, []string{"b", "a"}},
		{"a table that is not listed", []string{"a"}, []reference{{"x", "a"}, {"a", "tenants"}}, []string{"a"}},
		{"a circle", []string{"a", "b", "c"}, []reference{{"a", "b"}, {"b", "a"}, {"c", "a"}}, []string{"c", "a", "b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := emptyingOrder(tt.tables, tt.references); !slices.Equal(got, tt.want) {
				t.Errorf("emptyingOrder(%v, %v) = %v, want %v", tt.tables, tt.references, got, tt.want)
			}
		})
	}
}
