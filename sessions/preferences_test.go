package sessions

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A request for short replies was told as the text "true": what is true or a number
// is written as such, and rows from before are read alike.
func TestPreferencesAreWrittenAsWhatTheyAre(t *testing.T) {
	t.Parallel()

	m := Memory{Preferences: map[string]string{"brevity": "true", "prefers_examples": "false", "technical_depth": "medium", "sentences": "3", "share": "0.5", "code": "007", "size": "1e3", "odd": "NaN"}}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	want := `"userPreferences":{"brevity":true,"code":"007","odd":"NaN","prefers_examples":false,"sentences":3,"share":0.5,"size":"1e3","technical_depth":"medium"}`
	if !strings.Contains(string(raw), want) {
		t.Errorf("the memory is %s, want %s in it", raw, want)
	}

	for name, stored := range map[string]string{
		"as written now": want,
		"as before":      `"userPreferences":{"brevity":"true","code":"007","odd":"NaN","prefers_examples":"false","sentences":"3","share":"0.5","size":"1e3","technical_depth":"medium"}`,
	} {
		var got Memory
		if err := json.Unmarshal([]byte("{"+stored+"}"), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(m.Preferences, got.Preferences); diff != "" {
			t.Errorf("%s (-want +read):\n%s", name, diff)
		}
	}
	for _, raw := range []string{`{"a":null}`, `{"a":[1]}`, `{"a":{}}`, `[]`} {
		var p Preferences
		if err := json.Unmarshal([]byte(raw), &p); err == nil {
			t.Errorf("%s was read as %v", raw, p)
		}
	}
}

func TestPreferencesComeBackAsTheyWere(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		p := Preferences(rapid.MapOf(rapid.String(), rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"true", "false", "-0", "0", "1.5", "1e5", "Inf", "12345678901234567890"}))).Draw(t, "preferences"))
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var got Preferences
		if err := json.Unmarshal(raw, &got); err != nil || !cmp.Equal(p, got) {
			t.Fatalf("%v came back from %s as %v, %v", p, raw, got, err)
		}
	})
}
