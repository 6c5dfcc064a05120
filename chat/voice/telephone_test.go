package voice

import (
	"strings"
	"testing"
	"time"

	"quaestor/internal/audio"
	"quaestor/internal/speech"
)

// overTelephone are answers that flite says.
var overTelephone = []string{"We bake bread", "There are twelve people in the team", "In the street", "It is forty five percent", "Our biggest problem is the price of flour",
	"We sell machines to small companies", "Most of our customers are hotels", "The company was founded in nineteen ninety eight", "We want to open a second shop next year", "My name is Peter",
	"About three hundred thousand a year", "We repair old furniture", "The orders come by mail and somebody types them", "It takes two days", "Yes that is right",
	"No I do not think so", "We have nine employees", "They pay by card", "Our main competitor is a large chain", "I would like to spend less time on paper work"}

// telephoned returns what a telephone leaves of sound at [audio.Rate].
func telephoned(b *testing.B, samples []int16) []int16 {
	b.Helper()
	down, err := audio.NewResampler(audio.Rate, 8000)
	if err != nil {
		b.Fatal(err)
	}
	up, err := audio.NewResampler(8000, audio.Rate)
	if err != nil {
		b.Fatal(err)
	}
	narrow := audio.DecodeMuLaw(nil, audio.EncodeMuLaw(nil, down.Flush(down.Resample(nil, samples))))
	return up.Flush(up.Resample(nil, narrow))
}

// BenchmarkTelephoneWords measures of how many words pocketsphinx hears another, or none, when
// flite says them: as they are, over a telephone, and with [audio.Widened] after that.
func BenchmarkTelephoneWords(b *testing.B) {
	v := speech.New(speech.Options{Limit: 5 * time.Minute}).In("en")
	if v.Speaks() == "" || v.Hears() == "" {
		b.Fatal("flite or pocketsphinx is not installed")
	}
	wrong, words := map[string]int{}, 0
	for b.Loop() {
		for _, text := range overTelephone {
			said := strings.Fields(strings.ToLower(text))
			words += len(said)
			wav, err := v.Speak(b.Context(), text+".")
			if err != nil {
				b.Fatal(err)
			}
			sound, rate, err := audio.ReadWAV(wav)
			if err != nil || rate != audio.Rate {
				b.Fatalf("flite speaks at %d Hz: %v", rate, err)
			}
			pause := make([]int16, audio.Rate*3/10)
			sound = append(append(pause, sound...), pause...)
			narrow := telephoned(b, sound)
			for name, s := range map[string][]int16{"as it is": sound, "telephone": narrow, "widened": audio.Widened(narrow)} {
				heard, err := v.Hear(b.Context(), audio.WAV(s, audio.Rate))
				if err != nil {
					b.Fatal(err)
				}
				wrong[name] += distance(said, strings.Fields(strings.ToLower(heard)))
			}
		}
	}
	for name, n := range wrong {
		b.Logf("%s: %.0f %% of the words are wrong", name, 100*float64(n)/float64(words))
	}
}

// distance is how many words have to be put in, taken out or replaced to make b of a.
func distance(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		corner := row[0]
		row[0] = i + 1
		for j := range b {
			same := corner
			if a[i] != b[j] {
				same++
			}
			corner, row[j+1] = row[j+1], min(same, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
