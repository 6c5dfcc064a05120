package talk_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"quaestor/obligations"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestChanged(t *testing.T) {
	t.Parallel()

	team := &obligations.Template{Key: "team", Label: "Team", Prompt: "How many are you?", Widget: obligations.Number, Unit: "people", Min: pointer(1), Max: pointer(50)}
	launch := &obligations.Template{Key: "launch", Label: "Launch", Widget: obligations.Date}
	offer := &obligations.Template{Key: "offer", Label: "Offer", Widget: obligations.ChoiceOne, AllowOther: true, Choices: []obligations.Choice{{Value: "saas", Label: "Software"}, {Value: "goods", Label: "Goods"}}}
	tests := []struct {
		name    string
		of      *obligations.Template
		asked   bool
		form    url.Values
		message string
		value   string
		wrong   string
	}{
		{"a number", team, false, url.Values{"answer.team": {"12"}}, "Team: 12 people", "12", ""},
		{"of what is asked", team, true, url.Values{"answer.team": {"12"}}, "12 people", "12", ""},
		{"no number", team, false, url.Values{"answer.team": {"a dozen"}}, "", "", "A number is needed here: from 1 to 50."},
		{"out of range", team, false, url.Values{"answer.team": {"51"}}, "", "", "A number is needed here: from 1 to 50."},
		{"the value held", team, false, url.Values{"answer.team": {"9"}}, "", "", "This is what is noted already."},
		{"nothing", team, false, url.Values{"answer.team": {" "}}, "", "", "Fill this in, or cancel."},
		{"a day", launch, false, url.Values{"answer.launch": {"2027-03-01"}, "other.launch": {""}}, "Launch: 1 March 2027", `"2027-03-01"`, ""},
		{"a month in words", launch, false, url.Values{"answer.launch": {""}, "other.launch": {"March 2027"}}, "Launch: March 2027", `"2027-03"`, ""},
		{"a day in words", launch, false, url.Values{"other.launch": {"1 Mar 2027"}}, "Launch: 1 March 2027", `"2027-03-01"`, ""},
		{"a season", launch, false, url.Values{"other.launch": {"next spring"}}, "", "", "Give a day"},
		{"a choice", offer, false, url.Values{"answer.offer": {"saas"}}, "Offer: Software", `"saas"`, ""},
		{"beside the choices", offer, false, url.Values{"other.offer": {"Rides"}}, "Offer: Rides", `"Rides"`, ""},
		{"two choices", offer, false, url.Values{"answer.offer": {"saas"}, "other.offer": {"Rides"}}, "", "", "One answer fits here"},
	}
	for _, test := range tests {
		o := &obligations.Obligation{Template: test.of, Status: obligations.Satisfied, Value: json.RawMessage(`9`)}
		message, value, wrong := talk.Changed(o, test.asked, test.form)
		if message != test.message || string(value) != test.value || !strings.HasPrefix(wrong, test.wrong) || (wrong == "") != (test.wrong == "") {
			t.Errorf("%s: Changed = %q, %s, %q; want %q, %s, %q", test.name, message, value, wrong, test.message, test.value, test.wrong)
		}
	}
}

// The form is filled with the present value, so that people change it instead of writing
// it again.
func TestAnswerIsFilledWithTheValueHeld(t *testing.T) {
	t.Parallel()

	choices := []obligations.Choice{{Value: "a", Label: "Shops"}, {Value: "b", Label: "Fairs"}}
	tests := []struct {
		name   string
		widget obligations.Widget
		value  string
		shown  []string // the values of the fields that hold something
	}{
		{"text", obligations.Text, `"We bake <bread>"`, []string{"We bake <bread>"}},
		{"number", obligations.Number, `12.5`, []string{"12.5"}},
		{"range", obligations.Number, `{"min": 1, "max": 2}`, nil},
		{"day", obligations.Date, `"2027-03-01"`, []string{"2027-03-01"}},
		{"month", obligations.Date, `"2027-03"`, []string{"March 2027"}},
		{"choice", obligations.ChoiceOne, `"b"`, []string{"b"}},
		{"beside the choices", obligations.ChoiceOne, `"Friends"`, []string{"Friends"}},
		{"several", obligations.MultiSelect, `["a", "Friends"]`, []string{"a", "Friends"}},
		{"nothing", obligations.Text, ``, nil},
	}
	for _, test := range tests {
		o := obligations.Obligation{Template: &obligations.Template{Key: "k", Label: "K", Widget: test.widget, Choices: choices, AllowOther: true}, Status: obligations.Satisfied, Value: json.RawMessage(test.value)}
		p := webtest.Render(t, talk.Answer(talk.AnswerView{Session: "s-1", Obligation: o}))

		var shown []string
		for _, n := range p.Every() {
			switch {
			case webtest.Attr(n, "name") == "look": // of every page
			case n.Data == "textarea" && webtest.RawText(n) != "":
				shown = append(shown, webtest.RawText(n))
			case n.Data == "input" && (webtest.Attr(n, "type") == "radio" || webtest.Attr(n, "type") == "checkbox"):
				for _, a := range n.Attr {
					if a.Key == "checked" {
						shown = append(shown, webtest.Attr(n, "value"))
					}
				}
			case n.Data == "input" && webtest.Attr(n, "type") != "hidden" && webtest.Attr(n, "value") != "":
				shown = append(shown, webtest.Attr(n, "value"))
			}
		}
		if strings.Join(shown, "|") != strings.Join(test.shown, "|") {
			t.Errorf("%s: the fields hold %q, want %q", test.name, shown, test.shown)
		}
	}
}
