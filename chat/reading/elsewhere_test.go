package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
)

// What cannot be the answer was taken for it: forty cafés as an industry, an amount as a
// kind of offer, a plot for a pilot.
func TestWhatCannotBeTheAnswerIsNotTaken(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 7)

	checkTold(m, "business_profile", nil, []told{
		{"industry", "About 40 cafes buy from us", ""},
		{"industry", "12 of us work here and we deliver to 40 cafes", "team_size=12+"},
		{"industry", "We are in food and drink", `industry="We are in food and drink"`},
		{"industry", "24-hour childcare", `industry="24-hour childcare"`},
		{"industry", "3D printing", `industry="3D printing"`},
		{"industry", "It's food I suppose. Baking.", `industry="food. Baking"~`},
		{"offering_type", "around six hundred thousand a year", "annual_revenue=600000~+"},
		{"offering_type", "bread and pastries", `offering_type="bread and pastries"`},
		{"revenue_model", "in March 2027", ""},
		{"revenue_model", "20k", ""},
		{"sales_channels", "Instagram and 3 market stalls", `sales_channels=["Instagram","3 market stalls"]`},
	})
	checkTold(m, "idea_discovery", nil, []told{
		{"validation_so_far", "talked to 8 people on my site and stuck one sensor in my own plot", `validation_so_far=["conversations","stuck one sensor in my own plot"]`},
		{"validation_so_far", "a prototpye", `validation_so_far=["prototype"]`},
	})
	d := chattest.Shipped(m, "business_profile")
	if u := understand(m, chattest.SceneIn(d, "industry", "About 40 cafes buy from us")); u.Intent != chat.Unclear {
		m.Errorf("it is %s, want unclear", u.Intent)
	}
}

// A workshop "with 6 people" has a team of six.
func TestPeopleSomebodyWorksWith(t *testing.T) {
	t.Parallel()

	checkTold(t, "business_profile", nil, []told{
		{"business_overview", "We repair bicycles from a workshop near the station, with 6 people", `business_overview="We repair bicycles from a workshop near the station"; team_size=6+`},
		{"target_market", "small firms, with 6 people or so", `target_market="small firms, with 6 people"~`},
	})
}
