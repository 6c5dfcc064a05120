package reading

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
)

// What is said to the interviewer, as the whole of a message, was taken as the
// answer to a text question.
func TestAsidesAreNoAnswers(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 35)

	for _, in := range []string{
		"go back to the last question", "can we go back to the previous question?", "Could you go back one question please", "go back", "back to the last question please", "let's go back to the first question",
		"no I meant the question before, about what I've tried", "I meant the previous question", "that was for the last question", "can I change my last answer?", "I want to change an earlier answer", "go back to the team size", "back to the budget please", "I made a mistake earlier",
		"you choose", "you decide", "You can choose for me", "up to you", "it's up to you", "I'll leave it to you", "you pick one", "whatever you think is best", "pick one for me", "surprise me", "your call",
		"this is bullshit", "fuck this", "screw this", "this sucks", "oh for god's sake", "for fuck's sake", "for Christ's sake", "fuck off", "I've had enough of this", "what a waste of time", "this is a joke", "I'm sick of this", "shut up", "are you kidding me?", "give me a break", "this is going nowhere", "piss off", "what the hell", "never mind", "see above", "like I said before", "enough already", "stop wasting my time", "shut up", "leave me alone", "stop asking me things", "this is ridiculous", "stupid questions",
		"hang on a sec", "hang on", "Ok thanks, give me a minute", "give me a minute", "Hmm, let me think for a moment", "hmm, let me think", "one moment please", "just a second", "hold on", "bear with me", "I need a moment", "give me a sec", "wait a minute", "one sec", "give me 5 minutes", "1 sec", "moment please", "hold your horses", "checking", "my phone is ringing",
		"I'm back, sorry about yesterday", "sorry for the delay", "sorry about that", "Hi again, sorry for the late reply",
		"quick question", "do you mean the end customers or the shops I deliver to?", "do you mean end customers or retailers?", "do you mean the end customers or the shops I deliver to", "can I download this?", "how do I download the report?", "what happens next?", "how does this work?", "do you mean customers?", "is that per month?", "should I count myself?", "in what currency?", "do I have to answer everything?", "what happens if I skip?", "what happens now?", "what happens with my answers?", "who gets to see my answers?", "who can see this?", "is this confidential?",
		"I like examples", "please keep it short", "I'm not technical", "can you be more technical?", "get to the point",
		"Are you recording this? who gets to see my answers?", "is this being recorded?", "Will my boss see this?", "who are you? are you a bot?", "am I talking to a real person?",
	} {
		for _, key := range []string{"business", "target_market", "competitors", "team_size", "company_size", "launch"} {
			u := understand(m, chattest.Scene(key, in))
			if len(u.Findings)+len(u.Refused) > 0 || u.Intent == chat.Answer || u.Intent == chat.Correction || u.Intent == chat.Later || u.Intent == chat.Leave {
				m.Errorf("asked %s, Understand(%q) = %s, %s; want nothing stored", key, in, u.Intent, chattest.Brief(u.Findings))
			}
		}
		s := chattest.Scene("launch", in)
		chattest.Hold(s, "business", `"We bake bread"`, 3)
		chattest.Hold(s, "target_market", `"small clinics"`, 4)
		if u := understand(m, s); len(u.Findings) > 0 || u.Intent == chat.Correction {
			m.Errorf("with values held, Understand(%q) = %s, %s; want nothing stored", in, u.Intent, chattest.Brief(u.Findings))
		}
	}
}

// Answers that begin like asides, or have their words.
func TestAnswersLikeAsides(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for key, messages := range map[string][]string{
		"business": {"We help people go back to school", "a choir for people who go back to work", "You choose, we cook: meal boxes", "Bullshit detection for newspapers", "We give you a minute of calm", "Recording studio", "We record weddings",
			"We teach people to hang on", "Back office services", "shut-up containers", "go-karts", "One stop shop", "wait staff for events", "Downloads of sheet music", "First, we bake bread", "Quick question cards for schools", "We let guests choose", "thinking aids for children",
			"up to you is our slogan, we make pizza to order"},
		"target_market": {"people who want to go back to work", "anyone with a minute to spare", "those who choose by price", "Sorry, mostly dentists", "previous customers", "the last shops on the high street"},
		"competitors":   {"they go back to pen and paper", "the shop next door", "You get it at the supermarket", "whatever they find online", "Who sees us also sees Acme", "they wait"},
	} {
		for _, in := range messages {
			u := understand(m, chattest.Scene(key, in))
			if len(u.Findings) == 0 || u.Findings[0].Key != key || u.Findings[0].Act != obligations.Tell {
				m.Errorf("asked %s, Understand(%q) = %s, %s; want an answer", key, in, u.Intent, chattest.Brief(u.Findings))
			}
		}
	}
}

// What is said around an answer or a question stays out of both.
func TestAsidesAroundContent(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 13)

	for _, test := range []struct{ asked, in, intent, want string }{
		{"business", "Hi, sorry, quick question, why do you need to know that?", "why", ""},
		{"target_market", "one question first, how long is this going to take?", "progress", ""},
		{"target_market", "before I answer, who can see this?", "off_topic", ""},
		{"business", "ok so we bake bread. Actually first, who are you? are you a bot?", "answer", `business="we bake bread"`},
		{"business", "Hang on a sec. We bake bread", "answer", `business="We bake bread"`},
		{"business", "let me think, probably a bakery", "answer", `business="a bakery"~`},
		{"business", "We bake bread. Why do you ask? We also bake cakes.", "why", `business="We bake bread. We also bake cakes"`},
		{"competitors", "two bakeries. No wait, what did you put for the team size? It's 12, not 20", "memory", `competitors="two bakeries"`},
		{"business", "ok so I got an idea for a thing. Actually first, who are you? are you a bot?", "small_talk", ""},
		{"business", "I have an idea for an app that walks dogs", "answer", `business="I have an idea for an app that walks dogs"`},
		{"business", "Bakery. Hang on, the door. OK back.", "answer", `business="Bakery"`},
		{"target_market", "Families. Give me a sec. And students", "answer", `target_market="Families. And students"`},
		{"target_market", "families, wait, no, retired people", "answer", `target_market="families, wait, no, retired people"`},
		{"target_market", "families, sorry, my dog is barking", "answer", `target_market="families"`},
		{"target_market", "Sorry about that, families", "answer", `target_market="families"`},
		{"competitors", "my phone is ringing all day", "answer", `competitors="my phone is ringing all day"`},
		{"target_market", "Who can see this? My boss", "answer", `target_market="My boss"`},
		{"team_size", "is that including me? 5", "answer", "team_size=5"},
		{"competitors", "do you mean online? Acme and Bolt", "answer", `competitors="Acme and Bolt"`},
		{"target_market", "You choose, we deliver", "answer", `target_market="You choose, we deliver"`},
		{"business", "I'm back, sorry about yesterday. We bake bread", "answer", `business="We bake bread"`},
		{"team_size", "12. Can I download this?", "answer", "team_size=12"},
		{"business", "This is bullshit. We bake bread.", "answer", `business="We bake bread"`},
	} {
		u := understand(m, chattest.Scene(test.asked, test.in))
		if string(u.Intent) != test.intent || chattest.Brief(u.Findings) != test.want {
			m.Errorf("asked %s, Understand(%q) = %s, %s; want %s, %s", test.asked, test.in, u.Intent, chattest.Brief(u.Findings), test.intent, test.want)
		}
	}
}

// "Add tourists to the target market" was the customers' need.
func TestAddingToATextThatIsHeld(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for _, test := range []struct{ held, in, want string }{
		{`"families"`, "add tourists to the target market", `target_market="families; tourists"!`},
		{`"families"`, "Please add tourists to our target market.", `target_market="families; tourists"!`},
		{`"families"`, "please include tourists in the target market", `target_market="families; tourists"!`},
		{"", "add tourists to the target market", `target_market="tourists"`},
		{`"families"`, "put tourists in the target market as well", `target_market="families; tourists"!`},
		{`"families"`, "remove tourists from the target market", ""},
		{`"families"`, "add e-mail to the sales channels", `channels=["email"]`},
		{`"families"`, "put more effort into the target market", `competitors="put more effort into the target market"`},
		{`"families"`, "put more money into the budget", `competitors="put more money into the budget"`},
		{`"families"`, "put more time into the market", `competitors="put more time into the market"`},
		{`"families"`, "We add lights to old bikes", `competitors="We add lights to old bikes"`},
	} {
		s := chattest.Scene("competitors", test.in)
		if test.held != "" {
			chattest.Hold(s, "target_market", test.held, 3)
		}
		if got := chattest.Brief(understand(m, s).Findings); got != test.want {
			m.Errorf("Understand(%q) finds %s, want %s", test.in, got, test.want)
		}
	}
}

// "I didn't mean that as an answer" was an answer.
func TestWhatWasNotMeantAsAnAnswer(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 2)

	checkTold(m, "project_discovery", [][2]string{{"project_summary", `"a new booking system"`}, {"user_groups", `"you choose"`}}, []told{
		{"core_requirements", "no, I didn't mean that as an answer. The users are the public and the front desk staff", `user_groups="the public and the front desk staff"!`},
		{"core_requirements", "that was not an answer", "user_groups deny"},
		{"core_requirements", "I didn't mean that as an answer", "user_groups deny"},
	})
}

// "You spoke of “only 2 of us” without saying it" said nothing.
func TestWhatIsGoneBackToIsWorded(t *testing.T) {
	t.Parallel()

	for in, want := range map[string]string{
		"We bake bread on a tight deadline":     "without a date",
		"We bake bread and our budget is small": "without a figure",
	} {
		u := understand(t, chattest.Scene("business", in))
		if n := len(u.Signals.FollowUps); n != 1 || !strings.HasSuffix(u.Signals.FollowUps[0].Reason, want) {
			t.Errorf("Understand(%q) follows up %v, want %q", in, u.Signals.FollowUps, want)
		}
	}
	r := newReader(chattest.Scene("business", "there are only 2 of us"))
	if got := r.lacking(r.find("team_size"), wordRange{2, len(r.words)}); got != "note.spoken-of" {
		t.Errorf("words with a figure lack %q", got)
	}
}
