package chat_test

import (
	"encoding/json"
	"testing"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// germanScene is a scene whose questions are in German.
func germanScene() *chat.Scene {
	s := &chat.Scene{Turn: 2, Objective: &objectives.Definition{}}
	for _, t := range []obligations.Template{
		{Key: "budget", Label: "Budget", Prompt: "Wie hoch ist Ihr Budget für das Vorhaben?", Widget: obligations.Number, Unit: "money"},
		{Key: "start", Label: "Beginn", Prompt: "Wann soll das Vorhaben beginnen?", Widget: obligations.Date},
	} {
		s.Obligations = append(s.Obligations, obligations.Obligation{Template: &t})
	}
	return s
}

func TestLanguageOf(t *testing.T) {
	t.Parallel()

	if got := chat.LanguageOf(germanScene()); got != "de" {
		t.Errorf("German questions are in %q", got)
	}
	if got := chat.LanguageOf(planScene(t, 1)); got != "en" {
		t.Errorf("English questions are in %q", got)
	}
	if got := chat.LanguageOf(&chat.Scene{}); got != "en" {
		t.Errorf("no questions are in %q", got)
	}
}

func TestPlainQuestionsAreInTheLanguage(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		q    sessions.Question
		want string
	}{
		{sessions.Question{Purpose: sessions.ToConfirm, Key: "budget", Label: "Budget", Proposal: json.RawMessage(`20000`)}, "Kurz zur Sicherheit – Budget: „20.000“. Stimmt das?"},
		{sessions.Question{Purpose: sessions.ToResolve, Key: "start", Label: "Beginn", Values: []json.RawMessage{json.RawMessage(`"2027-03"`), json.RawMessage(`"2027-05-01"`)}},
			"Ich habe hier zwei Angaben – Beginn: „März 2027“ und „1. Mai 2027“. Welche davon stimmt?"},
		{sessions.Question{Purpose: sessions.ToAsk, Key: "start", Prompt: "Wann?"}, "Wann?"},
	} {
		if got := chat.InPlainWords(germanScene(), &tt.q); got != tt.want {
			t.Errorf("asks %q, want %q", got, tt.want)
		}
	}
}

// A value that a file proposes, and the offer to finish, are put in the language.
func TestPromptsOfTheEngineAreInTheLanguage(t *testing.T) {
	t.Parallel()

	s := germanScene()
	for i := range s.Obligations {
		s.Obligations[i].Status, s.Obligations[i].SkipReason = obligations.Skipped, obligations.Declined
	}
	p := chat.Decide(s, chat.Understanding{Intent: chat.Finish})
	if want := "Einiges, was gebraucht wird, ist noch offen. Soll ich trotzdem hier abschließen?"; p.Question == nil || p.Question.Prompt != want {
		t.Errorf("asks %+v, want %q", p.Question, want)
	}
	s = germanScene()
	o := &s.Obligations[0]
	o.Value, o.Status, o.Confidence, o.Unlocked = json.RawMessage(`20000`), obligations.Partial, 40, true
	o.Evidence = []obligations.Evidence{{Kind: obligations.Document, File: "f1", Source: "plan.pdf", Quote: "Kosten rund zwanzigtausend"}}
	s.Obligations[1].Status = obligations.Skipped
	p = chat.Decide(s, chat.Understanding{Intent: chat.Answer})
	if want := "In plan.pdf steht: „Kosten rund zwanzigtausend“. Soll ich das eintragen – Budget: „20.000“?"; p.Question == nil || p.Question.Prompt != want {
		t.Errorf("asks %+v, want %q", p.Question, want)
	}
}
