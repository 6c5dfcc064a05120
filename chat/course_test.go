package chat

import (
	"encoding/json"
	"slices"
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
)

// Who has little time says so in many ways; who speaks of their customers' time, or tells what
// holds them back, does not.
func TestSaysHurry(t *testing.T) {
	t.Parallel()

	for _, message := range []string{
		"I'm in a bit of a hurry", "we only have five minutes", "We run a bakery and I have about five minutes", "Sorry, I don't have much time right now", "I've got no time for this", "make it quick please", "got 5 mins before my train", "I have two minutes.", "need this quick", "can we speed this up",
		"ich hab grad wenig Zeit, was brauchst du unbedingt?", "Ich habe nur 5 Minuten", "ich bin in Eile", "wir haben leider keine Zeit", "ich hab's eilig", "Machen wir es bitte kurz", "ich habe zwei Minuten, dann muss ich", "geht das schneller?",
	} {
		if !saysHurry(message) {
			t.Errorf("%q is not heard", message)
		}
	}
	for _, message := range []string{
		"Our customers are in a hurry", "We have no time for marketing", "I don't have time to do the books", "People wait five minutes", "The oven needs ten minutes", "We have ten minutes per patient", "keep it short",
		"Unsere Kunden haben es nie leicht", "Wir haben keine Zeit für Werbung", "Der Ofen braucht 10 Minuten", "in two minutes we bake forty rolls",
	} {
		if saysHurry(message) {
			t.Errorf("%q is taken for hurry", message)
		}
	}
}

// What is read back is what counts most, and a yes confirms what the reply named.
func TestReadBackIsConfirmed(t *testing.T) {
	t.Parallel()

	s, _ := shippedPlan(t, "business_profile", "en", "industry")
	for key, value := range map[string]string{"business_overview": `"We bake bread for cafés"`, "primary_goal": `"a second shop"`, "team_size": "7"} {
		o := obligations.Find(s.Obligations, key)
		o.Value, o.Status, o.Confidence = []byte(value), obligations.Partial, 60
		o.Evidence = []obligations.Evidence{{Kind: obligations.Stated}}
	}
	about := worthReadingBack(s.Obligations)
	if want := []string{"business_overview", "primary_goal", "team_size"}; !slices.Equal(about, want) {
		t.Fatalf("reads back %v, want %v", about, want)
	}
	s.Asked = &sessions.Question{Purpose: sessions.ToApprove, About: about, Attempt: 1}
	s.Message, s.Turn = "yes, that's right", 9
	s.Transcript = append(s.Transcript, sessions.Message{Turn: 8, Role: sessions.FromAssistant, Content: "- a second shop\n- 7 people\n\nHave I got that right?"})

	var keys []string
	for _, f := range readApproval(s, Understanding{Intent: Agree}).Findings {
		keys = append(keys, f.Key)
	}

	if want := []string{"primary_goal", "team_size"}; !slices.Equal(keys, want) {
		t.Errorf("confirms %v, want %v: what the reply did not name is not agreed to", keys, want)
	}
}

// A yes to the offer to close is one however it goes on.
func TestYesToTheEnd(t *testing.T) {
	t.Parallel()

	for message, want := range map[string]Intent{"Yes, that will do.": Agree, "yes, we can stop here": Agree, "Ja, das passt so": Agree, "yes but the budget is wrong": Unclear, "hm": Unclear} {
		s := &Scene{Message: message, Asked: &sessions.Question{Purpose: sessions.ToFinish}}
		if got := readFinishYes(s, Understanding{Intent: Unclear}).Intent; got != want {
			t.Errorf("%q is %s, want %s", message, got, want)
		}
	}
}

// What is told beside "I have five minutes" is kept, without that.
func TestHurryKeepsWhatIsTold(t *testing.T) {
	t.Parallel()

	for message, want := range map[string]string{
		"We run a bakery in Leipzig, I only have five minutes":  `"We run a bakery in Leipzig"`,
		"hab wenig zeit. app für parkplätze vor kitas":          `"app für parkplätze vor kitas"`,
		"I only have five minutes":                              "",
		"Sorry, I'm in a hurry. We sell bread, rolls and cakes": `"We sell bread, rolls and cakes"`,
	} {
		s, _ := shippedPlan(t, "business_profile", "en", "business_overview")
		value, _ := json.Marshal(message)
		s.Message, s.Turn = message, 2

		u := readHurry(s, Understanding{Intent: Answer, Findings: []obligations.Finding{{Key: "business_overview", Act: obligations.Tell, Value: value, Evidence: obligations.Evidence{Quote: message}}}})

		got := ""
		if len(u.Findings) > 0 {
			got = string(u.Findings[0].Value)
		}
		if got != want || u.Signals.Course.Hurry != 2 {
			t.Errorf("%q tells %s, want %s; hurry since turn %d", message, got, want, u.Signals.Course.Hurry)
		}
	}
}

// Who begins by telling something, and that there is little time for it, does not leave.
func TestHurryAtTheBeginningIsNoGoodbye(t *testing.T) {
	t.Parallel()

	told := []obligations.Finding{{Key: "business_overview", Act: obligations.Tell, Value: json.RawMessage(`"We mend nets"`), Evidence: obligations.Evidence{Quote: "We mend nets"}}}
	for _, tt := range []struct {
		turn    int
		told    []obligations.Finding
		message string
		want    Intent
	}{
		{1, told, "Right. We mend nets. Got 5 mins before my bus, go.", Answer},
		{2, told, "Also los. We mend nets. Ich habe nur 5 Minuten.", Answer},
		{2, nil, "I'm in a hurry, bye", Leave},
		{9, told, "We mend nets. Got 5 mins, bye", Leave},
		{1, told, "We mend nets. Bye", Leave},
	} {
		s, _ := shippedPlan(t, "business_profile", "en", "industry")
		s.Message, s.Turn = tt.message, tt.turn
		if got := readHurry(s, Understanding{Intent: Leave, Findings: tt.told}).Intent; got != tt.want {
			t.Errorf("%q in turn %d is %s, want %s", tt.message, tt.turn, got, tt.want)
		}
	}
}
