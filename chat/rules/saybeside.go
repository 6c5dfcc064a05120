package rules

import (
	"slices"

	"quaestor/chat"
)

// besideWords are what is said to a remark that tells nothing, by what it does, in each
// language we ask in.
var besideWords = map[string]map[string][]string{
	"en": {
		"feeling":    {"I am sorry, that sounds hard. Take the time you need; we can stop here and go on another day.", "Thank you for telling me. There is no hurry with any of this.", "I hear you. Say as much or as little as you like."},
		"complaint":  {"You are right to say so, and I am sorry. A few words are enough, and “skip” works for every question.", "I am sorry about that. We can leave a question out at any time.", "Fair enough, I am sorry. I keep it short."},
		"human":      {"I am a program, and nobody else is in this conversation. What you tell me is kept, and people of the organisation can read it and get in touch.", "There is no person here to hand over to; your answers are kept for the people who read them."},
		"correction": {"Something I noted is not right, then. Name it and say what is right, and I change it."},
		"topic":      {"Gladly: tell me about that first, and I note what belongs to our questions.", "Of course, go ahead with that; I come back to my question afterwards."},
		"shorter":    {"I keep it short.", "Then briefly."},
		"question":   {"That is something I cannot answer; I only ask and note what you say.", "I do not know that, I am afraid. Whoever reads your answers can tell you more.", "I’m afraid I can’t tell you that. If your answer depends on it, say what you assumed."},
	},
	"de": {
		"feeling":    {"Das tut mir leid, das klingt schwer. Nehmen Sie sich Zeit; wir können auch an einem anderen Tag weitermachen.", "Danke, dass Sie mir das sagen. Es eilt nicht.", "Ich verstehe. Sagen Sie so viel oder so wenig, wie Sie möchten."},
		"complaint":  {"Sie haben recht, entschuldigen Sie. Ein paar Worte genügen, und jede Frage lässt sich auslassen.", "Das tut mir leid. Wir können jede Frage überspringen.", "Verstanden, entschuldigen Sie. Ich fasse mich kurz."},
		"human":      {"Ich bin ein Programm, und sonst ist niemand in diesem Gespräch. Was Sie mir sagen, wird aufbewahrt, und Menschen der Organisation können es lesen und sich melden.", "Hier ist kein Mensch, an den ich übergeben könnte; Ihre Antworten bleiben für die, die sie lesen."},
		"correction": {"Dann stimmt etwas nicht, was ich notiert habe. Nennen Sie es und sagen Sie, was richtig ist, und ich ändere es."},
		"topic":      {"Gern: erzählen Sie zuerst davon, ich notiere, was zu unseren Fragen gehört.", "Natürlich, erzählen Sie; danach komme ich auf meine Frage zurück."},
		"shorter":    {"Ich fasse mich kurz.", "Dann in aller Kürze."},
		"question":   {"Das kann ich nicht beantworten; ich frage nur und notiere, was Sie sagen.", "Das weiß ich leider nicht. Wer Ihre Antworten liest, kann mehr dazu sagen.", "Das kann ich leider nicht sagen. Wenn es für Ihre Antwort wichtig ist, sagen Sie, wie Sie es verstehen."},
	},
}

// sayBeside answers the remarks of the message that its intent leaves unanswered: a
// question first, else the first feeling, complaint or wish.
func (w *writer) sayBeside() {
	u := &w.plan.Understanding
	meta := u.Intent == chat.AskMeta
	told := slices.Contains([]chat.Intent{chat.Answer, chat.Correction, chat.Agree, chat.Disagree}, u.Intent)
	if w.plan.Ends != "" || !told && !meta {
		return // what the message wants is answered as such
	}
	for _, r := range u.Beside {
		if r.Act != "question" && r.Act != "examples" && r.Act != "repeat" || r.Intent == u.Intent && !meta {
			continue
		}
		if w.answerBeside(r.Intent) {
			return
		}
	}
	for _, r := range u.Beside {
		if texts := besideWords[languageOf(w.scene)][r.Act]; r.Act != "question" && texts != nil {
			w.sayOne(texts)
			return
		}
	}
}

// answerBeside answers a question of the person, and reports whether it did.
func (w *writer) answerBeside(intent chat.Intent) bool {
	switch intent {
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
		w.sayOne(besideWords[languageOf(w.scene)]["question"])
	default:
		return false
	}
	return true
}

// besideText returns what is said to the first remark of the message that is no
// question; nil when there is none.
func (w *writer) besideText() []string {
	for _, r := range w.plan.Understanding.Beside {
		if texts := besideWords[languageOf(w.scene)][r.Act]; r.Act != "question" && texts != nil {
			return texts
		}
	}
	return nil
}
