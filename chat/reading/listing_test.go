package reading

import (
	"testing"

	"quaestor/chat/chattest"
)

// "The website and now Instagram" had a channel called "now Instagram", and what stood after
// another fact was lost.
func TestListsAreTakenWhole(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 9)

	checkTold(m, "business_profile", nil, []told{
		{"sales_channels", "our shop, the website and now the parish magazine", `sales_channels=["own_premises","own_website","the parish magazine"]`},
		{"sales_channels", "word of mouth mostly, then the choir, now also the parish magazine", `sales_channels=["word_of_mouth","the choir","the parish magazine"]`},
		{"sales_channels", "word of mouth and the local paper too", `sales_channels=["word_of_mouth","the local paper"]`},
		{"sales_channels", "through our shop and increasingly via the tourist office", `sales_channels=["own_premises","the tourist office"]`},
		{"sales_channels", "word of mouth is the main one, we also have a sign on the road", `sales_channels=["word_of_mouth","a sign on the road"]`},
		{"sales_channels", "The shop, our budget is 20k, and fairs", `sales_channels=["own_premises","events"]; budget=20000`},
		{"revenue_model", "one-off sales, now and then a subscription", `revenue_model=["one_off_sales","subscription"]`},
		{"revenue_model", "by the job and sometimes by the hour", `revenue_model=["hourly_or_daily","by the job"]`},
		{"sales_channels", "word of mouth, the choir, my son does that", `sales_channels=["word_of_mouth","the choir"]`},
		{"sales_channels", "now", ""},
		{"sales_channels", "on the phone", `sales_channels=["on the phone"]`},
	})
}
