package eval_test

import (
	"bytes"
	"io"
	"os"
	"testing"

	"quaestor/chat/eval"
	"quaestor/chat/rules"
	"quaestor/internal/embedding"
	"quaestor/internal/listening"
	"quaestor/internal/listening/dialogs"
)

// TestTalks has the people of the held-out dialogs talk with the rules, without the text
// encoder, and holds the measures to what they were: they may rise, not fall.
// QUAESTOR_ENCODER names the encoder's folder to measure with it; TALKS a folder for the
// talks.
func TestTalks(t *testing.T) {
	t.Parallel()

	var encoder *embedding.Lite
	if dir := os.Getenv("QUAESTOR_ENCODER"); dir != "" {
		encoder = embedding.NewLite(dir)
	}
	for _, x := range []struct {
		language                  string
		faults, remarks, answered float64
	}{{"en", 0.345, 0.033, 0.80}, {"de", 0.40, 0.02, 0.85}} {
		var talks io.Writer
		if dir := os.Getenv("TALKS"); dir != "" {
			f, err := os.Create(dir + "/talks-" + x.language + ".md")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = f.Close() })
			talks = f
		}
		sum, err := eval.RunTalks(t.Context(), dialogs.HeldOut, "heldout-"+x.language+"/*.txt", rules.New(listening.New(encoder)), talks)
		if err != nil {
			t.Fatal(err)
		}
		var page bytes.Buffer
		if err := sum.Markdown(&page); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %s", x.language, page.String())
		if got := sum.FaultsPerTurn(); got > x.faults {
			t.Errorf("%s: %.1f %% of turns have a fault; it was %.1f", x.language, 100*got, 100*x.faults)
		}
		if got := sum.Counts.StoredRemarks(); got > x.remarks {
			t.Errorf("%s: %.1f %% of remarks became an answer; it was %.1f", x.language, 100*got, 100*x.remarks)
		}
		if got := sum.Counts.AnsweredQuestions(); got < x.answered {
			t.Errorf("%s: %.1f %% of questions were answered; it was %.1f", x.language, 100*got, 100*x.answered)
		}
	}
}
