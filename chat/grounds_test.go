package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quaestor/chat"
	"quaestor/chat/rules"
	"quaestor/internal/embedding"
	"quaestor/internal/listening"
	"quaestor/internal/postgres/cluster"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// claim is a line of testdata/support: a finding as a model may claim it.
type claim struct {
	line           string
	field          *obligations.Template
	lie            string // what kind of lie; empty for an honest finding
	aside          bool   // something else was asked
	message, quote string
	value          string
}

// claimsIn reads a file of testdata/support.
func claimsIn(t *testing.T, path string) []claim {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []claim
	var field *obligations.Template
	for line := range strings.Lines(string(body)) {
		line = strings.TrimSpace(line)
		head, rest, _ := strings.Cut(line, ": ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "field "):
			field = fieldOf(t, line)
		default:
			message, value, ok := strings.Cut(rest, " => ")
			if !ok || field == nil {
				t.Fatalf("%s: no claim: %s", path, line)
			}
			c := claim{line: line, field: field, value: value, message: message, quote: message}
			kind, aside := strings.CutSuffix(head, " aside")
			c.aside, c.lie = aside, strings.TrimPrefix(strings.TrimPrefix(kind, "honest"), "lie ")
			if before, rest, ok := strings.Cut(message, "«"); ok {
				quote, after, _ := strings.Cut(rest, "»")
				c.message, c.quote = before+quote+after, quote
			}
			if err := field.Check(json.RawMessage(value)); err != nil {
				t.Fatalf("%s: %s: %v", path, line, err)
			}
			out = append(out, c)
		}
	}
	return out
}

// fieldOf reads "field KEY | WIDGET | UNIT or CHOICES | QUESTION".
func fieldOf(t *testing.T, line string) *obligations.Template {
	t.Helper()
	parts := strings.Split(strings.TrimPrefix(line, "field "), " | ")
	if len(parts) != 4 {
		t.Fatalf("a field has four parts: %s", line)
	}
	out := &obligations.Template{Key: parts[0], FieldPath: parts[0], Widget: obligations.Widget(parts[1]), Prompt: parts[3], Priority: 5}
	if parts[2] != "-" && !strings.Contains(parts[2], "=") {
		out.Unit = parts[2]
	}
	for choice := range strings.SplitSeq(parts[2], "; ") {
		if value, names, ok := strings.Cut(choice, "="); ok {
			list := strings.Split(names, "/")
			out.Choices = append(out.Choices, obligations.Choice{Value: value, Label: list[0], Synonyms: list[1:]})
		}
	}
	return out
}

// screened returns what becomes of a claim when a model makes it with all confidence.
func (c *claim) screened(similar chat.Similarity) (*chat.Scene, []obligations.Finding) {
	other := obligations.Template{Key: "other", FieldPath: "other", Widget: obligations.Text, Prompt: "Anything else?"}
	d := &objectives.Definition{Obligations: []obligations.Template{*c.field, other}}
	s := &chat.Scene{Turn: 3, Now: time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC), Person: "anna", Objective: d,
		Obligations: obligations.Fresh(d.Obligations, obligations.Origin{}), Message: c.message,
		Asked: &sessions.Question{Purpose: sessions.ToAsk, Key: c.field.Key, Prompt: c.field.Prompt}}
	if c.aside {
		s.Asked.Key, s.Asked.Prompt = other.Key, other.Prompt
	}
	sure := obligations.Confidence(100)
	f := obligations.Finding{Key: c.field.Key, Act: obligations.Tell, Value: json.RawMessage(c.value), Source: "conversation",
		Evidence: obligations.Evidence{Kind: obligations.Stated, Quote: c.quote}, Grade: obligations.Grade{Kind: obligations.Stated, Model: &sure}}
	return s, chat.Screen(s, chat.Understanding{Intent: chat.Answer, Findings: []obligations.Finding{f}}, similar).Findings
}

// known reports whether the claim ends as a value that counts.
func (c *claim) known(similar chat.Similarity) bool {
	s, found := c.screened(similar)
	after := obligations.Merge(s.Obligations, obligations.Apply(s.Obligations, found, s.Turn))
	return obligations.Find(after, c.field.Key).Status == obligations.Satisfied
}

// encoderFor returns the comparison by the provisioned text encoder, or nil.
func encoderFor(t *testing.T) chat.Similarity {
	t.Helper()
	dir := filepath.Join(cluster.SharedDir(), "encoder")
	if embedding.Check(dir) != nil {
		return nil
	}
	return rules.New(listening.New(embedding.NewLite(dir))).Comparing(context.WithoutCancel(t.Context()))
}

// Of what a model claims of real words, lies must not become known, and what is honest
// must. The bounds hold a little below what was measured.
func TestLiesOfAModelDoNotCount(t *testing.T) {
	t.Parallel()

	paths, err := filepath.Glob("testdata/support/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no claims: %v", err)
	}
	similar := encoderFor(t)
	var all []claim
	for _, path := range paths {
		all = append(all, claimsIn(t, path)...)
	}
	for _, tt := range []struct {
		name     string
		similar  chat.Similarity
		honestly float64 // least share of the honest ones that are known
		falsely  float64 // greatest share of the lies that are
	}{{"with the text encoder", similar, 0.95, 0.02}, {"by words alone", nil, 0.95, 0.02}} {
		if tt.name != "by words alone" && similar == nil {
			continue
		}
		rate := map[bool][2]int{}
		var wrong []string
		for i := range all {
			c := &all[i]
			lie, known := c.lie != "", c.known(tt.similar)
			n := rate[lie]
			n[1]++
			if known {
				n[0]++
			}
			rate[lie] = n
			if known == lie {
				wrong = append(wrong, c.line)
			}
		}
		honest, lies := share(rate[false]), share(rate[true])
		t.Logf("%s: %d of %d honest findings known (%.1f %%), %d of %d lies (%.1f %%)", tt.name, rate[false][0], rate[false][1], 100*honest, rate[true][0], rate[true][1], 100*lies)
		if honest < tt.honestly || lies > tt.falsely || testing.Verbose() {
			t.Log(strings.Join(wrong, "\n"))
		}
		if honest < tt.honestly || lies > tt.falsely {
			t.Errorf("%s: %.3f of the honest and %.3f of the lies are known, want at least %.2f and at most %.2f", tt.name, honest, lies, tt.honestly, tt.falsely)
		}
	}
}

func share(n [2]int) float64 { return float64(n[0]) / float64(max(n[1], 1)) }

// Whatever a model claims without support: what a person said stands, nothing becomes a
// side of a conflict, and nothing is put to them as our proposal.
func TestLiesOfAModelTouchNothingThatIsFounded(t *testing.T) {
	t.Parallel()

	for _, path := range []string{"testdata/support/en.txt", "testdata/support/de.txt"} {
		for _, c := range claimsIn(t, path) {
			s, found := c.screened(nil)
			if len(found) != 1 || found[0].Evidence.Flag != obligations.FlagUnsupported {
				continue
			}
			for _, act := range []obligations.Act{obligations.Tell, obligations.Correct, obligations.Confirm} {
				held := obligations.Find(s.Obligations, c.field.Key)
				held.Value, held.Status, held.Confidence = valueBeside(t, &c), obligations.Satisfied, 92
				held.Evidence = []obligations.Evidence{{Kind: obligations.Stated, Message: "1-user", Quote: "so it is", Span: &obligations.Span{Start: 0, End: 8}, By: "anna"}}
				found[0].Act = act
				for _, ch := range obligations.Apply(s.Obligations, found, s.Turn) {
					if ch.Conflict != nil || ch.After.Negotiation != nil || !obligations.SameValue(ch.After.Value, held.Value) {
						t.Errorf("%s, %s: %s; want %s kept, no conflict and no dispute", act, c.line, ch.After.Value, held.Value)
					}
				}
			}
			held := obligations.Find(s.Obligations, c.field.Key)
			held.Value, held.Status, held.Evidence, held.Confidence = nil, obligations.Pending, nil, 0
			found[0].Act = obligations.Tell
			if p := chat.Decide(s, chat.Understanding{Intent: chat.Answer, Findings: found}); p.Question != nil && p.Question.Proposal != nil {
				t.Errorf("%s: the question proposes %s", c.line, p.Question.Proposal)
			}
		}
	}
}

// valueBeside returns a value that a claim's field can hold and that the claim is not.
func valueBeside(t *testing.T, c *claim) json.RawMessage {
	t.Helper()
	for _, v := range []string{`"nothing of it"`, `424242`, `"1961-02-03"`} {
		if c.field.Check(json.RawMessage(v)) == nil {
			return json.RawMessage(v)
		}
	}
	for _, choice := range c.field.Choices {
		for _, form := range []string{"%q", "[%q]"} {
			if v := json.RawMessage(fmt.Sprintf(form, choice.Value)); c.field.Check(v) == nil && !obligations.SameValue(v, json.RawMessage(c.value)) {
				return v
			}
		}
	}
	t.Fatalf("%s holds nothing else than %s", c.field.Key, c.value)
	return nil
}
