package obligations

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quaestor/internal/fault"
)

func TestWordingRefusesThePersonsWords(t *testing.T) {
	t.Parallel()

	cards, short, topic := "the old patient cards must be scanned", "sack the boss", "the night shift is short of people"
	german, chinese := "die alten Patientenkarten gehören gescannt", "旧的病人卡片必须扫描"
	for _, tt := range []struct {
		name, quote, text string
		says              string // of the refusal; empty when there is none
	}{
		{"neutral", cards, "Which paper records do you keep, and what should become of them?", ""},
		{"three words", cards, "Do you have old patient cards?", ""},
		{"four words", cards, "Why is it that old patient cards must wait?", "old patient cards must"},
		{"in capitals", cards, "WHY: PATIENT CARDS (MUST BE)…", "patient cards must be"},
		{"across a hyphen and lines", cards, "patient-cards\nmust\tbe?", "patient cards must be"},
		{"a short quote", short, "Why sack the boss?", "sack the boss"},
		{"a topic", topic, "How is the night shift staffed?", ""},
		{"nouns in German", german, "Welche Patientenkarten gibt es?", ""},
		{"four words of German", german, "Was tun, wenn alten Patientenkarten gehören gescannt?", "alten patientenkarten gehören gescannt"},
		{"a run of Chinese", chinese, "旧的病人卡片必须怎么办？", "旧 的 病 人"},
	} {
		err := Wording{Label: "Topic", Prompt: tt.text}.Check([]string{"something else entirely", tt.quote})
		var f *fault.Error
		switch {
		case tt.says == "" && err != nil:
			t.Errorf("%s: %q is refused: %v", tt.name, tt.text, err)
		case tt.says != "" && (!errors.As(err, &f) || f.Field != "prompt" || !strings.Contains(f.Message, tt.says)):
			t.Errorf("%s: %q gives %v, want a fault of the field prompt with %q", tt.name, tt.text, err, tt.says)
		}
	}
}

// Any four words of what was said are found again, however they are set.
func TestWordingRefusesEveryRunOfFourWords(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-zäéß]{1,9}`)
		said := rapid.SliceOfN(word, 4, 20).Draw(t, "said")
		from := rapid.IntRange(0, len(said)-4).Draw(t, "from")
		between := rapid.SampledFrom([]string{" ", ", ", "-", "  \n", " — "}).Draw(t, "between")
		run := strings.Join(said[from:from+4], between)
		if rapid.Bool().Draw(t, "capitals") && !strings.Contains(run, "ß") {
			run = strings.ToUpper(run)
		}
		w := Wording{Label: "Topic", Prompt: "Qqq zzz " + run + " zzz?"}
		if err := w.Check([]string{strings.Join(said, " ")}); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("%q of %q is published: %v", run, said, err)
		}
	})
}

func TestWordedQuestionHoldsNothingElseOfTheProposal(t *testing.T) {
	t.Parallel()

	leak := "Almeida"
	low := 4200.0
	came := Template{Key: leak, FieldPath: leak, Label: leak, Prompt: leak, Why: leak, Widget: ChoiceOne, Choices: []Choice{{Value: leak, Label: leak}}, Unit: leak, Min: &low, Examples: []string{leak},
		Cues: []string{leak}, Dependencies: []string{leak}, Priority: 7, SatisfiedWhen: leak, Category: leak, PoolID: leak, ExpertiseRequired: leak, ResearchType: leak, FollowUpStrategy: leak, AgentNotes: leak}
	got := Worded(&came, Wording{Label: "Paper records", Prompt: "Which?"}, []Template{{Key: "paper_records"}})

	if got.Key != "paper_records_2" || got.Priority != 7 || got.Widget != Text {
		t.Errorf("the key is %s, the widget %s, the priority %d", got.Key, got.Widget, got.Priority)
	}
	if text := string(encoded(got)[0]); strings.Contains(text, leak) || strings.Contains(text, "4200") {
		t.Errorf("it holds the person's words: %s", text)
	}
}
