package sessions_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/sessions"
)

var heldMemory = sessions.Memory{
	RecentTopics:  []string{"market", "price"},
	FollowUps:     []sessions.FollowUp{{Key: "timeline", Reason: "a tight deadline", Priority: 8}},
	Relationships: []sessions.Relation{{From: "market", To: "price", Type: "influences", Confidence: 0.85}},
	Preferences:   map[string]string{"brevity": "true", "language": "plain"},
	Style:         sessions.Casual,
}

func anyKey(key string) bool { return key != "nothing" }

func TestPatchMemory(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, in string
		want     func(m *sessions.Memory)
		changed  []string
	}{
		{"nothing", `{}`, func(*sessions.Memory) {}, nil},
		{"a preference added, one removed", `{"userPreferences":{"prefers_examples":true,"brevity":null,"speed":2.5}}`,
			func(m *sessions.Memory) {
				m.Preferences = map[string]string{"language": "plain", "prefers_examples": "true", "speed": "2.5"}
			}, []string{"userPreferences.brevity", "userPreferences.prefers_examples", "userPreferences.speed"}},
		{"one that is not there removed", `{"userPreferences":{"colour":null}}`, func(*sessions.Memory) {}, nil},
		{"all preferences removed", `{"userPreferences":null}`, func(m *sessions.Memory) { m.Preferences = nil }, []string{"userPreferences.brevity", "userPreferences.language"}},
		{"the style", `{"conversationStyle":"formal"}`, func(m *sessions.Memory) { m.Style = sessions.Formal }, []string{"conversationStyle"}},
		{"no style", `{"conversationStyle":null}`, func(m *sessions.Memory) { m.Style = "" }, []string{"conversationStyle"}},
		{"topics", `{"recentTopics":["cheese"]}`, func(m *sessions.Memory) { m.RecentTopics = []string{"cheese"} }, []string{"recentTopics"}},
		{"no topics", `{"recentTopics":null}`, func(m *sessions.Memory) { m.RecentTopics = nil }, []string{"recentTopics"}},
		{"follow-ups, put in order", `{"pendingFollowUps":[{"obligationKey":"a","reason":"x","priority":2},{"obligationKey":"b","reason":"y","priority":9,"scheduledTurn":12}]}`,
			func(m *sessions.Memory) {
				m.FollowUps = []sessions.FollowUp{{Key: "b", Reason: "y", Priority: 9, Turn: 12}, {Key: "a", Reason: "x", Priority: 2}}
			}, []string{"pendingFollowUps"}},
		{"relationships", `{"inferredRelationships":[{"from":"a","to":"b","type":"limits","confidence":0.5}]}`,
			func(m *sessions.Memory) {
				m.Relationships = []sessions.Relation{{From: "a", To: "b", Type: "limits", Confidence: 0.5}}
			}, []string{"inferredRelationships"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			want := heldMemory
			tt.want(&want)

			got, err := heldMemory.Patch([]byte(tt.in), anyKey)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(encoded(t, want), encoded(t, got)); diff != "" {
				t.Errorf("Patch (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.changed, heldMemory.Changes(got)); diff != "" {
				t.Errorf("Changes (-want +got):\n%s", diff)
			}
		})
	}
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestPatchOfMemoryIsRefusedWithItsPath(t *testing.T) {
	t.Parallel()

	follow := func(field string) string {
		return `{"pendingFollowUps":[{"obligationKey":"a","reason":"x","priority":5},{` + field + `}]}`
	}
	for _, tt := range []struct {
		name, in, field string
		kind            fault.Kind
	}{
		{"not JSON", `{`, "", fault.Invalid},
		{"two values", `{} {}`, "", fault.Invalid},
		{"not UTF-8", "{\"recentTopics\":[\"\xff\"]}", "", fault.Invalid},
		{"too long", `{"recentTopics":["` + strings.Repeat("x", 64<<10) + `"]}`, "", fault.TooLarge},
		{"a list", `[]`, "body", fault.Unprocessable},
		{"null", `null`, "body", fault.Unprocessable},
		{"unknown part", `{"colour":"red"}`, "colour", fault.Unprocessable},
		{"part by another case", `{"RecentTopics":[]}`, "RecentTopics", fault.Unprocessable},
		{"unknown field", follow(`"obligationKey":"b","reason":"x","priority":5,"colour":1`), "pendingFollowUps[1].colour", fault.Unprocessable},
		{"unknown key", follow(`"obligationKey":"nothing","reason":"x","priority":5`), "pendingFollowUps[1].obligationKey", fault.Unprocessable},
		{"no key", follow(`"reason":"x","priority":5`), "pendingFollowUps[1].obligationKey", fault.Unprocessable},
		{"priority", follow(`"obligationKey":"b","reason":"x","priority":14`), "pendingFollowUps[1].priority", fault.Unprocessable},
		{"priority in words", follow(`"obligationKey":"b","reason":"x","priority":"5"`), "pendingFollowUps[1].priority", fault.Unprocessable},
		{"turn", follow(`"obligationKey":"b","reason":"x","priority":5,"scheduledTurn":-1`), "pendingFollowUps[1].scheduledTurn", fault.Unprocessable},
		{"reason", follow(`"obligationKey":"b","reason":" ","priority":5`), "pendingFollowUps[1].reason", fault.Unprocessable},
		{"the same twice", follow(`"obligationKey":"a","reason":"y","priority":5`), "pendingFollowUps", fault.Unprocessable},
		{"follow-up is text", `{"pendingFollowUps":["a"]}`, "pendingFollowUps[0]", fault.Unprocessable},
		{"topics are text", `{"recentTopics":"a"}`, "recentTopics", fault.Unprocessable},
		{"six topics", `{"recentTopics":["a","b","c","d","e","f"]}`, "recentTopics", fault.Unprocessable},
		{"a long topic", `{"recentTopics":["a","` + strings.Repeat("x", 301) + `"]}`, "recentTopics[1]", fault.Unprocessable},
		{"a topic that is null", `{"recentTopics":[null]}`, "recentTopics[0]", fault.Unprocessable},
		{"relation to itself", `{"inferredRelationships":[{"from":"a","to":"a","type":"x","confidence":1}]}`, "inferredRelationships[0].to", fault.Unprocessable},
		{"sure beyond bounds", `{"inferredRelationships":[{"from":"a","to":"b","type":"x","confidence":1.5}]}`, "inferredRelationships[0].confidence", fault.Unprocessable},
		{"preference is an object", `{"userPreferences":{"a":{}}}`, "userPreferences.a", fault.Unprocessable},
		{"preference with NUL in its name", `{"userPreferences":{"a\u0000":"x"}}`, "userPreferences.a", fault.Unprocessable},
		{"preferences are a list", `{"userPreferences":[]}`, "userPreferences", fault.Unprocessable},
		{"style", `{"conversationStyle":"shouting"}`, "conversationStyle", fault.Unprocessable},
		{"good and bad together", `{"conversationStyle":"formal","recentTopics":[1]}`, "recentTopics[0]", fault.Unprocessable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got, err := heldMemory.Patch([]byte(tt.in), anyKey)
			var f *fault.Error
			if !errors.As(err, &f) || f.Kind != tt.kind || f.Field != tt.field {
				t.Errorf("Patch(%.80s) = %v, want %s at %q", tt.in, err, tt.kind, tt.field)
			}
			if heldMemory.Changes(got) != nil {
				t.Errorf("a refused patch changed %v", heldMemory.Changes(got))
			}
		})
	}
}

func TestPatchOfMemoryIsBounded(t *testing.T) {
	t.Parallel()

	many := map[string]string{}
	for i := range 20 {
		many[strings.Repeat(string(rune('a'+i)), 90)] = strings.Repeat("<", 300)
	}
	_, err := sessions.Memory{}.Patch([]byte(encoded(t, map[string]any{"userPreferences": many})), anyKey)

	if !fault.Is(err, fault.Unprocessable) || !strings.Contains(err.Error(), "16384") {
		t.Errorf("a memory of 38 KB was taken: %v", err)
	}
}

func TestForget(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		part, note string
		changed    []string // nil when there is no such note
	}{
		{"recentTopics", "0", []string{"recentTopics"}}, {"pendingFollowUps", "0", []string{"pendingFollowUps"}}, {"inferredRelationships", "0", []string{"inferredRelationships"}},
		{"userPreferences", "brevity", []string{"userPreferences.brevity"}},
		{"recentTopics", "2", nil}, {"recentTopics", "-1", nil}, {"recentTopics", "market", nil}, {"userPreferences", "0", nil}, {"conversationStyle", "0", nil}, {"", "", nil},
	} {
		before := encoded(t, heldMemory)
		got, err := heldMemory.Forget(tt.part, tt.note)
		if diff := cmp.Diff(tt.changed, heldMemory.Changes(got)); diff != "" || (err == nil) != (tt.changed != nil) {
			t.Errorf("Forget(%q, %q): %v, changes (-want +got):\n%s", tt.part, tt.note, err, diff)
		}
		if err != nil && !fault.Is(err, fault.NotFound) {
			t.Errorf("Forget(%q, %q) = %v, want not_found", tt.part, tt.note, err)
		}
		if encoded(t, heldMemory) != before {
			t.Fatalf("Forget(%q, %q) changed what it was given", tt.part, tt.note)
		}
	}
}

// What is remembered can be patched in and out again, whatever the patch.
func FuzzPatchMemory(f *testing.F) {
	for _, seed := range []string{`{}`, `{"userPreferences":{"a":true,"b":null}}`, `{"recentTopics":["x"],"conversationStyle":null}`,
		`{"pendingFollowUps":[{"obligationKey":"a","reason":"x","priority":2}]}`, `{"inferredRelationships":[{"from":"a","to":"b","type":"limits","confidence":0.5}]}`, `[1`, `{"a\u0000":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, patch []byte) {
		got, err := heldMemory.Patch(patch, anyKey)
		if err != nil {
			return
		}
		body := encoded(t, got)
		if len(body) > 16<<10 || strings.Contains(body, `\u0000`) {
			t.Fatalf("Patch(%q) gave %q", patch, body)
		}
		again, err := got.Patch(patch, anyKey)
		if err != nil || got.Changes(again) != nil {
			t.Fatalf("Patch(%q) twice differs in %v, %v", patch, got.Changes(again), err)
		}
	})
}
