package rules

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// englishStretches are the stretches of the English messages that are at least three words
// long: none of them may be in what is said in another language.
func englishStretches(t testing.TB) []string {
	t.Helper()
	body, err := os.ReadFile("../../internal/language/messages/languages/en.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.SplitSeq(string(body), "\n") {
		if !strings.HasPrefix(line, " ") {
			continue
		}
		for _, stretch := range regexp.MustCompile(`\{[^}]*\}|\[[^\]]*\]|[.;:?]`).Split(line, -1) {
			if stretch = strings.TrimSpace(stretch); len(strings.Fields(stretch)) >= 3 {
				out = append(out, stretch)
			}
		}
	}
	if len(out) < 200 {
		t.Fatalf("only %d stretches of English", len(out))
	}
	return out
}

// mustBeGerman fails for a reply that has English in it, a placeholder, or a key.
func mustBeGerman(t testing.TB, stretches []string, said, reply string) {
	t.Helper()
	for _, s := range stretches {
		if strings.Contains(reply, s) {
			t.Errorf("%q is answered in English, %q:\n%s", said, s, reply)
		}
	}
	if at := regexp.MustCompile(`\{[a-z-]+\}|\b(?:remedy|noted|share|period|number)\.[a-z-]+\b|“[^„]*”|\bthe \w+`).FindString(reply); at != "" {
		t.Errorf("%q is answered with %q:\n%s", said, at, reply)
	}
}

var germanSayings = []string{
	"", "Guten Tag", "Wir möchten eine zweite Filiale eröffnen.", "Warum fragen Sie das?", "20.000 Euro", "keine Ahnung", "später", "Das verstehe ich nicht",
	"Was meinen Sie damit?", "Wie weit sind wir?", "Was haben Sie bisher notiert?", "im März 2028", "Das Budget ist doch eher 30.000 Euro", "zwölf Leute", "asdfgh",
	"😀😀", "Auf dem Land", "nein", "Können Sie das nachschlagen?", "Wer sind Sie?", "Laden und Wochenmarkt", "das möchte ich nicht sagen", "Wie wird das Wetter?", "etwa 40 Stunden",
	"ja", "Danke", "skip", "why?", "what do you know about me?", "how far are we?", "no, that is wrong", "later", "ja, das stimmt", "Ich muss jetzt los",
}

func TestGermanInterviewIsGerman(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	stretches := englishStretches(m)
	ctx := context.Background()
	rules := New(chattest.Listener())
	for _, d := range []int{1, 3} { // in two orders
		h := chat.NewRehearsal(chattest.Bakery(), rules, rules)
		for i := range germanSayings {
			said := germanSayings[i*d%len(germanSayings)]
			turn, err := h.Say(ctx, chat.RehearsalInput{Person: "u1", Message: said, At: chattest.Today})
			if err != nil {
				t.Fatal(err)
			}
			mustBeGerman(m, stretches, said, turn.Reply)
			if turn.Question != nil {
				mustBeGerman(m, stretches, said, turn.Question.Prompt)
			}
		}
	}
}

// failing is a model that is down.
type failing struct{}

func (failing) Name() string { return "model down" }

func (failing) Understand(context.Context, *chat.Scene) (chat.Understanding, error) {
	return chat.Understanding{}, errors.New("down")
}

func (failing) Reply(context.Context, *chat.Scene, *chat.Plan, func(string) error) (chat.Usage, error) {
	return chat.Usage{}, errors.New("down")
}

func TestDegradedTurnStaysInTheLanguage(t *testing.T) {
	t.Parallel()

	stretches := englishStretches(t)
	h := chat.NewRehearsal(chattest.Bakery(), failing{}, New(chattest.Listener()))
	for _, said := range []string{"", "Wir wollen weniger wegwerfen", "20.000 Euro", "hm"} {
		turn, err := h.Say(context.Background(), chat.RehearsalInput{Person: "u1", Message: said, At: chattest.Today})
		if err != nil || turn.Degraded == "" {
			t.Fatalf("Say(%q): degraded %q, %v", said, turn.Degraded, err)
		}
		mustBeGerman(t, stretches, said, turn.Reply)
	}
}

// talkative is a model that asks two things at once, which is mended.
type talkative struct{ *Interviewer }

func (talkative) Name() string { return "model that asks badly" }

func (talkative) Reply(_ context.Context, _ *chat.Scene, _ *chat.Plan, say func(string) error) (chat.Usage, error) {
	return chat.Usage{}, say("Danke. Was noch? Und wie?")
}

func TestMendedQuestionsStayInTheLanguage(t *testing.T) {
	t.Parallel()

	stretches := englishStretches(t)
	rules := New(chattest.Listener())
	d := chattest.Bakery()
	d.Obligations = d.Obligations[1:3]
	h := chat.NewRehearsal(d, talkative{rules}, rules)
	var last string
	for _, said := range []string{"", "vielleicht 20.000 Euro", "ja", "im März 2028", "ja", "ja"} {
		turn, err := h.Say(context.Background(), chat.RehearsalInput{Person: "u1", Message: said, At: chattest.Today})
		if err != nil {
			t.Fatal(err)
		}
		mustBeGerman(t, stretches, said, turn.Reply)
		if q := turn.Question; q != nil {
			last += turn.Reply + "\n"
			if strings.Contains(turn.Reply, "Was noch") {
				t.Errorf("it is not mended: %s", turn.Reply)
			}
		}
	}
	for _, want := range []string{"Wie hoch ist Ihr Budget", "Soll ich hier abschließen?"} {
		if !strings.Contains(last, want) {
			t.Errorf("nothing asks %q:\n%s", want, last)
		}
	}
}

// Every plan is worded in German, also those that no talk of a few turns leads to.
func TestGermanRepliesOfEveryPlan(t *testing.T) {
	t.Parallel()

	stretches := englishStretches(t)
	say := func(s *chat.Scene, p *chat.Plan) {
		for s.Turn = 0; s.Turn < 5; s.Turn++ {
			p.List = s.Obligations
			mustBeGerman(t, stretches, s.Message, reply(t, s, p))
		}
	}
	intents := []chat.Intent{"", chat.Answer, chat.Agree, chat.Disagree, chat.SkipThis, chat.Later, chat.DontKnow, chat.AskWhy, chat.AskHelp, chat.AskRepeat, chat.AskResearch, chat.AskProgress,
		chat.AskMemory, chat.AskMeta, chat.SmallTalk, chat.OffTopic, chat.Leave, chat.Unclear, chat.Attached, chat.Opened}
	for _, key := range []string{"vorhaben", "budget", "start", "leute", "lage", "wege", "stunden"} {
		for _, intent := range intents {
			s := chattest.SceneIn(chattest.Bakery(), key, "this is boring")
			chattest.Hold(s, "budget", `{"min":0,"max":20000}`, 1)
			chattest.Hold(s, "start", `"2027-03-31"`, 1)
			o := obligations.Find(s.Obligations, key)
			for attempt := 1; attempt < 4; attempt++ {
				q := chattest.Ask(o, sessions.ToAsk)
				q.Attempt, q.MayDefer, q.Examples = attempt, attempt == 3, o.Examples
				say(s, &chat.Plan{Question: q, Left: attempt - 1, Understanding: chat.Understanding{Intent: intent}})
			}
			for _, end := range []sessions.StopReason{sessions.EndCompleted, sessions.EndLeft, sessions.EndRefused, sessions.EndHandedOver, sessions.EndBudget, sessions.EndError} {
				say(s, &chat.Plan{Ends: end, Returning: true, Understanding: chat.Understanding{Intent: intent}})
			}
		}
	}
	for _, why := range []research.DeclineReason{research.Underway, research.OwnSystems, research.Unknowable, research.TurnFull, research.TooMany, research.UsedUp} {
		s, wish := chattest.SceneIn(chattest.Bakery(), "budget", "?"), chat.ResearchRequest{Key: "budget", Query: "x"}
		p := &chat.Plan{Understanding: chat.Understanding{Intent: chat.AskResearch, Research: []chat.ResearchRequest{wish}}}
		p.Research.Refused = []research.DeclinedRequest{{Request: research.Request(wish), Why: why}}
		say(s, p)
	}
}

func TestGermanValues(t *testing.T) {
	t.Parallel()

	s := chattest.SceneIn(chattest.Bakery(), "vorhaben", "")
	chattest.Hold(s, "budget", `20000`, 1)
	chattest.Hold(s, "start", `"2027-03-31"`, 1)
	chattest.Hold(s, "leute", `1`, 1)
	chattest.Hold(s, "wege", `["laden","markt","netz"]`, 1)
	chattest.Hold(s, "stunden", `{"min":1000.5,"max":2000}`, 1)
	obligations.Find(s.Obligations, "budget").Evidence[0].Quote = "20.000 €"
	w := newWriter(s, &chat.Plan{List: s.Obligations})
	var got []string
	for _, key := range []string{"budget", "start", "leute", "wege", "stunden"} {
		o := w.find(key)
		got = append(got, w.noteOf(o, w.shown(o)))
	}
	want := []string{"Budget: 20.000 €", "Beginn: 31. März 2027", "Mitarbeitende: 1 Person", "Verkaufswege: Laden, Wochenmarkt und Internet", "Zeit in der Backstube: 1.000,5 bis 2.000 Stunden"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Who writes in a language that nothing is said in is told so once, in it and in English.
func TestSomebodyWritesInAnotherLanguage(t *testing.T) {
	t.Parallel()

	rules := New(chattest.Listener())
	d := &objectives.Definition{ContextType: "test", Obligations: chattest.Templates()}
	h := chat.NewRehearsal(d, rules, rules)
	notices := messages.NotUnderstood("fr")
	for i, said := range []string{"Nous avons une petite boulangerie dans le centre de Lyon.", "Je ne sais pas, nous avons deux magasins.", "C'est pour les gens du quartier"} {
		turn, err := h.Say(context.Background(), chat.RehearsalInput{Person: "u1", Message: said, At: chattest.Today})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range notices {
			if told := strings.Contains(turn.Reply, n); told != (i == 0) {
				t.Errorf("turn %d tells %q: %v\n%s", i+1, n, told, turn.Reply)
			}
		}
	}
	if got := h.Session().Memory.Preferences[chat.WritesIn]; got != "fr" {
		t.Errorf("the session remembers %q", got)
	}
	s := chattest.Scene("business", "Nous avons une petite boulangerie dans le centre de Lyon.")
	s.Memory.Preferences = sessions.Preferences{chat.WritesIn: "fr"}
	p := chat.Decide(s, chat.Understanding{Intent: chat.Answer})
	if got := reply(t, s, p); strings.Contains(got, notices[0]) {
		t.Errorf("it is told again: %s", got)
	}
}
