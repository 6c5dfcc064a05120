package brief_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat/brief"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var begun = time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)

func raw(t testing.TB, v any) json.RawMessage {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// bakery is an interview on its way, with one of everything a brief tells.
func bakery(t testing.TB) brief.Material {
	t.Helper()
	stated := func(by, quote string, turn int) []obligations.Evidence {
		return []obligations.Evidence{{Kind: obligations.Stated, Turn: turn, By: by, Quote: quote, Message: "2-user", Span: &obligations.Span{Start: 0, End: 4}}}
	}
	list := []obligations.Obligation{
		{Template: &obligations.Template{Key: "offer", Label: "What they sell", Category: "Business", Priority: 9}, Status: obligations.Satisfied, Confidence: 92,
			Value: raw(t, "Bread 🥖 & rolls,\nbaked at night"), Evidence: stated("anna@example.org", "we bake bread & rolls", 2)},
		{Template: &obligations.Template{Key: "team", Label: "Team", Category: "Business", Widget: obligations.Number, Unit: "people", Priority: 5, Prompt: "How many are you?"},
			Status: obligations.Satisfied, Confidence: 80, Value: raw(t, 1200), Evidence: stated("Ben (guest abcd2345)", "about 1200 of us", 3)},
		{Template: &obligations.Template{Key: "start", Label: "First sale", Category: "Time", Widget: obligations.Date, Priority: 4}, Status: obligations.Partial, Confidence: 45,
			Value: raw(t, "2027-03"), Evidence: []obligations.Evidence{{Kind: obligations.Accepted, Turn: 4, By: "anna@example.org", Quote: "probably", Proposal: &obligations.Proposal{Value: raw(t, "2027-03")}}},
			Negotiation: &obligations.Negotiation{Status: obligations.NegotiationActive, Rounds: []obligations.Round{{Turn: 4, Proposal: raw(t, "2027-03"), Response: obligations.Modify, UserValue: raw(t, "2027-06")}}}},
		{Template: &obligations.Template{Key: "market", Label: "Market", Category: "Market", Prompt: "Who buys from you?", Priority: 8}, Status: obligations.InProgress, Attempts: 2},
		{Template: &obligations.Template{Key: "rivals", Label: "Rivals", Category: "Market", Prompt: "Who else sells it?", Dependencies: []string{"market"}, Priority: 3}, Status: obligations.Pending},
		{Template: &obligations.Template{Key: "size", Label: "Size of the market", Category: "Market", Widget: obligations.Number, Priority: 6}, Status: obligations.Partial, Confidence: 60,
			Value: raw(t, 4000), Evidence: []obligations.Evidence{{Kind: obligations.ResearchEvidence, Turn: 3, Quote: "some 4,000 bakeries", Source: "https://example.org/bakeries?a=1&b=2"},
				{Kind: obligations.Document, Quote: "4000", Source: "file:///srv/secret/plan.txt"}}},
		{Template: &obligations.Template{Key: "sales", Label: "Yearly sales", Priority: 2}, Status: obligations.Skipped, SkipReason: obligations.Declined},
	}
	return brief.Material{
		Session: sessions.Session{ID: "0b7a2d5e-1111-4222-8333-444455556666", Tenant: "t", ContextType: "business_profile", User: "anna@example.org", Status: sessions.Active, Phase: sessions.Exploration,
			Score: 0.61, Progress: 0.55, Turns: 5, CreatedAt: begun, UpdatedAt: begun.Add(26 * time.Hour),
			Memory: sessions.Memory{FollowUps: []sessions.FollowUp{{Key: "offer", Reason: "rolls were named in passing", Priority: 4}}}},
		Definition:  &objectives.Definition{DisplayName: "Business profile", Description: "A business as it is.", Completion: obligations.Criteria{Required: []string{"market", "offer"}}},
		Obligations: list,
		Conflicts: []obligations.Conflict{{ID: "c", Kind: obligations.BetweenPersons, Keys: []string{"team"}, Sides: []obligations.Side{
			{Key: "team", Value: raw(t, 12), Evidence: stated("anna@example.org", "twelve", 2)}, {Key: "team", Value: raw(t, 1200), Kept: true, Evidence: stated("Ben (guest abcd2345)", "about 1200 of us", 3)}}}},
		People: []sessions.Participant{{User: "Ben (guest abcd2345)", Role: sessions.ContributorRole, Guest: true}},
		Research: []research.Report{{
			Task: research.Task{ID: "task-id", Order: research.Order{Query: "How many bakeries are there? Context: bread"}, Status: research.Completed, Outcome: research.Found, Summary: "About 4,000.",
				Proposal: &research.Proposal{Key: "size", Value: raw(t, 4000)}},
			Sources: []research.Source{{N: 1, URL: "https://example.org/bakeries?a=1&b=2", Title: "Bakeries <in> figures", Published: "2025-11-02"}, {N: 2, URL: "https://example.org/unused"}},
			Claims:  []research.Claim{{N: 1, Source: 1, Text: "There are some 4,000 bakeries.", Quote: "some 4,000 bakeries"}},
		}},
		Messages: []sessions.Message{{Turn: 1, Role: sessions.FromAssistant, Content: "What do you sell?"}, {Turn: 2, Role: sessions.FromUser, User: "anna@example.org", Content: "we bake bread & rolls\n\n# not a heading"}},
	}
}

func TestBriefAsMarkdown(t *testing.T) {
	t.Parallel()

	got := brief.Markdown(brief.Of(bakery(t)))

	golden := filepath.Join("testdata", "bakery.md")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the brief (-want +got):\n%s", diff)
	}
}

// Nobody who reads a brief learns an id, an address of mail, or where a document
// lies.
func TestBriefTellsNoIDs(t *testing.T) {
	t.Parallel()

	m := bakery(t)
	opaque := bakery(t)
	opaque.Session.User = "7d1f0c9e-2222-4333-8444-555566667777"
	for _, m := range []brief.Material{m, opaque} {
		text := string(brief.Markdown(brief.Of(m)))
		for _, secret := range []string{"0b7a2d5e", "7d1f0c9e", "@example.org", "abcd2345", "task-id", "/srv/secret", "business\\_profile", "business_profile"} {
			if strings.Contains(text, secret) {
				t.Errorf("the brief tells %q:\n%s", secret, text)
			}
		}
	}
	if got := brief.Of(opaque).About[0].Value; got != "Person 1" {
		t.Errorf("somebody known by an id alone is called %q", got)
	}
}

func TestDataForStrangersNamesPeopleAsBriefsDo(t *testing.T) {
	t.Parallel()

	m := bakery(t)

	table, err := brief.Write(sessions.CSV, m.Anonymous())

	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"@example.org", "abcd2345", "/srv/secret"} {
		if strings.Contains(string(table), secret) {
			t.Errorf("the table tells %q:\n%s", secret, table)
		}
	}
	if !strings.Contains(string(table), ",anna,,,,,\n") || !strings.Contains(string(table), ",Ben (guest),,,people,,\n") {
		t.Errorf("the table does not say who said what:\n%s", table)
	}
	if m.Obligations[0].Evidence[0].By != "anna@example.org" {
		t.Error("the material itself was changed")
	}
}

func TestPeopleOfOneNameStayApart(t *testing.T) {
	t.Parallel()

	m := brief.Material{Session: sessions.Session{User: "anna@one.example"}, Definition: &objectives.Definition{}}
	for _, user := range []string{"anna@two.example", "anna (guest abcd2345)", "Guest zzzz2345", "\u202eevil\x00", "550e8400e29b41d4a716446655440000", "user12345", "Rita", "李雷"} {
		m.People = append(m.People, sessions.Participant{User: user})
	}

	got := brief.Of(m).About[1].Value

	if want := "anna (2), anna (guest), Guest, evil\uFFFD, Person 1, Person 2, Rita, 李雷"; got != want {
		t.Errorf("others = %q, want %q", got, want)
	}
}

func TestNothingKnownAndNothingLeft(t *testing.T) {
	t.Parallel()

	empty := brief.Of(brief.Material{Definition: &objectives.Definition{DisplayName: "Empty"}})
	full := bakery(t)
	full.Obligations, full.Conflicts, full.Session.Memory = full.Obligations[:1], nil, sessions.Memory{}
	full.Research = nil

	if empty.Known != nil || len(empty.Next) != 1 || empty.Summary != "Of 0 questions, 0 are answered." {
		t.Errorf("a brief of nothing: %+v", empty)
	}
	if got := brief.Of(full).Next; len(got) != 1 || !strings.HasPrefix(got[0], "Nothing is left to do") {
		t.Errorf("next steps when all is answered: %q", got)
	}
}

// What waits to be looked up was not looked up.
func TestResearchThatWaitsIsNotCountedAsDone(t *testing.T) {
	t.Parallel()

	m := bakery(t)
	m.Research = append(m.Research, m.Research[0])
	m.Research[1].Task.Status = research.Pending

	b := brief.Of(m)

	if !strings.Contains(b.Summary, "1 thing was looked up. 1 thing is still to be looked up.") {
		t.Errorf("the summary says %q", b.Summary)
	}
	if got := string(brief.Markdown(b)); !strings.Contains(got, "Not looked up yet") {
		t.Errorf("the brief does not say that something waits:\n%s", got)
	}
}

// What somebody turned down is not offered again, and the brief says that it was turned down.
func TestProposalThatWasTurnedDownIsNotOfferedAgain(t *testing.T) {
	t.Parallel()

	const offer = "Confirm or reject what research proposes"
	m := bakery(t)
	if got := string(brief.Markdown(brief.Of(m))); !strings.Contains(got, offer) {
		t.Fatalf("an open proposal is not offered:\n%s", got)
	}
	size := obligations.Find(m.Obligations, "size")
	size.Value, size.Evidence, size.Status = nil, nil, obligations.Pending
	size.Negotiation = &obligations.Negotiation{Status: obligations.NegotiationResolved, Refused: []obligations.RejectedValue{{Turn: 4, Value: raw(t, 4000)}}}
	if got := string(brief.Markdown(brief.Of(m))); strings.Contains(got, offer) || !strings.Contains(got, "Proposed, and turned down: ") {
		t.Errorf("after it was turned down:\n%s", got)
	}
	size.Negotiation = nil
	m.Research[0].Task.Steering = []research.Steer{{By: "anna@example.org", Text: "that counts shops, not bakeries", Disputes: true}}
	if got := string(brief.Markdown(brief.Of(m))); strings.Contains(got, offer) {
		t.Errorf("after it was disputed:\n%s", got)
	}
	size.Value = raw(t, 4000) // found again, on other grounds
	if got := string(brief.Markdown(brief.Of(m))); !strings.Contains(got, offer) {
		t.Errorf("found again, it is not offered:\n%s", got)
	}
}

func TestWriteRefusesOtherFormats(t *testing.T) {
	t.Parallel()

	if out, err := brief.Write("rtf", bakery(t)); err == nil {
		t.Errorf("Write(rtf) = %q, want an error", out)
	}
	for _, f := range []sessions.Format{sessions.JSON, sessions.CSV, sessions.Markdown, sessions.DOCX, sessions.PDF} {
		one, err := brief.Write(f, bakery(t))
		if err != nil || len(one) == 0 {
			t.Fatalf("Write(%s) = %d bytes, %v", f, len(one), err)
		}
		if again, _ := brief.Write(f, bakery(t)); string(again) != string(one) {
			t.Errorf("Write(%s) gives other bytes the second time", f)
		}
	}
}
