package reading

import (
	"context"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// heldTalk is a message in a talk in which something is held.
type heldTalk struct {
	objective, language, asked string // asked with a question mark is read back
	held                       string // key=value;key=value
	said, want                 string // what is found, as [chattest.Brief] writes it
}

// findings reads the message of a talk with the encoder.
func (tt *heldTalk) findings(t *testing.T, l *listening.Listener) string {
	t.Helper()
	key, confirming := strings.CutSuffix(tt.asked, "?")
	s := chattest.SceneIn(chattest.Shipped(t, tt.objective).In(tt.language), key, tt.said)
	s.Session.Language = tt.language
	turn := 0
	for h := range strings.SplitSeq(tt.held, ";") {
		if k, v, ok := strings.Cut(h, "="); ok {
			turn++
			chattest.Hold(s, k, v, turn)
		}
	}
	s.Turn = turn + 2
	if confirming {
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, key), sessions.ToConfirm)
	}
	u, err := Understand(context.Background(), s, l)
	if err != nil {
		t.Fatal(err)
	}
	return chattest.Brief(u.Findings)
}

// TestMoreThanYes holds that what is told behind a yes to a text joins it, if it is about the same.
func TestMoreThanYes(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []heldTalk{
		{"business_profile", "en", "business_overview?", `business_overview="A boatyard in Fowey"`, "yes. repairs and winter storage, mostly for weekend sailors", `business_overview="A boatyard in Fowey; repairs and winter storage, mostly for weekend sailors"!`},
		{"business_profile", "de", "business_overview?", `business_overview="Tanzschule in Jena"`, "ja klar. standard und latein, und die kurse für kinder", `business_overview="Tanzschule in Jena; standard und latein, und die kurse für kinder"!`},
		{"business_profile", "en", "business_overview?", `business_overview="A boatyard in Fowey"`, "yes, that's right.", `business_overview="A boatyard in Fowey" confirmed`},
		{"business_profile", "en", "business_overview?", `business_overview="A boatyard in Fowey"`, "yes, can we go on now?", `business_overview="A boatyard in Fowey" confirmed`},
		{"business_profile", "en", "business_overview?", `business_overview="A boatyard in Fowey"`, "yes, sorry, the kettle is boiling over again", `business_overview="A boatyard in Fowey" confirmed`},
	} {
		if got := tt.findings(t, l); got != tt.want {
			t.Errorf("%q is read as %s, want %s", tt.said, got, tt.want)
		}
	}
}

// TestDisclaimed holds that a figure that is said to be none of its field is taken back.
func TestDisclaimed(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []heldTalk{
		{"business_profile", "de", "timeline", "budget=250", "das Budget stimmt so nicht", "budget deny"},
		{"business_profile", "de", "time_available", "budget=250", "den Monatsbeitrag als Budget nehmen Sie bitte wieder raus", "budget deny"},
		{"business_profile", "en", "timeline", "budget=60", "please take the budget out", "budget deny"},
		{"business_profile", "en", "timeline", "budget=60", "the budget isn't right", "budget deny"},
		{"business_profile", "en", "main_challenge", "budget=60", "there's just no budget for anything, that's what holds us back", "main_challenge"},
	} {
		if got := tt.findings(t, l); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%q is read as %s, want %s", tt.said, got, tt.want)
		}
	}
}

// TestRenumbered holds that how many of something there are is put right within a text.
func TestRenumbered(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []heldTalk{
		{"business_profile", "en", "offering_type", `business_overview="Three boats and a slipway in Fowey"`, "no, it's FOUR boats", `business_overview="four boats and a slipway in Fowey"!`},
		{"business_profile", "en", "primary_goal", `business_overview="Three boats and a slipway in Fowey"`, "hang on, I said three boats, it's four since May", `business_overview="four boats and a slipway in Fowey"!`},
		{"business_profile", "en", "primary_goal", `business_overview="Three boats and a slipway in Fowey"`, "it's two of those and no more", ""},
	} {
		if got := tt.findings(t, l); tt.want != "" && !strings.Contains(got, tt.want) || tt.want == "" && strings.Contains(got, "business_overview") {
			t.Errorf("%q is read as %s, want %s", tt.said, got, tt.want)
		}
	}
}

// TestNotsAreKept holds that a text keeps the word that says it is not so.
func TestNotsAreKept(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []heldTalk{
		{"business_profile", "de", "main_challenge", "", "na genau das. ich kann nicht mehr Aufträge annehmen, Wartezeit drei Monate", "nicht mehr Aufträge"},
		{"project_discovery", "en", "out_of_scope", "", "Don't touch the payroll.", "Don't touch"},
		{"business_profile", "en", "main_challenge", "", "we can't get enough timber", "can't get enough timber"},
	} {
		if got := tt.findings(t, l); !strings.Contains(got, tt.want) {
			t.Errorf("%q is read as %s, without %s", tt.said, got, tt.want)
		}
	}
}

// TestWordsThatNameAnything holds that a sentence about people, or with a preposition before the name of a
// field, puts nothing in the place of what is held.
func TestWordsThatNameAnything(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []heldTalk{
		{"idea_discovery", "en", "revenue_idea", `target_users="village halls"`, "The people are forty to a hall.", "target_users="},
		{"project_discovery", "en", "decision_maker", `project_summary="a roster for the lifeboat crew"`, "For the project we are me and my daughter who can program.", "project_summary="},
	} {
		if got := tt.findings(t, l); strings.Contains(got, tt.want) {
			t.Errorf("%q is read as %s", tt.said, got)
		}
	}
}

// TestFirstWordsAreNoGoodbye holds that who begins by telling what they came for is not sent away.
func TestFirstWordsAreNoGoodbye(t *testing.T) {
	t.Parallel()

	s := chattest.SceneIn(chattest.Shipped(t, "project_discovery"), "project_summary", "Good day. My english is little, excuse. We wish a program for to plan the boats.")
	s.Turn = 1
	u, err := Understand(context.Background(), s, encoded(t))
	if err != nil {
		t.Fatal(err)
	}
	if u.Intent == chat.Leave {
		t.Errorf("it is taken for a goodbye: %s", chattest.Brief(u.Findings))
	}
}
