package objectives

import "testing"

func TestQuestionOf(t *testing.T) {
	t.Parallel()

	for title, want := range map[string]string{
		"What you sell, and to whom":               "Can you tell me what you sell, and to whom?",
		"From which state on an order counts":      "Can you tell me from which state on an order counts?",
		"Up to how many minutes late is on time":   "Can you tell me up to how many minutes late is on time?",
		"Does the warehouse hold costs?":           "Does the warehouse hold costs?",
		"Which figures should become better?":      "Which figures should become better?",
		"What does “plus” mean here??":             "What does “plus” mean here?",
		"Countries and currencies":                 "What are the countries and currencies?",
		"Figures you steer by, with targets":       "What are the figures you steer by, with targets?",
		"Campaigns, sales, outages and their date": "What are the campaigns, sales, outages and their date?",
		"The game in two sentences":                "What is the game in two sentences?",
		"Delivery address":                         "What is the delivery address?",
		"Order status":                             "What is the order status?",
		"Tax basis":                                "What is the tax basis?",
		"Wie Retouren erfasst werden":              "Können Sie mir sagen, wie Retouren erfasst werden?",
		"Wer kauft?":                               "Wer kauft?",
		"Island":                                   "What is the island?",
		"Whole amount":                             "What is the whole amount?",
	} {
		if got := questionOf(title); got != want {
			t.Errorf("questionOf(%q) = %q, want %q", title, got, want)
		}
	}
}
