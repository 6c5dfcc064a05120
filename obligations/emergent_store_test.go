package obligations_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/postgres"
	"quaestor/obligations"
)

// proposed is a proposal on words that were found.
func proposed(prompt string) obligations.EmergentQuestion {
	return obligations.EmergentQuestion{Template: obligations.Template{Prompt: prompt},
		Evidence: obligations.Evidence{Kind: obligations.Stated, Message: "1-user", Quote: "so it is", Span: &obligations.Span{Start: 0, End: 8}}}
}

// keep stores what came up or was decided.
func (s *shelf) keep(t *testing.T, e obligations.EmergentChanges, changes []obligations.Change, turn int) {
	t.Helper()
	s.write(t, func(b *postgres.Batch) error {
		if err := obligations.SaveEmerged(b, s.scope, e, turn); err != nil {
			return err
		}
		return obligations.SaveDecided(b, s.scope, changes)
	})
}

func TestStoredMergesAndSplitsAreReplayed(t *testing.T) {
	t.Parallel()

	s := newShelf(t)
	list := s.load(t)
	s.keep(t, obligations.Propose(list, []obligations.EmergentQuestion{proposed("What about the auditors?"), proposed("And what of the night shift?")}, nil, 1), nil, 1)
	list = s.load(t)
	first, second := list[len(list)-2].Key, list[len(list)-1].Key
	answer := obligations.Finding{Key: first, Act: obligations.Tell, Value: json.RawMessage(`"twice a year"`), Evidence: obligations.Evidence{Kind: obligations.WidgetInput}}
	s.keep(t, obligations.EmergentChanges{}, obligations.Apply(list, []obligations.Finding{answer}, 2), 2)
	ruling := obligations.ReviewDecision{Turn: 3, Source: "reviewer", Reason: "they are one"}
	changes, err := obligations.Unite(s.load(t), first, second, ruling)
	if err != nil {
		t.Fatal(err)
	}
	s.keep(t, obligations.EmergentChanges{}, changes, 3)
	changes, born, err := obligations.Divide(s.load(t), second, []obligations.Template{{Prompt: "Which auditors?"}, {Prompt: "Which nights?"}}, ruling)
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, func(b *postgres.Batch) error { return obligations.Create(b, s.scope, born, 3) })
	s.keep(t, obligations.EmergentChanges{}, changes, 3)
	changes, err = obligations.Decide(s.load(t), second, true, ruling)
	if err != nil {
		t.Fatal(err)
	}
	s.keep(t, obligations.EmergentChanges{}, changes, 3)

	stored := s.load(t)
	replayed, err := obligations.Replay(s.objective.Definition.Obligations, s.history(t, obligations.HistoryPage{}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stored, replayed, sameState); diff != "" {
		t.Errorf("Replay (-stored +replayed):\n%s", diff)
	}
	if o := obligations.Find(stored, second); len(o.SplitInto) != 2 || o.Origin.Source != obligations.SourceApproved || obligations.Find(stored, first).MergedInto != second {
		t.Errorf("%s is %+v", second, o)
	}
}

func TestVectorsOfQuestionsKeepTheirEncoder(t *testing.T) {
	t.Parallel()

	s := newShelf(t)
	keys, err := obligations.Unencoded(t.Context(), s.pool, s.scope, "one", 1000)
	if err != nil || len(keys) != len(s.load(t)) {
		t.Fatalf("%d questions have no vector (%v), want all", len(keys), err)
	}
	vectors := map[string][]float32{keys[0]: {1, 0}, keys[1]: {0.6, 0.8}, keys[2]: nil}
	if err := obligations.SaveVectors(t.Context(), s.pool, s.scope, "one", vectors); err != nil {
		t.Fatal(err)
	}

	for encoder, want := range map[string]int{"one": len(keys) - 3, "two": len(keys)} {
		if left, err := obligations.Unencoded(t.Context(), s.pool, s.scope, encoder, 1000); err != nil || len(left) != want {
			t.Errorf("%d questions have no vector of %s (%v), want %d", len(left), encoder, err, want)
		}
	}
	loaded := map[string]obligations.Vector{}
	s.write(t, func(b *postgres.Batch) error {
		obligations.LoadVectors(b, s.scope, "one", loaded)
		return nil
	})
	if v := loaded[keys[1]]; len(loaded) != 2 || v.Encoder != "one" || len(v.Values) != 1536 || v.Values[1] != 0.8 {
		t.Errorf("loaded %d vectors, the second by %q with %d numbers", len(loaded), v.Encoder, len(v.Values))
	}
}

func TestSuggestionsAreGroupedByWhatTheyAsk(t *testing.T) {
	t.Parallel()

	s := newShelf(t)
	s.keep(t, obligations.Propose(s.load(t), []obligations.EmergentQuestion{proposed("What about the auditors?"), proposed("And what of the night shift?")}, nil, 1), nil, 1)
	list, err := obligations.Suggestions(t.Context(), s.pool, s.scope.Tenant, "")
	if err != nil || len(list) != 2 || list[0].Scope != s.scope || len(list[0].Evidence) != 1 {
		t.Fatalf("suggestions: %+v, %v", list, err)
	}
	again := list[1]
	again.Template.Key = "elsewhere"
	if groups := obligations.Group(append(list, again)); len(groups) != 2 || len(groups[0])+len(groups[1]) != 3 {
		t.Errorf("groups: %+v, want one of two and one of one", groups)
	}
	if other, err := obligations.Suggestions(t.Context(), s.pool, s.scope.Tenant, "idea_discovery"); err != nil || len(other) != 0 {
		t.Errorf("of another context: %+v, %v", other, err)
	}
}
