package chat_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

func TestGoodQuestions(t *testing.T) {
	t.Parallel()

	for _, q := range []string{
		"What does your shop sell?",
		"How many people work there?",
		"When did it open?",
		"To begin with, what does your business do, in your own words?",
		"If a new neighbour asked what your business does, what would you tell them?",
		"When opinions differ, who has the final say on this project?",
		"Thinking of your latest customers, what exactly did they pay for?",
		"Could you walk me through one typical task from start to finish, the way it is done today?",
		`Could you finish this sentence for me, starting with "We help people to"?`,
		"Through which channels do customers find you and buy?",
		"How many hours a week could you and your team spend on moving the business forward?",
		"Do customers mainly buy things, people's work, software or something else from you?",
		"Is the amount nearer to 500, 5,000 or 50,000?",
		"What did your business make, do or sell last week?",
		"Which skills, contacts or experience do you have for this?",
		"What happens step by step, when the work is done the usual way?",
		"At what times does the result have to be up and running?",
		"Whose yes do you need before work can start?",
		"Would it be an app, a website, a thing or something else?",
		"Is it a small nuisance, annoying, costly, or does it keep them from something important?",
		"Who among the people you know would want it most?",
		"If you could have ten more customers like one you have now, what would that customer be like?",
		"Which of them holds?",
		"Shall I close it here?",
		"And how many people work in your shop today?",
		"Where else could your customers go for the same need, including doing it themselves?",
		"What has to be true for your idea to work that you are least sure of?",
		"Who would pay for it?",
		"How do you arrive at your prices?",
		"What would you look at to see whether you have reached your goal?",
		"By when would you like to have reached your main goal?",
		"Thinking of the last time it was done, what did people do first, second and third?",
		"Which programs must it get information from or send information to?",
		"What is open on the screen or lying on the desk while this work is done?",
		"A year after the start, what would tell you that your idea was worth pursuing?",
		"On an ordinary day after the project, what will people do differently?",
		"Will it hold anything about people's health, money, children or identity?",
		"Was verkaufen Sie in Ihrem Laden?",
		"お店では何を売っていますか？",
		"ماذا تبيع في متجرك؟",
		"So, what brings people to you?",
		"Which day of the week is busiest?",
		"What, if anything, would you change?",
		"Where do people buy?",
		"How large is your market?",
	} {
		if got := chat.LintQuestion(q, chat.LintContext{}); len(got) > 0 {
			t.Errorf("LintQuestion(%q) = %+v, want nothing", q, got)
		}
	}
}

func TestBadQuestions(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		in    string
		want  chat.Rule
		words string // at fault, in small letters; empty means all
	}{
		{"Tell me about your shop.", chat.NoQuestion, ""},
		{"Please describe the project in detail", chat.NoQuestion, ""},
		{"", chat.NoQuestion, ""},
		{"What do you sell? Who buys it?", chat.SeveralAtOnce, ""},
		{"Where is it? Or is it online?", chat.SeveralAtOnce, ""},
		{"What is your budget?? ", chat.SeveralAtOnce, ""},
		{"How old is it? And how big?", chat.SeveralAtOnce, ""},
		{"お名前は？ご住所は？", chat.SeveralAtOnce, ""},
		{"What do you sell and who buys it?", chat.DoubleBarrel, "and who buys it?"},
		{"What do you sell and to whom?", chat.DoubleBarrel, "and to whom?"},
		{"When did you start, and how did it go?", chat.DoubleBarrel, "and how did it go?"},
		{"Which number should go up or down, and by how much?", chat.DoubleBarrel, "and by how much?"},
		{"What is your name and age?", chat.DoubleBarrel, "what is your name and age?"},
		{"What are your goals and your budget?", chat.DoubleBarrel, "what are your goals and your budget?"},
		{"Do you sell online and/or in a shop?", chat.DoubleBarrel, "and/or"},
		{"Do you have a site and is it used?", chat.DoubleBarrel, "and is it"},
		{"How many people are there, how are they paid?", chat.DoubleBarrel, ", how are they paid?"},
		{"Who decides or when is it decided?", chat.DoubleBarrel, "or when is it decided?"},
		{"Is there a deadline, and if so, when is it?", chat.DoubleBarrel, "and if so, when is it?"},
		{"Where would somebody be, and what would they have in front of them?", chat.DoubleBarrel, "and what would they have in front of them?"},
		{"Do you export and do you import?", chat.DoubleBarrel, "and do you"},
		{"Don't you think a website would help?", chat.Leading, "don't you"},
		{"Isn't it too expensive?", chat.Leading, "isn't it"},
		{"You want to grow, right?", chat.Leading, ", right?"},
		{"Surely you want more customers?", chat.Leading, "surely"},
		{"Obviously price matters, so what is yours?", chat.Leading, "obviously"},
		{"Would you agree that speed matters most?", chat.Leading, "would you agree"},
		{"How great is your product?", chat.Leading, "how great is"},
		{"How much do you love your customers?", chat.Leading, "how much do you love"},
		{"I assume you sell online, where?", chat.Leading, "i assume"},
		{"Why is your site so slow?", chat.Leading, "why is your site so "},
		{"Would you not rather sell online?", chat.Leading, "would you not"},
		{"You must have competitors, who are they?", chat.Leading, "you must"},
		{"The market is large, is that correct?", chat.Leading, "is that correct?"},
		{"As we all know, speed counts; how fast are you?", chat.Leading, "as we all know"},
		{"Who are the stakeholders?", chat.Jargon, "stakeholders"},
		{"Which KPIs do you watch?", chat.Jargon, "kpis"},
		{"What is your value proposition?", chat.Jargon, "value proposition"},
		{"How high is your churn?", chat.Jargon, "churn"},
		{"What does your go-to-market look like?", chat.Jargon, "go-to-market"},
		{"Which SLA applies?", chat.Jargon, "sla"},
		{"What are the pain points?", chat.Jargon, "pain points"},
		{"Is it a B2B business?", chat.Jargon, "b2b"},
		{"How long is your runway?", chat.Jargon, "runway"},
		{strings.Repeat("and another word ", 12) + "what is it?", chat.TooLong, ""},
		{"What is it that " + strings.Repeat("unnecessarily-long-words-", 10) + "do?", chat.TooLong, ""},
	} {
		got := chat.LintQuestion(tt.in, chat.LintContext{})
		i := slices.IndexFunc(got, func(p chat.Problem) bool { return p.Rule == tt.want })
		if i < 0 {
			t.Errorf("LintQuestion(%q) = %+v, want %s", tt.in, got, tt.want)
			continue
		}
		p := got[i]
		if p.Words != tt.in[p.At:p.End] || p.Hint == "" || tt.words != "" && strings.ToLower(p.Words) != tt.words {
			t.Errorf("LintQuestion(%q) blames %q at %d to %d (%s), want %q", tt.in, p.Words, p.At, p.End, p.Hint, tt.words)
		}
	}
}

func TestShippedWordingsPass(t *testing.T) {
	t.Parallel()

	for _, d := range objectives.Shipped() {
		for _, p := range chat.LintObjective(&d) {
			t.Errorf("%s, %s: %s: %q; %s", d.ContextType, p.Field, p.Rule, p.Words, p.Hint)
		}
	}
}

func TestLintObjectiveNamesTheField(t *testing.T) {
	t.Parallel()

	d := objectives.Definition{Pools: map[string][]string{"p": {"What else?", "What is your churn?"}}, Obligations: []obligations.Template{
		{Key: "a", Prompt: "What is it?", PoolID: "p", AgentNotes: "Be brief.\nJargon: dunning, Cohort"}, {Key: "b", Prompt: "How is dunning done, and why?", PoolID: "p"}}}

	var got []string
	for _, p := range chat.LintObjective(&d) {
		got = append(got, p.Field+" "+string(p.Rule)+" "+p.Words)
	}

	want := []string{"pools.p[1] jargon churn", "obligations[1].prompt jargon dunning", "obligations[1].prompt double_barrel and why?"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("LintObjective() (-want +got):\n%s", diff)
	}
}

func TestLintQuestionAgainstItsBackground(t *testing.T) {
	t.Parallel()

	known := []obligations.Obligation{
		{Template: &obligations.Template{Key: "size", Label: "Size", Prompt: "How many people work in the business, yourself included?", PoolID: "size"}, Status: obligations.Satisfied, Value: json.RawMessage("4")},
		{Template: &obligations.Template{Key: "market", Label: "Market", Prompt: "How large is your market?"}, Status: obligations.Pending},
	}
	b := chat.LintContext{Known: known, Asks: "market", Heard: "We are B2B, so churn hurts", Jargon: []string{"dunning"}, Pools: map[string][]string{"size": {"How large is your team?"}}}
	for _, tt := range []struct {
		in   string
		edit func(*chat.LintContext)
		want []chat.Rule
	}{
		{"How large is your market?", nil, nil},
		{"And how many people work in the business, you included?", nil, []chat.Rule{chat.AnsweredBefore}},
		{"How large is your team?", nil, []chat.Rule{chat.AnsweredBefore}},
		{"How large is your team?", func(b *chat.LintContext) { b.Asks = "size" }, nil},
		{"How large is your team?", func(b *chat.LintContext) { b.Known = nil }, nil},
		{"What does churn cost you?", nil, nil},
		{"What does dunning cost you?", nil, []chat.Rule{chat.Jargon}},
		{"What does dunning cost you?", func(b *chat.LintContext) { b.Heard += " and Dunning" }, nil},
		{"For the market I have “large”. Is that right?", nil, []chat.Rule{chat.Leading}},
		{"For the market I have “large”. Is that right?", func(b *chat.LintContext) { b.Agrees = true }, nil},
	} {
		background := b
		if tt.edit != nil {
			tt.edit(&background)
		}
		var got []chat.Rule
		for _, p := range chat.LintQuestion(tt.in, background) {
			got = append(got, p.Rule)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("LintQuestion(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

// No text makes the linter fall over, and what it blames stands in the text.
func FuzzLintQuestion(f *testing.F) {
	for _, s := range []string{"", "?", "What is it, and why?", "ſ?K?", "\xff?", "İs it, what?", "and/or\x00?"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range chat.LintQuestion(s, chat.LintContext{}) {
			if p.At < 0 || p.End > len(s) || p.At > p.End || p.Words != s[p.At:p.End] {
				t.Fatalf("LintQuestion(%q) blames %d to %d", s, p.At, p.End)
			}
		}
	})
}
