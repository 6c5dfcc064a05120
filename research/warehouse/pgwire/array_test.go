package pgwire

import (
	"encoding/json"
	"testing"
)

// Whatever a literal is, what is made of it is JSON.
func FuzzArrayJSON(f *testing.F) {
	for _, s := range []string{"{}", "{1,NULL,3}", `{"a,b","say \"x\""}`, "{{1,2},{3,4}}", "[0:1]={1,2}", "{", `{"`, `{"\`, "{NaN}", "}{", "{,}"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, s string, bare bool) {
		if out, ok := arrayJSON([]byte(s), bare); ok && !json.Valid(out) {
			t.Errorf("arrayJSON(%q) = %s", s, out)
		}
	})
}
