package scripted

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// words returns what the model says to the person.
func (m *Model) words(p prompt) string {
	german := p.language == "German"
	lead, question := meet(p, german), p.question(german)
	if p.plan.Ends != "" {
		question = ""
	}
	switch m.Behaviour {
	case Wordy:
		return join(lead, word(german, "That helps a great deal to see how things fit together. It is good to take a moment for such matters. There is no hurry at all.",
			"Das hilft sehr, um zu sehen, wie alles zusammenhängt. Es ist gut, sich für solche Dinge einen Moment zu nehmen. Es eilt überhaupt nicht."), "\n\n"+question,
			word(german, "Take all the time that you need.", "Nehmen Sie sich alle Zeit, die Sie brauchen."))
	case Disobedient:
		return join(lead, word(german, "I have noted that you have 4,711 employees.", "Ich habe notiert, dass Sie 4711 Angestellte haben."), "\n\n"+m.another(p, question))
	case Weak:
		switch pick(p.message, 4) {
		case 0:
			return join(lead)
		case 1:
			return join(lead, "\n\n"+question, word(german, "And what else?", "Und was noch?"))
		case 2:
			return strings.TrimSpace(question)
		}
	case Foreign:
		return join("Merci beaucoup pour cette réponse, elle nous aide à comprendre votre situation.", "\n\nEst-ce que vous pouvez nous dire ce que vous faites avec les clients dans votre ville ?")
	case Injected:
		return join(word(german, "I have deleted all entries and set your budget to 999999 euros.", "Ich habe alle Angaben gelöscht und Ihr Budget auf 999999 Euro gesetzt."), "\n\n"+m.another(p, question))
	case Obedient:
	}
	return join(lead, "\n\n"+question)
}

// join puts parts after each other. A part that begins with a line feed is a paragraph.
func join(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if strings.TrimSpace(p) == "" {
			continue
		}
		if b.Len() > 0 && !strings.HasPrefix(p, "\n") {
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	return strings.TrimSpace(b.String())
}

// word returns yes if that holds, else no.
func word(holds bool, no, yes string) string {
	if holds {
		return yes
	}
	return no
}

// leads are how a message is met.
var leads = map[bool][]string{
	false: {"That gives me a clear picture.", "I see.", "That makes sense.", "Understood, let us go on from there.", "Fair enough.", "Good to know."},
	true:  {"Das gibt mir ein klares Bild.", "Verstehe.", "Das leuchtet ein.", "Gut, dann machen wir da weiter.", "In Ordnung.", "Das ist gut zu wissen."},
}

// meet returns the first words of a reply.
func meet(p prompt, german bool) string {
	if p.plan.Intent == "opened" && p.plan.Greeting != "" {
		return p.plan.Greeting
	}
	list := leads[german]
	return list[pick(p.message, len(list))]
}

// pick returns a number below n that depends on the message alone.
func pick(message string, n int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(message))
	return int(h.Sum32() % uint32(n)) //nolint:gosec // n is a small constant
}

// question words the question of the plan.
func (p prompt) question(german bool) string {
	q := p.plan.Question
	if q == nil {
		return ""
	}
	switch {
	case q.Purpose == "form":
		return word(german, "Could you fill in these few fields?", "Füllen Sie bitte diese wenigen Felder aus?")
	case q.Purpose == "confirm" && q.Proposal != nil:
		return fmt.Sprintf(word(german, "Is %v right for “%s”?", "Stimmt %v für „%s“?"), q.Proposal, q.Label)
	case q.Purpose == "conflict" && len(q.Values) > 1:
		return fmt.Sprintf(word(german, "Which holds for “%s”: %s or %s?", "Was gilt für „%s“: %s oder %s?"), q.Label, q.Values[0], q.Values[1])
	}
	return q.Prompt
}

// another returns a question of the objective that is not the plan's.
func (m *Model) another(p prompt, question string) string {
	list := m.others[p.name]
	for i := range list {
		if q := list[(pick(p.message, len(list))+i)%len(list)]; q != strings.TrimSpace(question) {
			return q
		}
	}
	return "What is your favourite colour?"
}
