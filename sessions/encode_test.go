package sessions

import (
	"encoding/json"
	"testing"
)

type blank struct {
	Text string `json:"text,omitempty"`
}

func (blank) kind() Kind { return "blank" }

type faulty struct{ Raw json.RawMessage }

func (faulty) kind() Kind { return "faulty" }

func TestEncodePutsTheTypeInFront(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		in   Payload
		want string
	}{
		{"members", DeltaEvent{Turn: 2, Offset: 3, Content: "a<b>\n"}, `{"type":"delta","turn":2,"offset":3,"content":"a\u003cb\u003e\n"}`},
		{"one member", blank{"x"}, `{"type":"blank","text":"x"}`},
		{"none", blank{}, `{"type":"blank"}`},
		{"what is no JSON", faulty{json.RawMessage("{")}, `{"type":"faulty","fault":"json: error calling MarshalJSON for type json.RawMessage: unexpected end of JSON input"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if kind, got := Encode(tt.in); kind != tt.in.kind() || string(got) != tt.want {
				t.Errorf("Encode = %s, %s, want %s", kind, got, tt.want)
			}
		})
	}
}
