package rules

import (
	"slices"

	"quaestor/chat"
	"quaestor/internal/language"
)

// besideKeys are the messages for a remark that tells nothing, by what it does. A question
// has one of its own.
var besideKeys = map[string]string{
	"feeling": "remark.feeling", "complaint": "remark.complaint", "topic": "remark.topic", "shorter": "remark.shorter", "correction": "remark.correction",
}

// sayBeside answers the remarks of the message that its intent leaves unanswered: a
// question first, else the first feeling, complaint or wish.
func (w *writer) sayBeside() {
	u := &w.plan.Understanding
	meta := u.Intent == chat.AskMeta
	told := slices.Contains([]chat.Intent{chat.Answer, chat.Correction, chat.Agree, chat.Disagree}, u.Intent)
	asks := slices.Contains(questionsOfTalk, u.Intent)
	if w.plan.Ends != "" || !told && !meta && !asks {
		return // what the message wants is answered as such
	}
	said := false
	for _, r := range u.Beside {
		if r.Act != "question" && r.Act != "examples" && r.Act != "repeat" || r.Intent == u.Intent && !meta {
			continue
		}
		if asks && r.About == "" || r.About == humanKind {
			continue
		}
		said = w.answerBeside(r) || said
	}
	if said || asks {
		return
	}
	for _, r := range u.Beside {
		if key := besideKey(r); key != "" {
			w.say(key, nil)
			return
		}
	}
}

// besideKey returns the message for a remark; "" for none. What weighs on somebody is met with
// more than what annoys them.
func besideKey(r chat.Remark) string {
	grave := slices.ContainsFunc(language.Words(r.Text), func(w language.Word) bool {
		return language.IsWord("grave", w.Text) || language.IsWord("death", w.Text)
	})
	if r.Act == "feeling" && !grave {
		return "remark.mood"
	}
	return besideKeys[r.Act]
}

// questionsOfTalk are the intents that ask something: beside one, others may be asked.
var questionsOfTalk = []chat.Intent{chat.AskWhy, chat.AskHelp, chat.AskProgress, chat.AskMemory}

// questionKeys are the messages for questions about the interview, by what they want to know.
var questionKeys = map[string]string{"which": "aside.which", "who": "aside.who", "reader": "aside.who-sees", "result": "aside.next", "rules": "aside.how",
	askDeletion: "aside.deletion", askRetention: "aside.retention", askTraining: "aside.training"}

// answerBeside answers a question of the person, and reports whether it did.
func (w *writer) answerBeside(r chat.Remark) bool {
	switch r.Intent {
	case chat.AskWhy:
		w.why()
	case chat.AskHelp:
		w.help(w.about())
	case chat.AskProgress:
		w.progress()
	case chat.AskMemory:
		if !w.recallOne() {
			w.recall()
		}
	case chat.AskMeta:
		if w.aside() != nil {
			return false // answered already
		}
		switch key := questionKeys[r.About]; {
		case key != "":
			w.say(key, nil)
		case r.About == "choose":
			w.cannotChoose()
		case r.About == "agenda":
			w.progress()
		default:
			w.say("remark.question", nil)
		}
	default:
		return false
	}
	return true
}

// besideText returns the message for the first remark of the message that is no question;
// "" when there is none.
func (w *writer) besideText() string {
	for _, r := range w.plan.Understanding.Beside {
		if key := besideKey(r); key != "" {
			return key
		}
	}
	return ""
}
