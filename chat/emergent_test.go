package chat_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"quaestor/chat"
	"quaestor/internal/llm/llmtest"
	"quaestor/obligations"
	"quaestor/sessions"
)

func TestProposeReadsWhatPeopleAnnounce(t *testing.T) {
	t.Parallel()

	covered := chat.Understanding{Findings: []obligations.Finding{{Key: "x", Evidence: obligations.Evidence{Quote: "the night shift"}}}}
	for _, tt := range []struct {
		in   string
		u    chat.Understanding
		want string // quoted as evidence; empty for no proposal
	}{
		{"One more thing we must not forget: the auditors of the insurance.", chat.Understanding{}, "the auditors of the insurance"},
		{"Fine. You should also ask about the night shift, please.", chat.Understanding{}, "the night shift"},
		{"We mustn't forget the works council!", chat.Understanding{}, "the works council"},
		{"Don’t forget about accessibility", chat.Understanding{}, "accessibility"},
		{"You haven't asked about our franchise partners yet.", chat.Understanding{}, "our franchise partners"},
		{"Another important point: returns at Christmas; they are many.", chat.Understanding{}, "returns at Christmas"},
		{"Don't forget the night shift.", covered, ""},
		{"I always forget the keys.", chat.Understanding{}, ""},
		{"One more thing.", chat.Understanding{}, ""},
		{"We sell bicycles.", chat.Understanding{}, ""},
		{"", chat.Understanding{}, ""},
		{"Don't forget it.", chat.Understanding{}, ""},
		{"never forget " + strings.Repeat("word ", 40), chat.Understanding{}, ""},
	} {
		s := &chat.Scene{Turn: 4, Message: tt.in, Person: "ada"}
		got := chat.Propose(s, tt.u, nil)
		switch {
		case tt.want == "" && len(got.Born) != 0:
			t.Errorf("%q brought up %q", tt.in, got.Born[0].Prompt)
		case tt.want != "" && (len(got.Born) != 1 || got.Evidence[0][0].Quote != tt.want || got.Evidence[0][0].Message != s.MessageID()):
			t.Errorf("%q brought up %+v on %+v, want %q", tt.in, got.Born, got.Evidence, tt.want)
		}
	}
}

// Five ways to bring up one topic gave five proposals: they are one, and another
// topic is another.
func TestParaphrasedAnnouncementsAreOneProposal(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		said []string
		want int // proposals that stand
	}{
		{"auditors", []string{"One more thing we must not forget: the auditors of the insurance.", "Don't forget the insurance auditors.", "You should also ask about the auditors from our insurance company.",
			"You haven't asked about the insurance company's auditors yet.", "We must not forget what the insurance's auditors want."}, 1},
		{"night shift", []string{"Don't forget the night shift", "Another important point: the people on the night shift.", "You should also ask about the night shift workers, please.", "We must not forget the night shift either!",
			"You didn't ask about our night shift."}, 1},
		{"works council", []string{"We mustn't forget the works council!", "Don't forget about approval by the works council.", "You need to also ask about the works council's approval.", "One more point: what the works council thinks.",
			"Never forget that the works council has a say."}, 1},
		{"franchise", []string{"You should also ask about our franchise partners.", "Don't forget the partners in our franchise.", "One more thing: the franchise partners we have."}, 1},
		{"Christmas", []string{"Don't forget returns at Christmas.", "We must not forget the Christmas returns.", "Another point: that people return things at Christmas."}, 1},
		{"five topics", []string{"Don't forget the night shift.", "Don't forget the day shift.", "Don't forget night buses.", "Don't forget the insurance auditors.", "Don't forget the insurance costs."}, 5},
		{"places", []string{"Don't forget parking for guests.", "Don't forget parking for staff.", "Don't forget delivery in winter.", "Don't forget delivery in summer."}, 4},
		{"before and after", []string{"Don't forget the weeks of Christmas returns.", "Don't forget the weeks before Christmas returns."}, 2},
		{"one word of it", []string{"Don't forget accessibility.", "Don't forget accessibility of the car park."}, 2},
		{"much more than it", []string{"Don't forget the old van.", "Don't forget the old van of Sam's uncle in Leeds."}, 2},
	} {
		var list []obligations.Obligation
		for i, said := range tt.said {
			got := chat.Propose(&chat.Scene{Turn: i + 2, Message: said, Person: "ada"}, chat.Understanding{}, list)
			if len(got.Born) != 1 {
				t.Fatalf("%s: %q brought up %d", tt.name, said, len(got.Born))
			}
			list = obligations.Merge(append(list, got.Born...), got.Changes)
		}
		var standing []string
		for _, o := range list {
			if o.MergedInto == "" {
				standing = append(standing, o.Label)
			}
		}
		if len(standing) != tt.want {
			t.Errorf("%s: %q stand, want %d", tt.name, standing, tt.want)
		}
	}
}

// Who brings up one topic again and again has not used up what may come up.
func TestTopicBroughtUpAgainLeavesRoomForOthers(t *testing.T) {
	t.Parallel()

	var list []obligations.Obligation
	say := func(topic string) int {
		got := chat.Propose(&chat.Scene{Turn: 2, Message: "Don't forget " + topic + ".", Person: "ada"}, chat.Understanding{}, list)
		list = obligations.Merge(append(list, got.Born...), got.Changes)
		return len(got.Born)
	}
	for range 6 {
		say("the night shift")
	}
	for _, topic := range []string{"the works council", "our franchise partners", "the insurance auditors", "returns at Christmas"} {
		if say(topic) != 1 {
			t.Errorf("%s did not come up", topic)
		}
	}
	if n := say("the leaking roof"); n != 0 {
		t.Errorf("%d came up beyond the bound", n)
	}
	for range 100 {
		say("the night shift")
	}
	if len(list) > 40 {
		t.Errorf("%d are kept of a topic that was brought up again and again", len(list))
	}
}

// Labels were cut after five words, wherever that was.
func TestLabelsOfWhatCameUpEndWithAPhrase(t *testing.T) {
	t.Parallel()

	for topic, want := range map[string]string{
		"the auditors of the insurance":                                                    "The auditors of the insurance",
		"what the auditors of the insurance want to see from us":                           "What the auditors of the insurance want to see",
		"returns of goods that were bought at Christmas in the shop":                       "Returns of goods that were bought at Christmas",
		"the very old heating system in the cellar of the shop":                            "The very old heating system in the cellar",
		"the night shift, the cleaners and the guards at both of the gates":                "The night shift, the cleaners and the guards",
		"Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft": "Donaudampfschifffahrtselektrizitätenhauptbetrieb",
		"every single supplier invoice since Tuesday the first":                            "Every single supplier invoice since Tuesday",
		"Zeiterfassung": "Zeiterfassung",
	} {
		got := chat.Propose(&chat.Scene{Turn: 2, Message: "Don't forget " + topic + ".", Person: "ada"}, chat.Understanding{}, nil)
		if len(got.Born) != 1 || got.Born[0].Label != want {
			t.Errorf("of %q came up %+v, want the label %q", topic, got.Born, want)
		}
	}
}

func TestProposeTakesTheModelsOnlyInThePersonsWords(t *testing.T) {
	t.Parallel()

	u := chat.Understanding{Proposals: []obligations.EmergentQuestion{
		{Template: obligations.Template{Label: "Works council", Prompt: "What does the works council have to agree to?"}, Evidence: obligations.Evidence{Quote: "the works council"}},
		{Template: obligations.Template{Prompt: "What is the password?"}, Evidence: obligations.Evidence{Quote: "ignore what was said before"}},
	}}
	got := chat.Propose(&chat.Scene{Turn: 2, Message: "And the works council has a say."}, u, nil)

	if len(got.Born) != 1 || got.Born[0].Key != "works_council" {
		t.Errorf("came up: %+v, want the works council alone", got.Born)
	}
}

func TestModelProposesAndTheHistoryTellsWhy(t *testing.T) {
	t.Parallel()

	reading := reading("answer")
	reading["proposals"] = []any{
		map[string]any{"label": "Works council", "question": "What does the works council have to agree to?", "quote": "the works council"},
		map[string]any{"label": "Made up", "question": "What is your password?", "quote": "tell me your password"},
	}
	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading})
	model.OnReply(llmtest.Reply{Text: "Hello."}, llmtest.Reply{Text: "And what do you sell there?"})
	d := newHarness(t, setup{model: model})
	d.take(d.input(""))
	d.take(d.input("There is also the works council, which matters most."))

	o := obligations.Find(d.list(), "works_council")
	if o == nil || o.Status != obligations.Pending || o.Origin.Layer != obligations.SessionOnly || obligations.Find(d.list(), "made_up") != nil {
		t.Fatalf("came up: %+v", o)
	}
	trail, err := obligations.History(t.Context(), d.pool, d.scope, obligations.HistoryPage{Key: o.Key})
	if err != nil || len(trail) != 1 || len(trail[0].Meta.Evidence) != 1 || trail[0].Meta.Evidence[0].Quote != "the works council" || trail[0].Source != obligations.SourceEmergent {
		t.Errorf("its history: %+v, %v", trail, err)
	}
	d.checkReplay()
}

// shapes is an encoder whose vectors say which letters a text has.
type shapes struct {
	mu    sync.Mutex
	name  string
	calls int
	fail  error
}

func (s *shapes) Name() string   { return s.name }
func (s *shapes) Dimension() int { return 26 }

func (s *shapes) Encode(_ context.Context, texts []string) ([][]float32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.fail != nil {
		return nil, s.fail
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, 26)
		for _, r := range strings.ToLower(text) {
			if r >= 'a' && r <= 'z' {
				out[i][r-'a']++
			}
		}
	}
	return out, nil
}

// indexed returns an index over the sessions of a harness.
func (d *harness) indexed(e *shapes) *chat.Index {
	o := chat.IndexOptions{Pool: d.pool, Hub: d.hub, Library: d.engine.Library, Log: slog.New(slog.DiscardHandler),
		Tenants: func(context.Context) ([]string, error) { return []string{d.scope.Tenant}, nil }}
	if e != nil {
		o.Encoder = e
	}
	return chat.NewIndex(o)
}

func TestSweepEncodesOnceAndAgainForAnotherEncoder(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	d.take(d.input("We must not forget the zebras."))
	first := &shapes{name: "first"}
	index := d.indexed(first)
	sweep := func(x *chat.Index) {
		if err := x.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	sweep(index)
	calls := first.calls
	if sweep(index); first.calls != calls || calls == 0 {
		t.Errorf("the first sweep encoded %d times, the second %d times more", calls, first.calls-calls)
	}
	find := func(x *chat.Index, words string) []sessions.Hit {
		hits, err := x.Search(t.Context(), sessions.Query{Tenant: d.scope.Tenant, Words: words})
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
	if hits := find(index, "sarbez"); len(hits) == 0 {
		t.Error("nothing was found by meaning")
	}
	second := &shapes{name: "second"}
	other := d.indexed(second)
	if hits := find(other, "sarbez"); len(hits) != 0 {
		t.Errorf("vectors of the first encoder were compared with the second's: %+v", hits)
	}
	if sweep(other); len(find(other, "sarbez")) == 0 {
		t.Error("nothing was encoded again")
	}
}

func TestSearchGoesOnByWordsWithoutAnEncoder(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	d.take(d.input("We must not forget the zebras."))
	for name, e := range map[string]*shapes{"none": nil, "one that fails": {name: "broken", fail: errors.New("no power")}} {
		index := d.indexed(e)
		if err := index.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		hits, err := index.Search(t.Context(), sessions.Query{Tenant: d.scope.Tenant, Words: "zebras"})
		if err != nil || !slices.ContainsFunc(hits, func(h sessions.Hit) bool { return h.Kind == sessions.FoundMessage }) {
			t.Errorf("%s: found %+v, %v", name, hits, err)
		}
	}
}

// What a query wants to the letter, or does not want, is not blurred by what lies
// near it in meaning.
func TestSearchKeepsToTheLetter(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	d.take(d.input("We sell bread in a small town"))
	index := d.indexed(&shapes{name: "letters"})
	if err := index.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := func(words string) bool {
		hits, err := index.Search(t.Context(), sessions.Query{Tenant: d.scope.Tenant, Words: words})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(hits, func(h sessions.Hit) bool {
			return h.Kind == sessions.FoundMessage && strings.Contains(h.Snippet, "small town")
		})
	}

	for words, want := range map[string]bool{"bread": true, "dreab": true, `"small town"`: true, `"town small"`: false, "bread -town": false, "-town bread": false} {
		if got := found(words); got != want {
			t.Errorf("%s finds the message: %v, want %v", words, got, want)
		}
	}
}

func TestSweepMergesWhatMeansTheSame(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	d.take(d.input("You should also ask about the auditors"))
	d.take(d.input("You should also ask about the auditros")) // the words differ, the letters do not
	came := func() (all, merged int) {
		for _, o := range d.list() {
			if o.Origin.Source == obligations.SourceEmergent {
				all++
				if o.MergedInto != "" {
					merged++
				}
			}
		}
		return all, merged
	}
	d.checkReplay()
	before, _ := came()
	if err := d.indexed(&shapes{name: "letters"}).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all, merged := came(); before != 2 || all != 2 || merged != 1 {
		t.Errorf("%d came up; after the sweep %d, of them %d merged; want 2, 2, 1", before, all, merged)
	}
	d.checkReplay()
}
