package reading

import (
	"encoding/json"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

func TestCorrections(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 8)

	// In every case the budget is 20,000 (turn 2), the size is enterprise (turn
	// 3), the team is 20 and was answered last, and the question named is open.
	tests := []struct{ asked, in, intent, want string }{
		{"business", "sorry, I meant 12 not 20", "correction", "team_size=12!"},
		{"business", "no, 12", "correction", "team_size=12!"},
		{"business", "No, actually 12", "correction", "team_size=12!"},
		{"business", "make it 15", "correction", "team_size=15!"},
		{"business", "make that 15 please", "correction", "team_size=15!"},
		{"business", "correction: 15", "correction", "team_size=15!"},
		{"business", "Correction: it's 15 people.", "correction", "team_size=15!"},
		{"business", "change the budget to 30k", "correction", "budget=30000!"},
		{"business", "please change the budget from 20k to 30k", "correction", "budget=30000!"},
		{"business", "the budget should be 30k", "correction", "budget=30000!"},
		{"business", "the budget is wrong, it should be 30k", "correction", "budget=30000!"},
		{"business", "the budget is wrong", "disagree", "budget deny"},
		{"business", "that's not right", "disagree", "team_size deny"},
		{"business", "that's wrong", "disagree", "team_size deny"},
		{"business", "scratch that", "disagree", "team_size deny"},
		{"business", "scratch that, 15", "correction", "team_size=15!"},
		{"business", "I said 20 but it's 12", "correction", "team_size=12!"},
		{"business", "I said enterprise but it is actually a small business", "correction", `company_size="small_business"!`},
		{"business", "no, small business, not enterprise", "correction", `company_size="small_business"!`},
		{"business", "Actually it's not enterprise but small business", "correction", `company_size="small_business"!`},
		{"launch", "wait, 12 people", "correction", "team_size=12!"},
		{"launch", "no, 12 people. We launch in May", "correction", `launch="2027-05"; team_size=12!`},
		{"business", "I'd like to change the budget", "disagree", "budget deny"},
		{"business", "oops, I meant 12", "correction", "team_size=12!"},
		{"business", "the company size is wrong, we are a small business", "correction", `company_size="small_business"!`},
		{"business", "the runway is wrong, it should be 12 months", "correction", "runway=12"},
		// Not corrections:
		{"business", "no, we bake bread", "answer", `business="we bake bread"`},
		{"business", "Actually, we bake bread for 20 shops", "answer", `business="we bake bread for 20 shops"`},
		{"business", "Change the way people bank", "answer", `business="Change the way people bank"`},
		{"business", "make it easy to pay", "answer", `business="make it easy to pay"`},
		{"competitors", "no, not really", "answer", `competitors="None"`},
		{"launch", "actually in May", "answer", `launch="2027-05"`},
		{"online", "no, only 12 shops", "answer", `online="no"`},
		{"business", "We make shoes, not clothes", "answer", `business="We make shoes, not clothes"`},
	}
	for _, test := range tests {
		s := chattest.Scene(test.asked, test.in)
		chattest.Hold(s, "budget", "20000", 2)
		chattest.Hold(s, "company_size", `"enterprise"`, 3)
		chattest.Hold(s, "team_size", "20", 4)
		u := understand(m, s)
		if string(u.Intent) != test.intent || chattest.Brief(u.Findings) != test.want {
			m.Errorf("asked %s, Understand(%q) = %s, %s; want %s, %s", test.asked, test.in, u.Intent, chattest.Brief(u.Findings), test.intent, test.want)
		}
	}
}

// "The budget is not 85 thousand" was a budget of 85,000.
func TestWhatIsDeniedIsNotNoted(t *testing.T) {
	t.Parallel()

	d := chattest.Shipped(t, "project_discovery")
	for _, in := range []string{"the budget is not 85 thousand", "the budget is not 85 thousand, it's 8,500"} {
		if got := chattest.Brief(understand(t, chattest.SceneIn(d, "desired_outcome", in)).Findings); strings.Contains(got, "budget=85000") {
			t.Errorf("Understand(%q) finds %s", in, got)
		}
	}
}

func TestTextCorrections(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 5)

	tests := []struct{ asked, in, intent, want string }{
		{"team_size", "No, actually it's small businesses, not enterprise.", "correction", `target_market="small businesses"!`},
		{"launch", "no, actually small businesses", "correction", `target_market="small businesses"!`},
		{"launch", "sorry, I meant small businesses", "correction", `target_market="small businesses"!`},
		{"launch", "change the target market to small clinics", "correction", `target_market="small clinics"!`},
		{"launch", "I said enterprise businesses but it's small clinics", "correction", `target_market="small clinics"!`},
		{"launch", "our target market is wrong", "disagree", "target_market deny"},
		{"business", "no, actually small businesses", "correction", `target_market="small businesses"!`},
	}
	for _, test := range tests {
		s := chattest.Scene(test.asked, test.in)
		chattest.Hold(s, "target_market", `"enterprise businesses"`, 4)
		u := understand(m, s)
		if string(u.Intent) != test.intent || chattest.Brief(u.Findings) != test.want {
			m.Errorf("asked %s, Understand(%q) = %s, %s; want %s, %s", test.asked, test.in, u.Intent, chattest.Brief(u.Findings), test.intent, test.want)
		}
	}
}

func TestCorrectionByUnit(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	s := chattest.Scene("launch", "no wait, it's 14 people")
	chattest.Hold(s, "team_size", "12", 2)
	chattest.Hold(s, "target_market", `"families"`, 4)
	if got := chattest.Brief(understand(m, s).Findings); got != "team_size=14!" {
		m.Errorf("a correction by its unit: %s, want the team size", got)
	}
	s = chattest.Scene("launch", "no, actually clinics too")
	chattest.Hold(s, "target_market", `"families"`, 4)
	if got, want := chattest.Brief(understand(m, s).Findings), `target_market="families; clinics"!`; got != want {
		m.Errorf("an addition: %s, want %s", got, want)
	}
}

func TestAmendedLists(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for _, test := range []struct{ in, want string }{
		{"add email", `channels=["web","email"]!`}, {"also partners", `channels=["web","partners"]!`}, {"remove online from the channels", "channels deny"},
	} {
		s := chattest.Scene("budget", test.in)
		chattest.Hold(s, "channels", `["web"]`, 4)
		if got := chattest.Brief(understand(m, s).Findings); got != test.want {
			m.Errorf("Understand(%q) = %s, want %s", test.in, got, test.want)
		}
	}
}

func TestConfirmations(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 4)

	tests := []struct{ key, value, in, intent, want string }{
		{"team_size", "20", "yes", "agree", "team_size=20 confirmed"},
		{"team_size", "20", "Yes, that's right.", "agree", "team_size=20 confirmed"},
		{"team_size", "20", "I think so", "agree", "team_size=20 confirmed~"},
		{"team_size", "20", "that's it", "agree", "team_size=20 confirmed"},
		{"team_size", "20", "no", "disagree", "team_size deny"},
		{"team_size", "20", "no, that's wrong", "disagree", "team_size deny"},
		{"team_size", "20", "no, 12", "correction", "team_size=12!"},
		{"team_size", "20", "12", "correction", "team_size=12!"},
		{"team_size", "20", "yes but more like 25", "correction", "team_size=25!~"},
		{"team_size", "20", "20, yes", "agree", "team_size=20 confirmed"},
		{"team_size", "20", "it's 12 actually", "correction", "team_size=12!"},
		{"team_size", "20", "skip", "skip", "team_size defer"},
		{"team_size", "20", "I don't know", "dont_know", "team_size unsure"},
		{"team_size", "20", "why?", "why", ""},
		{"target_market", `"enterprise businesses"`, "No, actually it's small businesses, not enterprise.", "correction", `target_market="small businesses"!`},
		{"target_market", `"enterprise businesses"`, "small clinics", "correction", `target_market="small clinics"!`},
		{"target_market", `"enterprise businesses"`, "no, not enterprise", "disagree", "target_market deny"},
		{"target_market", `"enterprise businesses"`, "yes, enterprise businesses", "agree", `target_market="enterprise businesses" confirmed`},
		{"launch", `"2027-05"`, "No, June", "correction", `launch="2027-06"!`},
	}
	for _, test := range tests {
		s := chattest.Scene(test.key, test.in)
		chattest.Hold(s, test.key, test.value, 4)
		o := obligations.Find(s.Obligations, test.key)
		o.Status = obligations.Partial
		s.Asked = chattest.Ask(o, sessions.ToConfirm)
		u := understand(m, s)
		if string(u.Intent) != test.intent || chattest.Brief(u.Findings) != test.want {
			m.Errorf("to confirm %s, Understand(%q) = %s, %s; want %s, %s", test.value, test.in, u.Intent, chattest.Brief(u.Findings), test.intent, test.want)
		}
		for _, f := range u.Findings {
			if f.Act == obligations.Confirm && (f.Evidence.Kind != obligations.Accepted || f.Evidence.Proposal == nil || !f.Evidence.Sound() || f.Evidence.Proposal.Message != "4-assistant") {
				m.Errorf("Understand(%q): the evidence %+v is no sound assent", test.in, f.Evidence)
			}
		}
	}
}

// TestCorrectionsByKeyWord holds that a correction finds what it is about by a
// word of its name, while an open question waits.
func TestCorrectionsByKeyWord(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 6)

	tests := []struct{ in, intent, want string }{
		{"no, actually the team is 6 people", "correction", "team_size=6!"},
		{"change the team to 6 people", "correction", "team_size=6!"},
		{"update the team, it is 6 people", "correction", "team_size=6!"},
		{"the team is wrong, we are 6", "correction", "team_size=6!"},
		{"the team should be 6", "correction", "team_size=6!"},
		{"actually our team has 6 people", "correction", "team_size=6!"},
		{"no, 6 people", "correction", "team_size=6!"},
		{"actually the budget is 35000", "correction", "budget=35000!"},
		{"sorry, I meant 90 volunteers, not 80", "correction", `target_market="About 90 volunteers and 5 coordinators"!`},
		{"the deadline is wrong, it is June", "correction", `launch="2027-06"!`},
		{"no, the customers are big hospitals", "correction", `target_market="big hospitals"!`},
		// Not corrections:
		{"actually we bake bread", "answer", `competitors="we bake bread"`},
		{"Change the way people bank", "answer", `competitors="Change the way people bank"`},
		{"Actually the team that bakes is our heart", "answer", `competitors="the team that bakes is our heart"`},
		{"Actually the team is our heart", "answer", `competitors="the team is our heart"`},
		{"change the team culture to be kinder", "answer", `competitors="change the team culture to be kinder"`},
	}
	for _, test := range tests {
		s := chattest.Scene("competitors", test.in)
		chattest.Hold(s, "team_size", "8", 2)
		chattest.Hold(s, "launch", `"2027-05"`, 3)
		chattest.Hold(s, "target_market", `"About 80 volunteers and 5 coordinators"`, 3)
		chattest.Hold(s, "budget", "20000", 4)
		u := understand(m, s)
		if string(u.Intent) != test.intent || chattest.Brief(u.Findings) != test.want {
			m.Errorf("Understand(%q) = %s, %s; want %s, %s", test.in, u.Intent, chattest.Brief(u.Findings), test.intent, test.want)
		}
	}
}

// TestYesToWhichOfTwo holds that a yes picks neither of two values, so that the
// question is not taken for settled.
func TestYesToWhichOfTwo(t *testing.T) {
	t.Parallel()

	for _, in := range []string{"yes", "Yes please", "ok", "that's right", "👍"} {
		s := chattest.Scene("team_size", in)
		chattest.Hold(s, "team_size", "20", 3)
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, "team_size"), sessions.ToResolve)
		s.Asked.Values = []json.RawMessage{json.RawMessage("20"), json.RawMessage("12")}
		if u := understand(t, s); u.Intent != chat.Unclear || len(u.Findings) > 0 || u.About != "team_size" {
			t.Errorf("20 or 12, Understand(%q) = %s about %q, %s; want it unclear", in, u.Intent, u.About, chattest.Brief(u.Findings))
		}
	}
}

func TestResolutions(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 13)

	tests := []struct{ key, held, other, in, want string }{
		{"team_size", "20", "12", "12", "team_size=12!"},
		{"team_size", "20", "12", "20 is right", "team_size=20 confirmed"},
		{"team_size", "20", "12", "the second", "team_size=12 confirmed"},
		{"team_size", "20", "12", "the first one", "team_size=20 confirmed"},
		{"team_size", "20", "12", "15", "team_size=15!"},
		{"target_market", `"big hospitals"`, `"small clinics"`, "the clinics", `target_market="small clinics"!`},
		{"target_market", `"big hospitals"`, `"small clinics"`, "the latter", `target_market="small clinics" confirmed`},
		{"target_market", `"big hospitals"`, `"small clinics"`, "the old one", `target_market="big hospitals" confirmed`},
		{"company_size", `"enterprise"`, `"small_business"`, "small business", `company_size="small_business"!`},
		// Which is wrong says which is right.
		{"team_size", "14", "12", "12 was wrong", "team_size=14 confirmed"},
		{"team_size", "12", "14", "12 was wrong", "team_size=14 confirmed"},
		{"team_size", "12", "14", "the first was a mistake", "team_size=14 confirmed"},
		{"team_size", "12", "14", "the first one is wrong", "team_size=14 confirmed"},
		{"team_size", "12", "14", "No, the first one is wrong", "team_size=14 confirmed"},
		{"team_size", "12", "14", "not the first one", "team_size=14 confirmed"},
		{"team_size", "12", "14", "it isn't 12", "team_size=14 confirmed"},
		{"team_size", "12", "14", "not 12", "team_size=14 confirmed"},
		{"team_size", "12", "14", "the first one was last year", "team_size=14 confirmed"},
		{"team_size", "12", "14", "we used to be 12", "team_size=14 confirmed"},
		{"team_size", "12", "14", "12 is the old number", "team_size=14 confirmed"},
		{"team_size", "12", "14", "12 people is no longer right", "team_size=14 confirmed"},
		{"team_size", "12", "14", "12 was a typo, sorry", "team_size=14 confirmed"},
		{"team_size", "12", "14", "The second one was a mistake", "team_size=12 confirmed"},
		{"team_size", "12", "14", "12 was before, now it's 14", "team_size=14!"},
		{"team_size", "12", "14", "14, not 12", "team_size=14!"},
		{"team_size", "12", "14", "14 not 12", "team_size=14!"},
		{"team_size", "12", "14", "12 is right, 14 was a mistake", "team_size=12 confirmed"},
		{"team_size", "12", "14", "12 isn't wrong", "team_size=12 confirmed"},
		{"team_size", "12", "14", "12 was wrong, it's 15", "team_size=15!"},
		{"team_size", "12", "14", "both are wrong, it's 15", "team_size=15!"},
		{"team_size", "12", "14", "both are wrong", "team_size deny"},
		{"team_size", "12", "14", "no the second one is wrong", "team_size=12 confirmed"},
		{"team_size", "12", "14", "none of them", "team_size deny"},
		{"team_size", "12", "14", "forget the first one", "team_size=14 confirmed"},
		{"team_size", "12", "14", "the first can go", "team_size=14 confirmed"},
		{"team_size", "12", "14", "the first is too low", "team_size=14 confirmed"},
		{"team_size", "12", "14", "the previous one is outdated", "team_size=14 confirmed"},
		{"team_size", "12", "14", "what I said last", "team_size=14!"},
		{"launch", `"2027-03"`, `"2027-06"`, "before the audit in March", `launch="2027-03" confirmed`},
		{"launch", `"2027-03"`, `"2027-06"`, "June was too late", `launch="2027-03" confirmed`},
		{"launch", `"2027-03"`, `"2027-06"`, "March is out of date, it's June", `launch="2027-06"!`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "not clinics anymore", `target_market="big hospitals" confirmed`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "no longer clinics", `target_market="big hospitals" confirmed`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "hospitals, we stopped with clinics", `target_market="big hospitals"!`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "the clinics, hospitals are a dream", ""},
		{"target_market", `"small clinics"`, `"big hospitals"`, "both", `target_market="small clinics; big hospitals"!`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "both are right", `target_market="small clinics; big hospitals"!`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "small clinics and big hospitals", `target_market="small clinics and big hospitals"!`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "it depends", ""},
		{"target_market", `"small clinics"`, `"big hospitals"`, "dentists", `target_market="dentists"!`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "what I said last", `target_market="big hospitals"!`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "the second, the first was a guess", `target_market="big hospitals"!`},
		{"company_size", `"enterprise"`, `"small_business"`, "sorry, the first one was a typo", `company_size="small_business" confirmed`},
		{"team_size", "12", "14", "neither", "team_size deny"},
		{"team_size", "12", "14", "neither, it's 15", "team_size=15!"},
		{"team_size", "12", "14", "it was a typo, I meant 14", "team_size=14!"},
		{"team_size", "12", "14", "12 since last year", "team_size=12 confirmed"},
		{"target_market", `"small clinics"`, `"big hospitals"`, "the first was a mistake", `target_market="big hospitals" confirmed`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "the clinics were wrong", `target_market="big hospitals" confirmed`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "not the first one", `target_market="big hospitals" confirmed`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "the first was a mistake, I was thinking of another shop", `target_market="big hospitals" confirmed`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "the first was a mistake, it should be dentists", `target_market="dentists"!`},
		{"target_market", `"small clinics"`, `"big hospitals"`, "the second obviously. And our budget is 30k", `target_market="big hospitals" confirmed; budget=30000`},
		{"target_market", `"people who know what went wrong"`, `"big hospitals"`, "the people who know what went wrong", `target_market="people who know what went wrong" confirmed`},
		{"company_size", `"enterprise"`, `"small_business"`, "enterprise was a mistake", `company_size="small_business" confirmed`},
	}
	for _, test := range tests {
		s := chattest.Scene(test.key, test.in)
		chattest.Hold(s, test.key, test.held, 3)
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, test.key), sessions.ToResolve)
		s.Asked.Values = []json.RawMessage{json.RawMessage(test.held), json.RawMessage(test.other)}
		if got := chattest.Brief(understand(m, s).Findings); got != test.want {
			m.Errorf("%s or %s, Understand(%q) = %s, want %s", test.held, test.other, test.in, got, test.want)
		}
	}
}

func TestFinishing(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	for _, test := range []struct {
		in     string
		intent chat.Intent
		want   string
	}{
		{"yes", chat.Finish, ""}, {"Yes please", chat.Finish, ""}, {"that's all", chat.Finish, ""}, {"no", chat.Disagree, ""}, {"not yet", chat.Disagree, ""},
		{"no, change the budget to 30k", chat.Correction, "budget=30000!"}, {"yes, thanks", chat.Finish, ""}, {"we have 12 staff", chat.Answer, "team_size=12+"}, {"what have you got?", chat.AskMemory, ""},
	} {
		s := chattest.Scene("", test.in)
		chattest.Hold(s, "budget", "20000", 2)
		s.Asked = &sessions.Question{Purpose: sessions.ToFinish, Prompt: "Shall I close it here?"}
		u := understand(m, s)
		if u.Intent != test.intent || chattest.Brief(u.Findings) != test.want {
			m.Errorf("to finish, Understand(%q) = %s, %s; want %s, %s", test.in, u.Intent, chattest.Brief(u.Findings), test.intent, test.want)
		}
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	for _, test := range []struct{ in, want string }{
		{"small business, 12, May 2027", `company_size="small_business"; team_size=12; launch="2027-05"`},
		{"12 staff, launching in May 2027", `team_size=12; launch="2027-05"`},
		{"12 staff and enterprise", `company_size="enterprise"; team_size=12`},
		{"skip", "company_size skip:declined; team_size skip:declined; launch skip:declined"},
	} {
		s := chattest.Scene("", test.in)
		form := &sessions.Question{Purpose: sessions.ToForm, Prompt: "A few short ones together."}
		for _, key := range []string{"company_size", "team_size", "launch"} {
			form.Fields = append(form.Fields, *chattest.Ask(obligations.Find(s.Obligations, key), sessions.ToAsk))
		}
		s.Asked = form
		if got := chattest.Brief(understand(m, s).Findings); got != test.want {
			m.Errorf("a form, Understand(%q) = %s, want %s", test.in, got, test.want)
		}
	}
}

// Somebody who changes an earlier answer where it stands says nothing about what
// is being asked: one finding, and the question is still open.
func TestChangedWhereItStands(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	tests := []struct{ name, asked, message, want string }{
		{"another than asked", "business", "Team size: 12 people", "team_size=12!"},
		{"words that would be an answer", "launch", "Team size: 12 people", "team_size=12!"},
		{"beside other words", "launch", "In May. Team size: 12 people", `team_size=12!; launch="2027-05"`},
	}
	for _, test := range tests {
		s := chattest.Scene(test.asked, test.message)
		chattest.Hold(s, "team_size", "20", 4)
		s.Answers = map[string]json.RawMessage{"team_size": json.RawMessage(`12`)}
		if u := understand(m, s); u.Intent != chat.Answer || chattest.Brief(u.Findings) != test.want {
			m.Errorf("%s: Understand(%q) = %s, %s; want answer, %s", test.name, test.message, u.Intent, chattest.Brief(u.Findings), test.want)
		}
	}
}
