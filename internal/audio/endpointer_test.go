package audio

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

// talk drives an Endpointer by a script of what happens when, asks it every 20 ms, and
// returns what it decides: "700 end_turn".
func talk(e *Endpointer, until time.Duration, script map[time.Duration]func()) string {
	var out []string
	for now := time.Duration(0); now <= until; now += 20 * ms {
		if happens := script[now]; happens != nil {
			happens()
		}
		if d := e.Decide(now); d.Kind != "" {
			out = append(out, fmt.Sprintf("%d %s", now.Milliseconds(), d.Kind))
		}
	}
	return strings.Join(out, ", ")
}

// says returns a script in which somebody speaks in the given stretches, from and to.
func says(e *Endpointer, stretches ...time.Duration) map[time.Duration]func() {
	script := map[time.Duration]func(){}
	for i := 0; i < len(stretches); i += 2 {
		kind := Resumed
		if i == 0 {
			kind = Began
		}
		from, to := stretches[i], stretches[i+1]
		script[from+100*ms] = func() { e.Detected(Event{kind, from, from + 100*ms}) }
		script[to+200*ms] = func() { e.Detected(Event{Paused, to, to + 200*ms}) }
	}
	return script
}

// hears adds words to a script.
func hears(e *Endpointer, script map[time.Duration]func(), at time.Duration, words string) map[time.Duration]func() {
	before := script[at]
	script[at] = func() {
		if before != nil {
			before()
		}
		e.Heard(words)
	}
	return script
}

func TestPatienceFollowsTheQuestion(t *testing.T) {
	t.Parallel()

	for expected, want := range map[Expected]string{
		ExpectClosed: "1500 end_turn", ExpectFigure: "1700 end_turn", ExpectText: "1900 end_turn",
		ExpectStory: "2400 end_turn", ExpectDictation: "3400 end_turn", "unknown": "1900 end_turn",
	} {
		e := NewEndpointer(EndpointerOptions{})
		e.Expect(expected)
		if got := talk(e, 5*time.Second, says(e, 400*ms, 1000*ms)); got != want {
			t.Errorf("%s: %s, want %s", expected, got, want)
		}
	}
}

func TestUnfinishedSentenceHoldsTheFloor(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ language, words, want string }{
		{"en", "yes", "1500 end_turn"},
		{"en", "yes and um", "3000 end_turn"},
		{"en", "Yes, because", "3000 end_turn"},
		{"en", "Yes, and.", "1500 end_turn"},
		{"en", "well...", "3000 end_turn"},
		{"de", "ja, weil", "3000 end_turn"},
		{"de-AT", "Ja, äh", "3000 end_turn"},
		{"de", "weil es teuer ist", "1500 end_turn"},
		{"fr", "um", "3000 end_turn"},
	} {
		e := NewEndpointer(EndpointerOptions{Language: tt.language})
		e.Expect(ExpectClosed)
		if got := talk(e, 6*time.Second, hears(e, says(e, 400*ms, 1000*ms), 1240*ms, tt.words)); got != tt.want {
			t.Errorf("%s %q: %s, want %s", tt.language, tt.words, got, tt.want)
		}
	}
}

// Who goes on after a pause is in the same turn; words of the rest decide.
func TestTurnGoesOnAfterAPause(t *testing.T) {
	t.Parallel()

	e := NewEndpointer(EndpointerOptions{})
	e.Expect(ExpectClosed)
	script := hears(e, says(e, 400*ms, 1000*ms, 2000*ms, 2600*ms), 1240*ms, "um")
	script = hears(e, script, 2840*ms, "um yes")
	if got := talk(e, 6*time.Second, script); got != "3100 end_turn" {
		t.Errorf("decided: %s", got)
	}
}

func TestPlaybackGoesOnAfterACough(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, words string
		stretches   []time.Duration
		want        string
	}{
		{"cough", "", []time.Duration{400 * ms, 600 * ms}, "500 pause_playback, 1100 resume_playback"},
		{"mhm", "mhm", []time.Duration{400 * ms, 800 * ms}, "500 pause_playback, 1300 resume_playback"},
		{"okay, yes", "Okay, yes.", []time.Duration{400 * ms, 1000 * ms}, "500 pause_playback, 1500 resume_playback"},
		{"no words", "", []time.Duration{400 * ms, 1000 * ms}, "500 pause_playback, 3000 resume_playback"},
		{"stop", "Stop.", []time.Duration{400 * ms, 700 * ms}, "500 pause_playback, 940 interrupt, 1600 end_turn"},
		{"long speech", "", []time.Duration{400 * ms, 2000 * ms}, "500 pause_playback, 1400 interrupt, 2900 end_turn"},
		{"two coughs", "", []time.Duration{400 * ms, 600 * ms, 2000 * ms, 2200 * ms}, "500 pause_playback, 1100 resume_playback, 2100 pause_playback, 2700 resume_playback"},
		{"silence", "", nil, ""},
	} {
		e := NewEndpointer(EndpointerOptions{})
		e.Playing(true, 0)
		script := says(e, tt.stretches...)
		if tt.words != "" {
			script = hears(e, script, 940*ms, tt.words)
		}
		if got := talk(e, 8*time.Second, script); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The same "mhm" answers when nothing is played.
func TestBackchannelIsAnAnswerInSilence(t *testing.T) {
	t.Parallel()

	e := NewEndpointer(EndpointerOptions{})
	e.Expect(ExpectClosed)
	if got := talk(e, 4*time.Second, hears(e, says(e, 400*ms, 800*ms), 1020*ms, "mhm")); got != "1300 end_turn" {
		t.Errorf("decided: %s", got)
	}
	for words, want := range map[string]bool{"": false, "mhm": true, "Aha, okay.": true, "yes, no": false, "yes okay right sure": false, "stop": false} {
		if got := Backchannel("en", words); got != want {
			t.Errorf("Backchannel(%q) = %t", words, got)
		}
	}
}

func TestNobodyAnswers(t *testing.T) {
	t.Parallel()

	e := NewEndpointer(EndpointerOptions{})
	script := map[time.Duration]func(){0: func() { e.Playing(true, 0) }, 3 * time.Second: func() { e.Playing(false, 3*time.Second) }}
	if got := talk(e, 20*time.Second, script); got != "11000 nobody_answers, 19000 nobody_answers" {
		t.Errorf("decided: %s", got)
	}
}

// A turn has an end, and so has each part of it: no speech is lost between two.
func TestLongTurnIsCut(t *testing.T) {
	t.Parallel()

	e := NewEndpointer(EndpointerOptions{LongTurn: 3 * time.Second})
	script := says(e, 0, 7000*ms)
	var turns []Decision
	for now := time.Duration(0); now < 10*time.Second; now += 20 * ms {
		if script[now] != nil {
			script[now]()
		}
		if d := e.Decide(now); d.Kind == EndTurn {
			turns = append(turns, d)
		}
	}
	want := []Decision{{EndTurn, ByLength, 0, 3000 * ms, 3000 * ms}, {EndTurn, ByLength, 3000 * ms, 6000 * ms, 3000 * ms}, {EndTurn, BySilence, 6000 * ms, 7000 * ms, 1000 * ms}}
	if !slices.Equal(turns, want) {
		t.Errorf("turns: %v", turns)
	}
}

// answer is what somebody says in pieces, with pauses between them.
type answer struct {
	expected Expected
	pieces   []string
}

var answers = []answer{
	{ExpectClosed, []string{"yes"}}, {ExpectClosed, []string{"no"}}, {ExpectClosed, []string{"yes", "I think so"}}, {ExpectClosed, []string{"the second one"}},
	{ExpectClosed, []string{"um", "no"}}, {ExpectClosed, []string{"I would say", "four"}}, {ExpectClosed, []string{"yes and", "the third one too"}}, {ExpectClosed, []string{"rather not"}},
	{ExpectFigure, []string{"fifteen"}}, {ExpectFigure, []string{"about", "six hundred euros", "a month"}}, {ExpectFigure, []string{"the end of March"}}, {ExpectFigure, []string{"between", "ten and", "twelve people"}},
	{ExpectText, []string{"small bakeries", "in the south"}}, {ExpectText, []string{"we use", "a spreadsheet for that"}}, {ExpectText, []string{"my colleague", "Peter"}},
	{ExpectStory, []string{"we sell machines", "to small bakeries", "and", "we repair them"}}, {ExpectStory, []string{"orders come by mail", "then somebody types them", "and that takes hours"}},
	{ExpectDictation, []string{"S C H", "M I", "D T"}}, {ExpectDictation, []string{"zero three one", "five five", "two nine"}},
}

// pauses are the pauses within answers, as lognormal distributions: median in seconds, and
// the deviation of the logarithm. Pauses of speech are lognormal, with medians of 0.2 s
// between words of read and 0.5 s of spontaneous speech (Campione and Véronis, A large-scale
// multilingual study of silent pause duration, Speech Prosody 2002). How they grow with
// the task is our assumption; pauses after sounds of thinking and conjunctions are longer.
var pauses = map[Expected][2]float64{
	ExpectClosed: {0.18, 0.4}, ExpectFigure: {0.25, 0.4}, ExpectText: {0.32, 0.45}, ExpectStory: {0.5, 0.45}, ExpectDictation: {0.65, 0.45},
}

var thinking = [2]float64{0.6, 0.45}

// recogniser is after which time the words of a piece are known.
const recogniser = 300 * ms

// simulate plays an answer with pauses to a Detector and an Endpointer. It returns whether
// the turn was ended before the answer was, and else how long after it.
func simulate(t *testing.T, s sounds, a answer, noise float64) (cut bool, waited time.Duration) {
	t.Helper()
	stream := silence(time.Second)
	known := map[time.Duration]string{}
	for i, piece := range a.pieces {
		stream = append(stream, spoken(t, piece)...)
		words := strings.Join(a.pieces[:i+1], " ")
		known[(Duration(len(stream), Rate) + recogniser).Truncate(20*ms)] = words
		if i == len(a.pieces)-1 {
			break
		}
		p := pauses[a.expected]
		if HoldsFloor("en", words) {
			p = [2]float64{max(thinking[0], p[0]), thinking[1]}
		}
		stream = append(stream, silence(time.Duration(p[0]*math.Exp(p[1]*s.NormFloat64())*float64(time.Second)))...)
	}
	finished := Duration(len(stream), Rate)
	stream = append(stream, silence(6*time.Second)...)
	stream = mixed(stream, s.pink(4*Rate, noise))

	d, _ := NewDetector(20 * ms)
	e := NewEndpointer(EndpointerOptions{})
	e.Expect(a.expected)
	for ; len(stream) >= d.FrameSize(); stream = stream[d.FrameSize():] {
		v, err := d.Write(stream[:d.FrameSize()])
		if err != nil {
			t.Fatal(err)
		}
		e.Detected(v)
		if words, ok := known[d.Position()]; ok {
			e.Heard(words)
		}
		if decided := e.Decide(d.Position()); decided.Kind == EndTurn {
			return d.Position() < finished, d.Position() - finished
		}
	}
	t.Fatalf("%v never ended", a.pieces)
	return true, 0
}

// Answers with pauses in them are seldom cut off, and closed ones are taken soon.
func TestEndpointing(t *testing.T) {
	t.Parallel()

	const each = 25
	s := newSounds(11)
	order := []Expected{ExpectClosed, ExpectFigure, ExpectText, ExpectStory, ExpectDictation}
	turns, cuts, waits := map[Expected]int{}, map[Expected]int{}, map[Expected][]time.Duration{}
	for _, a := range answers {
		for range each {
			cut, waited := simulate(t, s, a, -50)
			turns[a.expected]++
			if cut {
				cuts[a.expected]++
			} else {
				waits[a.expected] = append(waits[a.expected], waited)
			}
		}
	}
	t.Log("expected    turns  cut off  median wait  95 %")
	all, allCuts := 0, 0
	for _, x := range order {
		slices.Sort(waits[x])
		median, late := waits[x][len(waits[x])/2], waits[x][len(waits[x])*95/100]
		t.Logf("%-10s %6d  %5.1f %%  %8d ms  %d ms", x, turns[x], 100*float64(cuts[x])/float64(turns[x]), median.Milliseconds(), late.Milliseconds())
		all, allCuts = all+turns[x], allCuts+cuts[x]
		if x == ExpectClosed && (median > 700*ms || cuts[x]*100 > 3*turns[x]) {
			t.Errorf("closed answers wait %s, and %d of %d are cut off", median, cuts[x], turns[x])
		}
	}
	t.Logf("%-10s %6d  %5.1f %%", "all", all, 100*float64(allCuts)/float64(all))
	if allCuts*100 > 3*all {
		t.Errorf("%d of %d turns are cut off", allCuts, all)
	}
}
