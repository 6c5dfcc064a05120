package chat

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/obligations"
	"quaestor/sessions"
)

func TestAgendaFollowsTheInterview(t *testing.T) {
	t.Parallel()

	s, _ := shippedPlan(t, "business_profile", "en", "industry")
	list := slices.Clone(s.Obligations)
	q := &sessions.Question{Purpose: sessions.ToAsk, Key: "industry"}

	begun := AgendaOf(list, q)
	for i := range list {
		if list[i].Category == list[0].Category || list[i].Category == "Goals" {
			list[i].Status = obligations.Satisfied
		}
	}
	later := AgendaOf(list, &sessions.Question{Purpose: sessions.ToAsk, Key: "pricing_strategy"})

	if begun.Minutes != 15 || begun.Parts[0].State != PartNow || begun.Parts[0].Resolved != 0 || len(begun.Ahead()) != len(begun.Parts) || begun.Ahead()[0] != begun.Parts[0].Name {
		t.Errorf("at the beginning: %+v", begun)
	}
	if later.Minutes > begun.Minutes || later.Parts[0].State != PartDone || len(later.Parts[0].Open) != 0 || later.Ahead()[0] != "Offer and income" || slices.Contains(later.Ahead(), "Goals") {
		t.Errorf("later: %+v", later)
	}
	if diff := cmp.Diff(Agenda{Parts: []AgendaPart{}}, AgendaOf(nil, nil)); diff != "" {
		t.Errorf("of nothing (-want +got):\n%s", diff)
	}
}
