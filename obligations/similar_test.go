package obligations

import (
	"fmt"
	"testing"
)

// Pairs of questions with the cosine that USE-lite gives them.
var questionPairs = []struct {
	same    bool
	meaning float64
	a, b    string
}{
	{true, 0.75, "What is your budget for this project?", "How much money can you spend on the project?"},
	{true, 0.86, "What happens if the project is late?", "What are the consequences if the project is delayed?"},
	{true, 0.89, "What are the biggest risks you see?", "Which risks worry you most?"},
	{true, 0.82, "Which regulations apply to you?", "What legal rules and regulations do you have to follow?"},
	{true, 0.89, "Who decides whether the project goes ahead?", "Who makes the final decision on the project?"},
	{true, 0.90, "Who has to approve the budget?", "Whose approval does the budget need?"},
	{true, 0.82, "Who will use the system every day?", "Who are the people who will use the system daily?"},
	{true, 0.83, "Who are your main competitors?", "Who do you see as your main competition?"},
	{true, 0.71, "Who needs training before the launch?", "Which people have to be trained before launch?"},
	{true, 0.81, "What data do you already have?", "Which data is available already?"},
	{true, 0.74, "What problem are you trying to solve?", "Which problem should this solve for you?"},
	{true, 0.78, "How will you measure success?", "By what will success be measured?"},
	{true, 0.96, "What should the auditors be able to see?", "What do the auditors need to be able to see?"},
	{true, 0.89, "Which reports do you need every month?", "What monthly reports do you need?"},
	{true, 0.89, "Which languages must the product support?", "What languages does the product have to support?"},
	{true, 0.84, "Are there any security requirements?", "What security requirements are there?"},

	{false, 0.70, "When do you want to launch?", "When do you want to switch the old system off?"},
	{false, 0.78, "What is your budget for marketing?", "What is your budget for development?"},
	{false, 0.84, "How many customers do you have?", "How many employees do you have?"},
	{false, 0.79, "Who are your customers?", "Who are your suppliers?"},
	{false, 0.73, "What is the deadline for the first version?", "What is the deadline for the tender?"},
	{false, 0.82, "What works well today?", "What does not work well today?"},
	{false, 0.70, "Which systems must it connect to?", "Which systems will be replaced?"},
	{false, 0.66, "Who decides on the budget?", "How big is the budget?"},
	{false, 0.60, "What are the biggest risks?", "What are the biggest benefits?"},
	{false, 0.83, "Where are your customers located?", "Where is your company located?"},
	{false, 0.75, "How do customers find you?", "How do customers pay you?"},
	{false, 0.63, "What should the auditors be able to see?", "When do the auditors come?"},
	{false, 0.58, "Which data do you have?", "Where is your data stored?"},
	{false, 0.91, "How long does an order take now?", "How long should an order take in future?"},
	{false, 0.39, "What languages must it support?", "Which countries do you sell in?"},
	{false, 0.83, "How will you measure success?", "When will you measure success?"},
	{false, 0.54, "Who approves the budget?", "Who approves the launch?"},
	{false, 0.90, "Which reports do you need every month?", "Which reports do you need every year?"},
	{false, 0.65, "What should happen to the old data?", "Who owns the old data?"},
	{false, 0.91, "Who may see the reports before the launch?", "Who may see the reports after the launch?"},
}

// at is a vector whose cosine with [1 0] is c.
func at2(c float64) []float32 {
	const ten = 1000
	best, gap := 0, 2.0
	for y := range 4 * ten {
		if got := *cosine([]float32{1, 0}, []float32{1, float32(y) / ten}); max(got-c, c-got) < gap {
			best, gap = y, max(got-c, c-got)
		}
	}
	return []float32{1, float32(best) / ten}
}

func TestNearDuplicates(t *testing.T) {
	t.Parallel()

	for _, tt := range questionPairs {
		t.Run(tt.a+" / "+tt.b, func(t *testing.T) {
			t.Parallel()

			a, b := &Template{Prompt: tt.a, Widget: Text}, &Template{Prompt: tt.b, Widget: Text}
			got := Alike(a, b, Vector{"one", []float32{1, 0}}, Vector{"one", at2(tt.meaning)})
			if got.Same() != tt.same {
				t.Errorf("Alike().Same() = %t, want %t: text %.2f, meaning %.2f, apart %t", got.Same(), tt.same, got.Text, *got.Meaning, got.Apart)
			}
			if back := Alike(b, a, Vector{"one", at2(tt.meaning)}, Vector{"one", []float32{1, 0}}); back.Same() != got.Same() {
				t.Error("the other way round the answer is another")
			}
		})
	}
}

func TestVectorsOfDifferentEncodersAreNotCompared(t *testing.T) {
	t.Parallel()

	a, b := &Template{Prompt: "What are the biggest risks you see?", Widget: Text}, &Template{Prompt: "Which risks worry you most?", Widget: Text}
	one := []float32{1, 0}

	for _, tt := range []struct {
		name   string
		va, vb Vector
		want   bool
	}{
		{"one encoder", Vector{"one", one}, Vector{"one", one}, true},
		{"two encoders", Vector{"one", one}, Vector{"two", one}, false},
		{"one without", Vector{"one", one}, Vector{"one", nil}, false},
		{"other lengths", Vector{"one", one}, Vector{"one", []float32{1, 0, 0}}, false},
	} {
		if got := Alike(a, b, tt.va, tt.vb); (got.Meaning != nil) != tt.want {
			t.Errorf("%s: meaning %v, want one: %t", tt.name, got.Meaning, tt.want)
		}
	}
}

func TestClosedQuestionsOfOtherKindsAreApart(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		a, b Template
		want bool
	}{
		{Template{Widget: Number, Unit: "months"}, Template{Widget: Number, Unit: "people"}, true},
		{Template{Widget: Number, Unit: "months"}, Template{Widget: Date}, true},
		{Template{Widget: Number, Unit: "months"}, Template{Widget: Number, Unit: "months"}, false},
		{Template{Widget: Date}, Template{Widget: Text}, false},
	} {
		tt.a.Prompt, tt.b.Prompt = "How long will it take?", "How long will it take?"
		if got := Alike(&tt.a, &tt.b, Vector{}, Vector{}); got.Apart != tt.want {
			t.Errorf("Alike(%s %s, %s %s).Apart = %t", tt.a.Widget, tt.a.Unit, tt.b.Widget, tt.b.Unit, got.Apart)
		}
	}
}

func ExampleAlike() {
	a, b := &Template{Prompt: "What should the auditors be able to see?", Widget: Text}, &Template{Prompt: "What do the auditors need to be able to see?", Widget: Text}
	fmt.Println(Alike(a, b, Vector{}, Vector{}).Same())
	// Output: true
}
