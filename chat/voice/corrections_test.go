package voice

import (
	"strings"
	"testing"
	"time"

	"quaestor/internal/audio"
	"quaestor/internal/prerequisite"
	"quaestor/internal/speech"
	"quaestor/internal/spoken"
)

// correction is a value that was misheard, and how somebody corrects it aloud.
type correction struct {
	kind       spoken.Kind
	held, said string
	want       string
}

var corrections = []correction{
	{spoken.Figure, "15", "no, fifty, not fifteen", "50"},
	{spoken.Figure, "50", "no, fifteen, not fifty", "15"},
	{spoken.Figure, "15", "not fifteen, fifty", "50"},
	{spoken.Figure, "30", "no, it's thirteen", "13"},
	{spoken.Figure, "13", "no, thirty, not thirteen", "30"},
	{spoken.Figure, "2090", "it's two thousand nineteen", "2019"},
	{spoken.Figure, "19", "no, ninety", "90"},
	{spoken.Figure, "40", "sorry, fourteen", "14"},
	{spoken.Figure, "600", "no, six hundred fifty", "650"},
	{spoken.Figure, "17", "not seventeen but seventy", "70"},
	{spoken.Name, "Schmitt", "no, Schmidt with d t", "Schmidt"},
	{spoken.Name, "Meier", "no, it's with a y", "Meyer"},
	{spoken.Name, "Meier", "no, M A Y E R", "Mayer"},
	{spoken.Name, "Stefan", "with p h", "Stephan"},
	{spoken.Phone, "0315529", "not five five, five nine", "0315929"},
	{spoken.Phone, "0317755", "no, nine nine, not seven seven", "0319955"},
	{spoken.Date, "2027-03-31", "no, not the thirty first, the thirtieth", "2027-03-30"},
	{spoken.Date, "2027-03-30", "no, in May", "2027-05-30"},
	{spoken.Date, "2027-04-12", "no, the twelfth of February", "2027-02-12"},
	{spoken.Date, "2027-06-05", "not June, July", "2027-07-05"},
}

// correctedAloud returns what becomes of a correction that flite says and pocketsphinx hears:
// the value, which is read back again; or nothing where it is asked once more; and what was
// heard.
func correctedAloud(t testing.TB, voice *speech.Voice, c correction) (value, heard string) {
	t.Helper()
	wav, err := voice.Speak(t.Context(), c.said)
	if err != nil {
		t.Fatal(prerequisite.Missing(prerequisite.Speech, err))
	}
	sound, rate, err := audio.ReadWAV(wav)
	if err != nil || rate != audio.Rate {
		t.Fatalf("%d Hz, %v", rate, err)
	}
	pad := make([]int16, audio.Rate*3/10)
	sound = append(append(pad, sound...), pad...)
	texts, err := voice.Transcripts(t.Context(), audio.WAV(sound, audio.Rate), speech.Hearing{Alternatives: alternatives, Grammar: spoken.Grammar("en", c.held, c.kind), Names: strings.Fields(c.held)})
	if err != nil {
		t.Fatal(prerequisite.Missing(prerequisite.Speech, err))
	}
	if len(texts) == 0 {
		return "", ""
	}
	heard = texts[spoken.Choose("en", texts, spoken.Wanted{Kind: spoken.Choice, Held: c.held, HeldKind: c.kind, Now: time.Now()})]
	if corrected, ok := spoken.Corrected("en", c.held, heard, c.kind); ok {
		return corrected, heard
	}
	return "", heard
}

// What sounds alike is told apart where a recogniser knows what may come.
func TestCorrectionsAreHeard(t *testing.T) {
	t.Parallel()
	prerequisite.Need(t, prerequisite.Speech)

	voice := speech.New(speech.Options{})
	for _, c := range []correction{corrections[1], corrections[4]} {
		if got, heard := correctedAloud(t, voice, c); got != c.want {
			t.Errorf("%s, corrected by %q, which was heard as %q, is %q; want %q", c.held, c.said, heard, got, c.want)
		}
	}
}

// BenchmarkCorrections tells what becomes of twenty spoken corrections.
func BenchmarkCorrections(b *testing.B) {
	voice := speech.New(speech.Options{})
	for b.Loop() {
		right, asked, wrong := 0, 0, 0
		for _, c := range corrections {
			got, heard := correctedAloud(b, voice, c)
			switch got {
			case c.want:
				right++
			case "":
				asked++
			default:
				wrong++
			}
			b.Run(c.said, func(b *testing.B) {
				b.Logf("%s heard as %q: %q, want %q", c.held, heard, got, c.want)
			})
		}
		b.ReportMetric(float64(right), "right")
		b.ReportMetric(float64(asked), "asked-again")
		b.ReportMetric(float64(wrong), "read-back-wrong")
	}
}
