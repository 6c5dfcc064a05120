package chat

import "testing"

// What asks for a human being, and what speaks of human beings.
func TestWishForHuman(t *testing.T) {
	t.Parallel()

	wishes := []string{
		"Can I speak to a human?", "can i talk to a real person please", "Could I maybe speak with someone?", "I want to talk to someone", "I'd like to speak to a real human being.",
		"I would rather talk to a person.", "Is there a real person?", "Is there a human I can talk to?", "Is there anyone I can speak to?", "is there somebody to talk to", "agent please",
		"Agent, please!", "human", "Human please", "a real person please", "I need a human.", "Connect me to an agent.", "please transfer me to a representative", "Let me talk to a human",
		"get me a real person", "How can I reach a human?", "Who can I talk to?", "Who can I contact?", "Can someone call me back?", "Please have somebody call me.", "I don't want to talk to a machine.",
		"We have 7 people. Can I speak to a human about this?", "Ok, but can we talk to one of your people?", "I prefer to speak to a person, not a bot", "Do you have a contact person?",
		"is there a contact person", "Please put me through to somebody from your team", "\"Can I speak to a human?\"",

		"Hello, could I talk to a human first?", "I'd rather speak with a human about my data", "Who do I contact about this?", "could someone from your team call me please?", "is there a human here?", "Give me a human!",
		"I have had enough, I want a real person now", "This is not helping.\nLet me speak to someone", "are there any real people I can speak to", "we would like to speak to one of your colleagues instead",

		"Gibt's hier auch einen Menschen?", "Hallo, kann ich stattdessen mit einer Person telefonieren?", "Ich hätte gern einen echten Ansprechpartner", "Darf ich mit Ihrem Team sprechen?", "Könnten Sie mich bitte an einen Mitarbeiter weiterleiten?",
		"Das hilft mir nicht. Ich möchte jetzt mit einem richtigen Menschen sprechen!", "Mensch bitte", "Wen kann ich anrufen?", "Können wir mit jemandem von Ihnen sprechen?",
		"Kann ich mit einem Menschen sprechen?", "kann ich bitte mit jemandem reden", "Könnte ich hier auch mit einem echten Menschen sprechen?", "Ich möchte mit einem Menschen sprechen.",
		"Ich würde lieber mit einer echten Person reden", "Lieber würde ich mit jemandem persönlich sprechen.", "Gibt es einen Ansprechpartner?", "gibt es hier eine Ansprechpartnerin", "Gibt es jemanden, mit dem ich sprechen kann?",
		"Ist da ein echter Mensch?", "Sitzt hier irgendwo ein echter Mensch?", "Verbinden Sie mich bitte mit einem Mitarbeiter.", "Können Sie mich mit jemandem verbinden?", "Mitarbeiter bitte", "Bitte einen Menschen", "An wen kann ich mich wenden?",
		"Mit wem kann ich sprechen?", "Wie kann ich einen Menschen erreichen?", "Wie erreiche ich jemanden?", "Kann mich bitte jemand anrufen?", "Könnte sich jemand bei mir melden?", "Ich will nicht mit einer Maschine reden.",
		"Ich brauche einen Ansprechpartner.", "Wer ist mein Ansprechpartner?", "Wir sind 7 Leute. Kann ich mit einem Menschen sprechen?", "Haben Sie einen Ansprechpartner für mich?",
	}
	for _, m := range wishes {
		if humanWish(m) == "" {
			t.Errorf("%q is not heard as a wish for a human being", m)
		}
	}

	others := []string{
		"", "We speak to people at the market.", "we have 7 people", "We talk to someone at the bank every week", "I want to talk to someone at the bank about a loan.", "Our customers can speak to a human.",
		"Customers want to talk to a human", "They ask \"can I speak to a human?\" all the time", "If they like they can talk to an agent", "I manage people", "We need someone for the kitchen.", "We need an agent in Spain",
		"I am a real person", "We are a human resources agency", "I want to speak to a human resources firm", "We would like to talk to people who run bakeries", "Human error is our biggest problem.", "A person in the office does it by hand",
		"There is a contact person in every branch.", "Is there a deadline?", "No need to speak to a human", "I do not want to talk to a human", "We want a person who knows taxes", "agent", "travel agent", "People", "Are you a human?",
		"I want to reach more people", "Users say: let me talk to a human", "We want to connect people with agents", "I talk to a person at the tax office", "I have people", "I need people", "We need real people in our photos", "I want to talk to my team about it first", "Can I speak to my manager first?", "We get a human to check it",
		"I have a contact person at the bank", "I want someone reliable",

		"Wir sprechen mit Menschen auf dem Markt.", "Wir haben 7 Leute", "Ich will mit Menschen arbeiten", "Wir wollen mit Menschen sprechen, die Bäckereien führen", "Unsere Kunden möchten mit einem Menschen sprechen.",
		"Ich möchte mit jemandem von der Bank sprechen", "Bei uns gibt es einen Ansprechpartner für jede Filiale", "Es gibt einen Ansprechpartner je Filiale.", "Der Mensch steht im Mittelpunkt", "Wir brauchen einen Mitarbeiter für das Lager", "Mitarbeiter",
		"Ich möchte nicht mit einem Menschen sprechen", "Sind Sie ein Mensch?", "Gibt es eine Frist?", "Kunden fragen oft: Kann ich mit einem Menschen sprechen?", "Wir rufen jemanden an", "Ich will, dass Kunden mit einem Menschen sprechen können", "Ich muss täglich mit meinem Team sprechen", "Wir möchten mit einem Berater an der Strategie arbeiten", "Wie erreiche ich mehr Kunden?",
		"Gibt es Menschen, die das brauchen?",
	}
	for _, m := range others {
		if wish := humanWish(m); wish != "" {
			t.Errorf("%q is heard as a wish for a human being: %q", m, wish)
		}
	}
	for message, want := range map[string]string{
		"We have 7 people. Can I speak to a human? Thanks":          "Can I speak to a human",
		"We are 7, is there a real person I can talk to?":           "is there a real person I can talk to",
		"I want to talk to a human and our budget is 20k":           "I want to talk to a human and",
		"Wir sind 7, kann ich bitte mit einem Menschen sprechen? –": "kann ich bitte mit einem Menschen sprechen",
	} {
		if got := humanWish(message); got != want {
			t.Errorf("the wish in %q is %q, want %q", message, got, want)
		}
	}
}
