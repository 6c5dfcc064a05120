package obligations

import (
	"encoding/json"
	"testing"
)

func TestConvertLosesNothingOrRefuses(t *testing.T) {
	t.Parallel()

	choices := []Choice{{Value: "a", Label: "Retail"}, {Value: "b", Label: "Trade"}}
	renamed := []Choice{{Value: "shop", Label: "retail"}, {Value: "b", Label: "Trade"}}
	text, number, date := Template{Key: "k", Widget: Text}, Template{Key: "k", Widget: Number}, Template{Key: "k", Widget: Date}
	one, other := Template{Key: "k", Widget: ChoiceOne, Choices: choices}, Template{Key: "k", Widget: ChoiceOne, Choices: renamed}
	many := Template{Key: "k", Widget: MultiSelect, Choices: renamed}
	weeks := Template{Key: "k", Widget: Number, Unit: "weeks"}
	most := 5.0
	small := Template{Key: "k", Widget: Number, Max: &most}
	for _, tt := range []struct {
		name     string
		old, now Template
		in, want string // want empty: refused
	}{
		{"text stays", text, text, `"x"`, `"x"`},
		{"a number in words of digits", text, number, `" 12 "`, `12`},
		{"a text that is no number", text, number, `"a dozen"`, ``},
		{"a number as text", number, text, `12.5`, `"12.5"`},
		{"a range as text", number, text, `{"min":1,"max":2}`, ``},
		{"another unit", number, weeks, `3`, ``},
		{"out of the new bounds", number, small, `6`, ``},
		{"a range within the new bounds", number, small, `{"min":1,"max":2}`, `{"min":1,"max":2}`},
		{"a text that is a date", text, date, `"2026-03"`, `"2026-03"`},
		{"a text that is none", text, date, `"soon"`, ``},
		{"a date as text", date, text, `"2026-03"`, `"2026-03"`},
		{"a choice that was renamed", one, other, `"a"`, `"shop"`},
		{"a choice as one of several", one, many, `"a"`, `["shop"]`},
		{"one of several as a choice", many, one, `["shop"]`, `"a"`},
		{"two of several as a choice", many, one, `["shop","b"]`, ``},
		{"a choice in words", one, text, `"a"`, `"Retail"`},
		{"several in words", many, text, `["shop","b"]`, `"retail, Trade"`},
		{"words as a choice", text, one, `"trade"`, `"b"`},
		{"other words as a choice", text, one, `"wholesale"`, ``},
		{"a choice as a number", one, number, `"a"`, ``},
	} {
		got, why := Convert(&tt.old, &tt.now, json.RawMessage(tt.in))
		if string(got) != tt.want || got == nil && why == "" {
			t.Errorf("%s: Convert(%s) = %s (%s), want %s", tt.name, tt.in, got, why, tt.want)
		}
		if got != nil && tt.now.Check(got) != nil {
			t.Errorf("%s: Convert(%s) = %s, which is refused", tt.name, tt.in, got)
		}
	}
}

func TestRebaseReopensWhatWasConcluded(t *testing.T) {
	t.Parallel()

	old := []Template{{Key: "size", Widget: Number, Unit: "months", Priority: 1}, {Key: "pace", Widget: Text, Priority: 1}, {Key: "gone", Widget: Text, Priority: 1}}
	list := Fresh(old, Origin{Layer: TenantLayer, Source: objectiveSource, ID: "v1"})
	list = Merge(list, Apply(list, []Finding{
		{Key: "size", Act: Tell, Value: json.RawMessage(`3`), Evidence: Evidence{Kind: WidgetInput}},
		{Key: "pace", Act: Tell, Value: json.RawMessage(`"slow"`), Evidence: Evidence{Kind: InferredEvidence, Premises: []string{"size"}}},
		{Key: "gone", Act: Tell, Value: json.RawMessage(`"dear"`), Evidence: Evidence{Kind: InferredEvidence, Premises: []string{"size"}}},
	}, 1))
	onto := []Template{{Key: "size", Widget: Number, Unit: "weeks", Priority: 1}, {Key: "pace", Widget: Text, Priority: 1}}

	got := Rebase(list, RebaseInput{From: "v1", Onto: onto, Origin: func(string) Origin { return Origin{Layer: TenantLayer, Source: objectiveSource, ID: "v2"} }, Turn: 1, Reason: "test"})

	size, pace, gone := Find(got.List, "size"), Find(got.List, "pace"), Find(got.List, "gone")
	if size.Value != nil || pace.Value != nil || size.Status != Pending || pace.Status != Pending || gone.Status != Skipped {
		t.Errorf("size %s %s, pace %s %s, gone %s: want what was concluded reopened and what was removed skipped", size.Status, size.Value, pace.Status, pace.Value, gone.Status)
	}
	for _, m := range got.Moves {
		if m.Old != nil && m.Value == nil && m.Reason == "" {
			t.Errorf("the move %+v does not say why the value went", m)
		}
	}
	if same := Rebase(got.List, RebaseInput{From: "v2", Onto: onto, Origin: func(string) Origin { return Origin{Layer: TenantLayer, Source: objectiveSource, ID: "v2"} }, Turn: 1}); len(same.Changes) > 0 {
		t.Errorf("the same version again changes %+v", same.Changes)
	}
}
