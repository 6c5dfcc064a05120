package reading

import (
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// tool is an objective with lists, in English or German.
func tool(german bool) *objectives.Definition {
	if german {
		return &objectives.Definition{ContextType: "werkzeug", Obligations: []obligations.Template{
			{Key: "must", Label: "Muss können", Prompt: "Was muss die erste Fassung können?", Widget: obligations.Text, Priority: 10, Category: "Werkzeug"},
			{Key: "users", Label: "Zahl der Nutzer", Prompt: "Wie viele Menschen werden es nutzen?", Widget: obligations.Number, Unit: "people", Integer: true, Min: chattest.Float(0), Priority: 9, Category: "Werkzeug"},
			{Key: "wege", Label: "Wege", Prompt: "Wie erreicht man Sie?", Widget: obligations.MultiSelect, AllowOther: true, Priority: 8, Category: "Werkzeug",
				Choices: []obligations.Choice{{Value: "telefon", Label: "Telefon"}, {Value: "brief", Label: "Brief"}, {Value: "schalter", Label: "Schalter"}}},
			{Key: "systems", Label: "Systeme", Prompt: "Womit arbeiten Sie heute?", Widget: obligations.Text, Priority: 7, Category: "Werkzeug"},
			{Key: "why", Label: "Anlass", Prompt: "Warum jetzt?", Widget: obligations.Text, Priority: 6, Category: "Werkzeug"},
		}}
	}
	return &objectives.Definition{ContextType: "tool", Obligations: []obligations.Template{
		{Key: "must", Label: "Must do", Prompt: "What must the first version do?", Widget: obligations.Text, Priority: 10, Category: "Tool"},
		{Key: "users", Label: "Number of users", Prompt: "How many people will use it?", Widget: obligations.Number, Unit: "people", Integer: true, Min: chattest.Float(0), Priority: 9, Category: "Tool"},
		{Key: "ways", Label: "Ways to reach you", Prompt: "How do people reach you?", Widget: obligations.MultiSelect, AllowOther: true, Priority: 8, Category: "Tool",
			Choices: []obligations.Choice{{Value: "phone", Label: "Phone"}, {Value: "post", Label: "Post"}, {Value: "counter", Label: "Counter"}}},
		{Key: "systems", Label: "Systems", Prompt: "What do you work with today?", Widget: obligations.Text, Priority: 7, Category: "Tool"},
		{Key: "why", Label: "Reason", Prompt: "Why now?", Widget: obligations.Text, Priority: 6, Category: "Tool"},
	}}
}

// TestOnlyNamedItemsAreStruck holds that who says that one item is none of a list takes that one off
// and no other, and that nothing is taken off a list that is not spoken of.
func TestOnlyNamedItemsAreStruck(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	const list, liste = `"print the rota; text the drivers; Nadia"`, `"Touren planen; Lieferscheine; Herr Özil"`
	const kept, bleibt = `must="print the rota; text the drivers"!`, `must="Touren planen; Lieferscheine"!`
	for _, tt := range []struct {
		german    bool
		asked     string
		confirm   bool
		in, want  string
		elsewhere bool // whether other findings may come with it
	}{
		{false, "must", true, "Nadia isn't something it must do, Nadia drives the van!", kept, false},
		{false, "must", true, "Nadia is not one of them", kept, false},
		{false, "must", true, "no, Nadia doesn't belong there", kept, false},
		{false, "must", true, "Nadia is wrong", kept, false},
		{false, "why", false, "Nadia still isn't a thing it must do", kept, false},
		{false, "why", false, "Hang on. Nadia isn't a thing it has to do, she's our cook.", kept, true},
		{false, "why", false, "text the drivers isn't part of that list", `must="print the rota; Nadia"!`, false},
		{false, "ways", true, "post isn't one of them", `ways=["phone"]!`, false},
		{true, "must", true, "Herr Özil ist nichts, was es können muss, der fährt den Laster!", bleibt, false},
		{true, "must", true, "Herr Özil gehört da nicht hin", bleibt, false},
		{true, "must", true, "Nein, Herr Özil gehört nicht dazu", bleibt, false},
		{true, "must", true, "Herr Özil stimmt nicht", bleibt, false},
		{true, "why", false, "Herr Özil gehört nicht auf die Liste", bleibt, false},
		{true, "users", false, "Lieferscheine muss es nicht können", `must="Touren planen; Herr Özil"!`, false},
		// The whole list is named and called wrong:
		{false, "must", true, "no, that's all wrong", "must deny", false},
		{false, "why", false, "what it must do is all wrong", "must deny", false},
		{true, "must", true, "Nein, das stimmt so nicht", "must deny", false},
		// Nothing of a list is taken off:
		{false, "why", false, "Nadia's brother isn't a thing it must do", "", true},
		{false, "why", false, "Nadia isn't in on Mondays", "", true},
		{false, "why", false, "That Nadia will not do it", "", true},
		{false, "why", false, "Nadia must not do it any longer", "", true},
		{false, "why", false, "our post desk will not use it", "", true},
		{true, "why", false, "Das Auto gehört nicht dazu", "", true},
		{true, "why", false, "Dass Herr Özil es nicht kann", "", true},
		{false, "why", false, "the drivers aren't happy with the rota", "", true},
		{false, "why", false, "The number isn't quite right, 58. Rota: whiteboard. Bye now", "", true},
		{true, "why", false, "Zahl stimmt nicht ganz, 58. Touren: Tafel. Tschüss.", "", true},
		{true, "why", false, "Die Lieferscheine sind nicht leserlich", "", true},
		{true, "why", false, "Herr Özil ist nicht mehr der Jüngste", "", true},
	} {
		d := tool(tt.german)
		s := chattest.SceneIn(d, tt.asked, tt.in)
		ways, held := "ways", list
		if tt.german {
			s.Session.Language, ways, held = "de", "wege", liste
		}
		chattest.Hold(s, "must", held, 3)
		chattest.Hold(s, "users", "60", 4)
		chattest.Hold(s, ways, map[bool]string{false: `["phone","post"]`, true: `["telefon","brief"]`}[tt.german], 2)
		if tt.confirm {
			s.Asked = chattest.Ask(obligations.Find(s.Obligations, tt.asked), sessions.ToConfirm)
		}
		u := understand(m, s)
		var lists []obligations.Finding
		for _, f := range u.Findings {
			if !tt.elsewhere || f.Key == "must" || f.Key == ways {
				lists = append(lists, f)
			}
		}
		if got := chattest.Brief(lists); got != tt.want {
			m.Errorf("asked %s, Understand(%q) = %s, want %s", tt.asked, tt.in, got, tt.want)
		}
	}
}
