package inquiry_test

import (
	"testing"

	"quaestor/research/warehouse/inquiry"
)

func TestChosen(t *testing.T) {
	t.Parallel()

	names := []string{"Erp", "Flat orders", "Bike shop"}
	const offer = "Your question fits more than one warehouse equally well (“Bike shop, Flat orders”). Say in which one I shall look."
	for said, want := range map[string]string{
		"Bike shop": "Bike shop", "bike shop, please": "Bike shop", "In our Bike shop warehouse": "Bike shop", "I mean the Flat orders": "Flat orders", "the flat one": "Flat orders",
		"the first one": "Bike shop", "die zweite bitte": "Flat orders", "Im Bike shop": "Bike shop",
		"Erp": "", "We sell bikes in our Bike shop": "", "yes": "", "": "", "both": "", "the third": "",
	} {
		if got := inquiry.Chosen(said, offer, names); got != want {
			t.Errorf("Chosen(%q) = %q, want %q", said, got, want)
		}
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"orders of the bike shop last week": "Bike shop", "enterprise revenue": "", "revenue, Erp archive": "Erp archive", "revenue in ERP?": "Erp",
	} {
		if got := inquiry.Named(text, []string{"Erp", "Erp archive", "Bike shop"}); got != want {
			t.Errorf("Named(%q) = %q, want %q", text, got, want)
		}
	}
}
