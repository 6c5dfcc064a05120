package reading

import (
	"testing"

	"quaestor/chat/chattest"
)

// "Invoice 30 days" was paid by the day, and "sorry" a way to pay.
func TestWordsBesideChoices(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 10)

	held := [][2]string{{"business_overview", `"we bake bread"`}, {"offering_type", `"physical_products"`}}
	checkTold(m, "business_profile", held, []told{
		{"revenue_model", "Shops pay by invoice 30 days. Online would be card", `revenue_model=["Shops pay by invoice 30 days","Online would be card"]`},
		{"revenue_model", "sorry, long day. they pay card or cash at the window, and catering jobs are a flat fee", `revenue_model=["project_fees","card","cash at the window"]`},
		{"revenue_model", "they buy stuff in the shop day to day", ""},
		{"revenue_model", "sorry, busy day. card at the till mostly", `revenue_model=["card at the till mostly"]`},
		{"revenue_model", "Sorry, it's been a very long week! By the hour", `revenue_model=["hourly_or_daily"]`},
		{"revenue_model", "sorry, card mostly", `revenue_model=["card mostly"]`},
		{"revenue_model", "most of them pay by card", `revenue_model=["card"]`},
		{"revenue_model", "sorry for the delay, busy week. subscriptions", `revenue_model=["subscription"]`},
		{"revenue_model", "by the hour or day", `revenue_model=["hourly_or_daily"]`},
		{"revenue_model", "by the hour", `revenue_model=["hourly_or_daily"]`},
		{"revenue_model", "by the day", `revenue_model=["hourly_or_daily"]`},
		{"revenue_model", "per day", `revenue_model=["hourly_or_daily"]`},
		{"revenue_model", "day", `revenue_model=["hourly_or_daily"]`},
		{"revenue_model", "we charge 300 a day", `revenue_model=["hourly_or_daily"]`},
		{"revenue_model", "£30 an hour and a monthly fee", `revenue_model=["hourly_or_daily","subscription"]`},
		{"revenue_model", "a day rate", `revenue_model=["hourly_or_daily"]`},
		{"revenue_model", "a flat fee for a day out", `revenue_model=["project_fees"]`},
		{"revenue_model", "they pay by the job", `revenue_model=["by the job"]`},
		{"sales_channels", "they find us on Google", `sales_channels=["Google"]`},
	})
}

// "Nothing, but I talked to my neighbours" kept the nothing.
func TestNothingBut(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 6)

	checkTold(m, "idea_discovery", nil, []told{
		{"validation_so_far", "nothing really, just talked to a few friends", `validation_so_far=["conversations"]`},
		{"validation_so_far", "Nothing formal, but I talked to my neighbours and did a small survey", `validation_so_far=["conversations","survey"]`},
		{"validation_so_far", "nothing except a survey", `validation_so_far=["survey"]`},
		{"validation_so_far", "nothing other than a survey", `validation_so_far=["survey"]`},
		{"validation_so_far", "nothing apart from a sketch", `validation_so_far=["prototype"]`},
		{"validation_so_far", "a survey, nothing else", `validation_so_far=["survey"]`},
		{"validation_so_far", "nothing I would call research, but I spoke to twenty parents", `validation_so_far=["conversations"]`},
		{"validation_so_far", "nothing yet", `validation_so_far=["nothing"]`},
		{"validation_so_far", "nothing so far", `validation_so_far=["nothing"]`},
		{"validation_so_far", "nothing yet, but we are planning a survey", `validation_so_far=["nothing"]`},
		{"validation_so_far", "nothing yet. I want to make a prototype next", `validation_so_far=["nothing"]`},
		{"validation_so_far", "nothing yet, no survey and no interviews", `validation_so_far=["nothing"]`},
		{"validation_so_far", "a survey, but no interviews", `validation_so_far=["survey"]`},
		{"validation_so_far", "I asked friends, and we plan a survey", `validation_so_far=["conversations","survey"]`},
	})
	checkTold(m, "project_discovery", nil, []told{
		{"data_kinds", "nothing sensitive, just names and addresses", `data_kinds=["contact_details"]`},
		{"data_kinds", "nothing sensitive", `data_kinds=["none"]`},
		{"data_kinds", "none", `data_kinds=["none"]`},
		{"data_kinds", "none of these except bank details", `data_kinds=["payment"]`},
		{"data_kinds", "everything except bank details", `data_kinds=["contact_details","health","children","staff","identity","location","trade_secrets"]`},
	})
}
