package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
)

func TestIntents(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 17)

	tests := []struct {
		want chat.Intent
		in   []string
	}{
		{chat.SkipThis, []string{"skip", "Skip!", "SKIP", "skpi", "skp", "next", "Next question please", "pass", "Pass.", "I'd rather not say", "prefer not to say", "I’d prefer not to answer that", "no comment", "can we skip this one?", "let's move on",
			"not applicable", "n/a", "N/A.", "That doesn't apply to us", "doesnt apply", "not relevant", "none of your business", "that's confidential", "I can't share that", "skip this question please", "I will pass on that", "I don't want to answer that", "we are not allowed to disclose that", "decline"}},
		{chat.Later, []string{"later", "Later please", "latr", "come back to this", "let's come back to that later", "can we come back to this one?", "ask me again later", "not now", "I need to check with my accountant", "let me think about it", "I'll get back to you on that", "remind me later", "park it", "I will tell you tomorrow", "not right now"}},
		{chat.DontKnow, []string{"I don't know", "i dont know", "dunno", "idk", "no idea", "No clue.", "not sure", "I'm not sure", "I am not sure yet", "Honestly, I have no idea", "we don't know yet", "can't say", "hard to say", "haven't decided", "we have not decided yet", "tbd", "who knows", "don't remember", "I don't knwo", "maybe"}},
		{chat.AskWhy, []string{"why?", "Why do you need that?", "why do you ask", "what do you need that for?", "why is this important?", "What's the point?", "how is that relevant?", "why do you want to know our revenue?", "what for", "is that really necessary?", "Why are you asking me this"}},
		{chat.AskHelp, []string{"what do you mean", "what do you mean by target market?", "can you give an example", "for example?", "such as?", "like what?", "I don't understand", "I do not understand the question", "could you explain that?", "what are my options?", "give me some examples please", "help", "huh?", "Can you clarify?", "what does that mean?", "not sure what you mean", "what is a target market?", "could you be more specific?"}},
		{chat.AskRepeat, []string{"repeat", "say that again", "can you repeat the question?", "pardon?", "what was the question?", "come again?", "I didn't catch that", "could you say that again please"}},
		{chat.AskResearch, []string{"could you research that", "look it up for me", "can you look that up?", "please look it up", "google it", "can you find out what competitors charge?", "check that in our data", "could you please look into this", "do some research on that", "Not sure, can you look it up?", "I don't know, could you research that for me?", "find out for me"}},
		{chat.AskProgress, []string{"how far are we", "How far are we?", "how many questions are left?", "how much longer?", "are we nearly done?", "what's left?", "progress", "where are we?", "how long will this take?", "what else do you need?"}},
		{chat.AskMemory, []string{"what have you got so far", "what do you remember", "What do you know about me?", "summary please", "can you summarise?", "show me what you have", "what did I say?", "recap", "what have you noted so far?"}},
		{chat.SmallTalk, []string{"thanks", "Thank you!", "thank you very much", "hello", "Hi there", "good morning", "lovely weather", "how are you?", "nice to meet you", "lol", "cheers", "are you a robot?", "Hello!", "what a lovely day", "it's raining here", "helo"}},
		{chat.Leave, []string{"I have to go", "i gotta go", "let's stop here", "bye", "goodbye", "see you later", "that's enough for today", "I need to leave now", "can we stop here?", "stop", "let's continue tomorrow", "I have a meeting", "talk later", "that's all for now", "Sorry, I have to go now"}},
		{chat.Finish, []string{"we're done", "that's all", "That is all.", "I'm done", "done", "finish", "let's wrap up", "nothing else", "I have nothing more to add", "that's it", "please close the session"}},
		{chat.OffTopic, []string{"tell me a joke", "what's the weather tomorrow?", "who won the match?", "Can you order me a pizza?", "what time is it?", "What is the capital of France?", "do you like football?"}},
		{chat.Unclear, []string{"???", "...", "asdfgh", "🙂", "xkcdqwrt", ""}},
		{chat.Agree, []string{"yes", "yeah", "Yep!", "that's right", "correct", "sure", "ok", "yess", "sounds good", "that is correct", "👍"}},
		{chat.Disagree, []string{"no", "nope", "No.", "that's not it", "I don't think so"}},
	}
	for _, test := range tests {
		for _, in := range test.in {
			u := understand(m, chattest.Scene("business", in))
			if u.Intent != test.want {
				m.Errorf("Understand(%q).Intent = %s, want %s (findings: %s)", in, u.Intent, test.want, chattest.Brief(u.Findings))
			}
			if test.want != chat.SkipThis && test.want != chat.Later && test.want != chat.DontKnow && len(u.Findings) > 0 {
				m.Errorf("Understand(%q) finds %s, want nothing", in, chattest.Brief(u.Findings))
			}
		}
	}
}

// TestAnswersThatSoundLikeIntents holds words of intents inside answers.
func TestAnswersThatSoundLikeIntents(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	for _, in := range []string{
		"we skip the middleman", "customers don't know we exist", "the later the better", "no tariffs apply", "we help hospitals", "We stop food waste", "ship", "Next-day delivery of flowers",
		"we pass savings on to customers", "a help desk for farmers", "We research new batteries", "Why-questions in schools", "we repeat orders automatically", "Thanks to our bakery people eat well",
		"We finish wooden floors", "we make people stop smoking", "hello fresh style meal boxes", "a progress tracker for runners", "We don't know our customers well, that is the problem we solve for shops",
		"We sell many things, for example, bread", "Next, we bake bread", "our shop sells bread, that's all", "we look up old books for collectors", "good morning coffee for commuters", "we don't have competitors",
		"an app that reminds me later", "we leave no waste", "not your usual bakery", "Yes-or-no surveys", "we close deals", "skipping ropes", "passports", "late night food", "We are done-for-you marketers",
	} {
		u := understand(m, chattest.Scene("business", in))
		if u.Intent != chat.Answer || len(u.Findings) == 0 || u.Findings[0].Key != "business" || u.Findings[0].Act != obligations.Tell {
			m.Errorf("Understand(%q) = %s, %s; want an answer", in, u.Intent, chattest.Brief(u.Findings))
		}
	}
}

func TestSkipReasons(t *testing.T) {
	t.Parallel()

	tests := []struct {
		in   string
		want obligations.SkipReason
	}{
		{"skip", obligations.Declined}, {"prefer not to say", obligations.Declined}, {"that's confidential", obligations.Declined}, {"pass", obligations.Declined},
		{"n/a", obligations.NotApplicable}, {"not applicable to us", obligations.NotApplicable}, {"that does not apply", obligations.NotApplicable}, {"irrelevant", obligations.NotApplicable},
	}
	for _, test := range tests {
		u := understand(t, chattest.Scene("budget", test.in))
		if len(u.Findings) != 1 || u.Findings[0].Act != obligations.Skip || u.Findings[0].Skip != test.want {
			t.Errorf("Understand(%q) finds %s, want a skip as %s", test.in, chattest.Brief(u.Findings), test.want)
		}
	}
}

func TestIntentsBesideContent(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 5)

	tests := []struct{ key, in, intent, want string }{
		{"team_size", "I don't know, maybe around 50", "answer", "team_size=50~"},
		{"team_size", "not sure but about 50", "answer", "team_size=50~"},
		{"team_size", "12. Why do you ask?", "why", "team_size=12"},
		{"team_size", "I have to go, but we are 12", "leave", "team_size=12"},
		{"team_size", "skip that, but our budget is 20k", "skip", "team_size skip:declined; budget=20000"},
		{"team_size", "Hello! We have 12 staff.", "answer", "team_size=12"},
		{"business", "I don't know, maybe a bakery", "answer", `business="a bakery"~`},
		{"business", "I don't know, that's my partner's job", "dont_know", "business unsure"},
		{"business", "Thanks! We bake bread.", "answer", `business="We bake bread"`},
		{"launch", "no idea, ask me next week", "later", "launch defer"},
		{"competitors", "No, nobody does this", "answer", `competitors="No, nobody does this"`},
		{"competitors", "no", "answer", `competitors="None"`},
		{"online", "Yes, we do", "answer", `online="yes"`},
		{"online", "nope", "answer", `online="no"`},
		{"online", "no, only in our shop", "answer", `online="no"`},
	}
	for _, test := range tests {
		u := understand(m, chattest.Scene(test.key, test.in))
		if string(u.Intent) != test.intent || chattest.Brief(u.Findings) != test.want {
			m.Errorf("asked %s, Understand(%q) = %s, %s; want %s, %s", test.key, test.in, u.Intent, chattest.Brief(u.Findings), test.intent, test.want)
		}
	}
}
