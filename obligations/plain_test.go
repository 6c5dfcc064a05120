package obligations

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// Whatever is plain is read as encoding/json reads it, and what is not is left to it.
func FuzzDecodeEvidence(f *testing.F) {
	for _, seed := range []string{
		`[]`, ` [ ] `, `[{}]`, `null`, `[{"kind": "stated", "turn": 2, "span": {"start": 1, "end": 12}, "grade": {"kind": "stated", "model": 0.95, "hedged": true}, "quote": "a dozen"}]`,
		`[{"kind":"accepted","by":"u1","message":"m1","proposal":{"message":"m0","value":12}}]`, `[{"kind":"inferred","premises":["a","b"]}]`,
		`[{"turn":-1}]`, `[{"turn":01}]`, `[{"turn":1.0}]`, `[{"turn":1234567890123}]`, `[{"quote":"\u00e9"}]`, "[{\"quote\":\"\xff\"}]", `[{"Kind":"stated"}]`, `[{"kind":"other"}]`,
		`[{"span":{"start":1},"span":{"end":2}}]`, `[{"grade":{"model":0.}}]`, `[{"grade":{"model":1.5}}]`, `[{"grade":{"model":1e-1}}]`, `[{"grade":{"loose":null}}]`, `[{"turn":1}`, `[{"turn":1},]`, `[{"turn" 1}]`, `[{"turn":1}] x`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) { readAlike(t, body) })
}

func readAlike(t interface{ Errorf(string, ...any) }, body []byte) {
	var got, want []Evidence
	err, wrong := decodeEvidence(body, &got), json.Unmarshal(body, &want)
	if (err != nil) != (wrong != nil) || err == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("decodeEvidence(%q) = %+v, %v; encoding/json reads %+v, %v", body, got, err, want, wrong)
	}
}

func TestDecodeEvidenceAsStored(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		list := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Evidence {
			model := Confidence(rapid.IntRange(0, 100).Draw(t, "model"))
			return Evidence{
				Kind: rapid.SampledFrom([]EvidenceKind{Stated, Accepted, InferredEvidence, Document, ResearchEvidence, WidgetInput, Reviewer}).Draw(t, "kind"),
				Turn: rapid.IntRange(0, 5000).Draw(t, "turn"), By: text.Draw(t, "by"), Message: text.Draw(t, "message"), Quote: text.Draw(t, "quote"),
				Span: &Span{Start: rapid.Int().Draw(t, "start"), End: rapid.IntRange(0, 99).Draw(t, "end")}, Source: text.Draw(t, "source"), File: text.Draw(t, "file"),
				Grade: &Grade{Kind: Stated, Hedged: rapid.Bool().Draw(t, "hedged"), Vague: rapid.Bool().Draw(t, "vague"), Agreement: rapid.IntRange(0, 9).Draw(t, "agreement"), Model: &model},
			}
		})).Draw(t, "list")
		body, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		readAlike(t, body)
	})
}

// What turns store must be plain, or nothing is gained.
func TestUsualEvidenceIsPlain(t *testing.T) {
	t.Parallel()

	const body = `[{"kind": "stated", "span": {"end": 24, "start": 16}, "turn": 2, "grade": {"kind": "stated", "model": 0.95, "vague": false}, "quote": "nearly twenty", "message": "2/user"}]`
	if list, ok := plainEvidence([]byte(body)); !ok || len(list) != 1 {
		t.Errorf("plainEvidence(%s) = %+v, %v", body, list, ok)
	}
}

func TestSameValueAgreesWithItsSlowForm(t *testing.T) {
	t.Parallel()

	slow := func(a, b json.RawMessage) bool { return string(canonical(a)) == string(canonical(b)) }
	words := rapid.StringOf(rapid.SampledFrom([]rune("aAbB  \t\u00a0'’\"“”–-—éÉ\\ſsK\u212a\ufffd\x01")))
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) json.RawMessage {
			text := words.Draw(t, name)
			if rapid.Bool().Draw(t, name+" as it is") {
				return json.RawMessage(`"` + text + `"`)
			}
			out, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		a, b := draw("a"), draw("b")
		if got, want := SameValue(a, b), slow(a, b); got != want {
			t.Errorf("SameValue(%s, %s) = %v, its slow form %v", a, b, got, want)
		}
	})
}
