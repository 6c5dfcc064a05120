package webtest

import (
	"encoding/json"
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/talk"
)

// Hostile is text that tries to leave the place it is written to.
var Hostile = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`' onmouseover='alert(1)`,
	`" autofocus onfocus="alert(1)`,
	`</textarea></template><script>alert(1)</script>`,
	`javascript:alert(1)`,
	`[x](javascript:alert(1)) ![y](https://evil.example/y.png)`,
	`<svg onload=alert(1)><a xlink:href="javascript:alert(1)">z</a>`,
	`<style>*{display:none}</style><base href="https://evil.example/">`,
	`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	"\u202e\u2066<b>&lt;b&gt;&#60;script&#62;",
	`{{constructor.constructor('alert(1)')()}}${alert(1)}`,
}

// HostileView has s in every field people, models or documents can fill.
func HostileView(t *testing.T, s string) talk.ChatView {
	t.Helper()
	value := Encoded(t, s)
	evidence := obligations.Evidence{Kind: obligations.Stated, By: s, Message: s, Quote: s, Source: s, Flag: s, Premises: []string{s}, Span: &obligations.Span{Start: 0, End: 3}}
	accepted := evidence
	accepted.Kind, accepted.Proposal = obligations.Accepted, &obligations.Proposal{Message: s, Value: value}
	inferred := evidence
	inferred.Kind = obligations.InferredEvidence
	template := obligations.Template{Key: "k", Label: s, Prompt: s, Why: s, Category: s, Unit: s, Widget: obligations.ChoiceOne, Choices: []obligations.Choice{{Value: s, Label: s}}, Examples: []string{s}}
	o := obligations.Obligation{Template: &template, Status: obligations.Partial, Value: value, Evidence: []obligations.Evidence{evidence, accepted, inferred}}
	return talk.ChatView{
		Session: sessions.Session{ID: s, ContextType: s, Status: sessions.Active, Phase: sessions.Phase(s)},
		Title:   s, Description: s, Interviewer: "model " + s, User: s, ClientMessageID: s,
		Messages: []sessions.Message{
			{Turn: 1, Role: sessions.FromAssistant, Content: s, Complete: true},
			{Turn: 1, Role: sessions.FromUser, User: s + "2", Content: s, Complete: true},
		},
		Obligations: []obligations.Obligation{o}, Previous: map[string]json.RawMessage{"k": value},
		Completeness: obligations.Completeness{MissingKeys: []string{s}},
		Question:     &sessions.Question{Purpose: sessions.ToAsk, Key: s, Label: s, Prompt: s, Widget: obligations.MultiSelect, Choices: template.Choices, Other: true, Examples: []string{s}, Why: s, Attempt: 2},
	}
}
