package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// talk is a whole conversation, turn by turn, without storage.
type talk struct {
	t       testing.TB
	session sessions.Session
	scene   chat.Scene
	lines   []string
}

func newTalk(t testing.TB, d objectives.Definition) *talk {
	t.Helper()
	k := &talk{t: t, session: sessions.Session{Phase: sessions.Opening}}
	k.scene = chat.Scene{Now: chattest.Today, Person: "u1", Objective: &d}
	for i, tpl := range d.Obligations {
		k.scene.Obligations = append(k.scene.Obligations, obligations.Obligation{Template: &tpl, Status: obligations.Pending, Position: i, Unlocked: len(tpl.Dependencies) == 0})
	}
	return k
}

// turn plays one turn and returns its plan.
func (k *talk) turn(message string) *chat.Plan {
	k.t.Helper()
	s := k.scene
	s.Turn++
	s.Message, s.Session, s.Memory = message, k.session, k.session.Memory
	u := chat.Understanding{Intent: chat.Opened}
	if message != "" {
		u = chat.Screen(&s, understand(k.t, &s), nil)
	}
	p := chat.Decide(&s, u)
	text := reply(k.t, &s, p)
	checkReply(k.t, p, text)
	k.lines = append(k.lines, "> "+message, text+"   ["+string(u.Intent)+" "+chattest.Brief(u.Findings)+"]")
	k.settle(s, p, u, text)
	return p
}

// settle carries the outcome of a turn into the next.
func (k *talk) settle(s chat.Scene, p *chat.Plan, u chat.Understanding, text string) {
	list := p.List
	if p.Question != nil && !p.Digression && p.Question.Purpose != sessions.ToResolve {
		var asked []obligations.Finding
		for _, key := range p.Question.Keys() {
			asked = append(asked, obligations.Finding{Key: key, Act: obligations.Asked})
		}
		list = obligations.Merge(list, obligations.Apply(list, asked, s.Turn))
	}
	s.Obligations, s.Asked = list, p.Question
	if s.Message != "" {
		s.Transcript = append(s.Transcript, sessions.Message{Turn: s.Turn, Role: sessions.FromUser, Content: s.Message, Complete: true})
	}
	s.Transcript = append(s.Transcript, sessions.Message{Turn: s.Turn, Role: sessions.FromAssistant, Content: text, Complete: true})
	k.session.Phase, k.session.StopReason = p.Phase, p.Ends
	k.session.Memory = k.session.Memory.Note(p.Signals(u, p.List))
	k.scene = s
}

// shippedObjectives reads them from their files.
func shippedObjectives(t testing.TB) []objectives.Definition {
	t.Helper()
	files, err := filepath.Glob("../../sessions/objectives/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no objectives: %v", err)
	}
	var out []objectives.Definition
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := objectives.ParseDefinition(data)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, d)
	}
	return out
}

// plainAnswer is a straight answer to a question, and the value it should give.
func plainAnswer(t *obligations.Template) string {
	switch t.Widget {
	case obligations.ChoiceOne:
		return "I would say " + language.LowerFirst(t.Choices[len(t.Choices)/2].Label)
	case obligations.MultiSelect:
		return t.Choices[0].Label + " and " + language.LowerFirst(t.Choices[1].Label)
	case obligations.Date:
		return "In March 2028"
	case obligations.Number:
		n := 12.0
		if t.Min != nil {
			n = max(n, *t.Min)
		}
		if t.Max != nil {
			n = min(n, *t.Max)
		}
		return "It is " + field.InEnglish(&obligations.Template{Widget: obligations.Number}, field.Encode(n))
	case obligations.Text:
		if len(t.Examples) > 0 {
			return t.Examples[0]
		}
	}
	return "Mostly the things that regulars of the old harbour market ask for"
}

// cooperate answers whatever is asked.
func cooperate(k *talk, q *sessions.Question) string {
	switch q.Purpose {
	case sessions.ToAsk:
		return plainAnswer(obligations.Find(k.scene.Obligations, q.Key).Template)
	case sessions.ToForm:
		var lines []string
		for _, key := range q.Keys() {
			o := obligations.Find(k.scene.Obligations, key)
			lines = append(lines, o.Name()+": "+plainAnswer(o.Template))
		}
		return strings.Join(lines, "\n")
	case sessions.ToResolve:
		return "the first one"
	case sessions.ToConfirm, sessions.ToFinish:
	}
	return "Yes, that's right"
}

func TestCooperativePerson(t *testing.T) {
	t.Parallel()

	for _, d := range shippedObjectives(t) {
		t.Run(d.ContextType, func(t *testing.T) {
			t.Parallel()

			k := newTalk(t, d)
			p := k.turn("")
			turns := 0
			for ; p.Ends == "" && turns < 80; turns++ {
				p = k.turn(cooperate(k, p.Question))
			}
			if p.Ends != sessions.EndCompleted {
				t.Errorf("ends as %q after %d turns with %+v\n%s", p.Ends, turns, p.Completeness, strings.Join(k.lines, "\n"))
			}
			if turns > len(d.Obligations)+8 {
				t.Errorf("takes %d turns for %d questions\n%s", turns, len(d.Obligations), strings.Join(k.lines, "\n"))
			}
		})
	}
}

// moods are the ways of a difficult person, one a turn.
var moods = []func(k *talk, q *sessions.Question) string{
	func(*talk, *sessions.Question) string { return "why do you want to know that?" },
	func(*talk, *sessions.Question) string { return "stuff" },
	cooperate,
	func(*talk, *sessions.Question) string { return "no, actually that's wrong" },
	func(*talk, *sessions.Question) string { return "I don't know" },
	cooperate,
	func(*talk, *sessions.Question) string { return "what's the weather like tomorrow?" },
	func(*talk, *sessions.Question) string { return "later" },
	cooperate,
	func(*talk, *sessions.Question) string { return "maybe 12, maybe 20, it depends" },
	func(*talk, *sessions.Question) string { return "asdfgh" },
	func(*talk, *sessions.Question) string { return "can you look that up for me?" },
	cooperate,
	func(*talk, *sessions.Question) string { return "how much longer?" },
	func(*talk, *sessions.Question) string { return "I'd rather not say" },
	func(*talk, *sessions.Question) string { return "What do you mean?" },
	cooperate,
	func(*talk, *sessions.Question) string { return "😀😀" },
	func(*talk, *sessions.Question) string { return "n/a" },
	func(*talk, *sessions.Question) string { return "no" },
}

func TestDifficultPerson(t *testing.T) {
	t.Parallel()

	for _, d := range shippedObjectives(t) {
		t.Run(d.ContextType, func(t *testing.T) {
			t.Parallel()

			k := newTalk(t, d)
			p := k.turn("")
			for turn := 0; p.Ends == "" && turn < 200; turn++ {
				before := p.Question
				p = k.turn(moods[turn%len(moods)](k, before))
				askedAgain(t, p)
			}
			if p.Ends == "" {
				t.Errorf("never ends:\n%s", strings.Join(k.lines, "\n"))
			}
		})
	}
}

// askedAgain fails when a plan asks openly for what is known.
func askedAgain(t testing.TB, p *chat.Plan) {
	t.Helper()
	if p.Question == nil || p.Question.Purpose != sessions.ToAsk || p.Digression {
		return
	}
	if o := obligations.Find(p.List, p.Question.Key); o != nil && o.Resolved() {
		t.Errorf("asks for %s again, which is %s", o.Key, o.Status)
	}
}

// TestNaturalConversation holds what a person who talks freely gets out of it.
func TestNaturalConversation(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	var d objectives.Definition
	for _, o := range shippedObjectives(t) {
		if o.ContextType == "business_profile" {
			d = o
		}
	}
	k := newTalk(t, d)
	k.turn("")
	for _, message := range []string{
		"Hi! We run a bakery in Leeds with 12 employees, mostly sourdough bread for cafés.",
		"food, I guess",
		"why do you ask?",
		"yes",
	} {
		k.turn(message)
	}
	if os.Getenv("SHOW") != "" {
		fmt.Println(strings.Join(k.lines, "\n"))
	}
	held := []string{}
	for _, o := range k.scene.Obligations {
		if o.Value != nil {
			held = append(held, o.Key)
		}
	}
	if !slices.Contains(held, "business_overview") || !slices.Contains(held, "industry") {
		m.Errorf("holds %v\n%s", held, strings.Join(k.lines, "\n"))
	}
}

// "Something else is fine too, in your own words" was followed by taking no words of
// their own.
func TestOwnWordsAreTakenOnceTheyWereOffered(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	invoice := "they get an invoice at the end of the month for everything that they ordered from us"
	k := talkOf(m, "business_profile", "revenue_model")
	k.session.Memory.Course.Approved = true
	if q := k.turn(invoice).Question; q.Key != "revenue_model" {
		m.Fatalf("asks for %s, want the choices of revenue_model", q.Key)
	}
	k.turn(invoice)
	if o := k.scene.Obligations; string(obligations.Find(o, "revenue_model").Value) != `["`+invoice+`"]` {
		m.Errorf("holds %s\n%s", obligations.Find(o, "revenue_model").Value, k.last())
	}
}

// "I didn't want to stop" became the project.
func TestWhoDoesNotWantToStopGoesOn(t *testing.T) {
	t.Parallel()

	k := newTalk(t, *chattest.Shipped(t, "project_discovery"))
	k.turn("")
	k.turn("A new booking system for our swimming pool")
	k.turn("I have to go")
	for _, in := range []string{"no no, I didn't want to stop", "I didn't want to stop", "no, I am still here", "I did not say I want to stop"} {
		s := k.scene
		s.Turn++
		s.Message, s.Session = in, sessions.Session{StopReason: sessions.EndLeft}
		s.Asked = nil
		u := understand(t, &s)
		if len(u.Findings) > 0 || u.Intent == chat.Leave {
			t.Errorf("Understand(%q) = %s, %s; want nothing stored", in, u.Intent, chattest.Brief(u.Findings))
		}
		p := chat.Decide(&s, u)
		if got := reply(t, &s, p); p.Question == nil || p.Ends != "" || strings.Count(got, "go on") > 1 {
			t.Errorf("%q is answered %q; want the talk to go on", in, got)
		}
	}
}

// What is put off is named, and what was asked is asked again.
func TestWhatIsPutOffIsNamed(t *testing.T) {
	t.Parallel()

	k := newTalk(t, *chattest.Shipped(t, "project_discovery"))
	k.turn("")
	p := k.turn("can we leave the money for the end?")
	if got := k.last(); !strings.Contains(got, "“Budget”") || p.Question == nil || p.Question.Key != "project_summary" {
		t.Errorf("answered %q, want the budget put off and the same question", got)
	}
}

// It is asked which of two figures holds, where one was told in passing.
func TestFiguresToldInPassingAreAskedAbout(t *testing.T) {
	t.Parallel()

	m := chattest.Measured(t, 1)

	k := talkOf(m, "business_profile", "customer_problem")
	chattest.Hold(&k.scene, "team_size", "12", 2)
	p := k.turn("The team size is 14")
	if p.Question.Purpose != sessions.ToResolve || strings.Contains(k.last(), "instead of") {
		m.Errorf("while it asks which of two holds it says %s", k.last())
	}
}
