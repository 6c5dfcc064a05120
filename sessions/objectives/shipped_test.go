package objectives_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// eachShipped runs test once for every shipped objective.
func eachShipped(t *testing.T, test func(t *testing.T, d objectives.Definition)) {
	t.Helper()
	for _, d := range objectives.Shipped() {
		t.Run(d.ContextType, func(t *testing.T) {
			t.Parallel()

			test(t, d)
		})
	}
}

func TestShippedOrder(t *testing.T) {
	t.Parallel()

	var got []string
	for _, d := range objectives.Shipped() {
		got = append(got, d.ContextType)
	}

	want := []string{"business_profile", "idea_discovery", "project_discovery"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Shipped() (-want +got):\n%s", diff)
	}
}

func TestShippedListIsTheCallers(t *testing.T) {
	t.Parallel()

	list := objectives.Shipped()
	list[0] = objectives.Definition{}

	if got := objectives.Shipped()[0].ContextType; got != "business_profile" {
		t.Errorf("after a caller changed its list, Shipped()[0] is %q", got)
	}
}

func TestShippedJSON(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, in string
		want     bool
	}{
		{"shipped", "idea_discovery", true},
		{"unknown", "wedding_planning", false},
		{"empty", "", false},
		{"with extension", "idea_discovery.json", false},
		{"path out of the folder", "../objectives/idea_discovery", false},
		{"capitals", "Idea_Discovery", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			data, ok := objectives.ShippedJSON(tt.in)

			if ok != tt.want || ok != json.Valid(data) {
				t.Errorf("ShippedJSON(%q) = %d bytes, %v, want %v", tt.in, len(data), ok, tt.want)
			}
		})
	}
}

func TestShippedAreValid(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		data, _ := objectives.ShippedJSON(d.ContextType)
		parsed, err := objectives.ParseDefinition(data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, parsed); diff != "" {
			t.Errorf("Shipped and ShippedJSON differ:\n%s", diff)
		}
		if n := len(d.Obligations); n < 12 || n > 25 {
			t.Errorf("%d obligations, want 12 to 25", n)
		}
		if n := len(d.Completion.Required); n < 4 || n > 7 {
			t.Errorf("%d required obligations, want 4 to 7", n)
		}
		if n := len(categories(d)); n < 4 || n > 6 {
			t.Errorf("%d categories, want 4 to 6", n)
		}
		if d.Budget.Turns < 2*len(d.Obligations) {
			t.Errorf("%d turns do not allow for asking each of %d twice", d.Budget.Turns, len(d.Obligations))
		}
	})
}

func categories(d objectives.Definition) map[string]int {
	out := map[string]int{}
	for _, o := range d.Obligations {
		out[o.Category]++
	}
	return out
}

func TestShippedUseEveryWidgetAndWayOfCollecting(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		widgets, ways := map[obligations.Widget]int{}, map[obligations.Collection]int{}
		for _, o := range d.Obligations {
			widgets[o.Widget]++
			ways[o.Collection]++
		}

		if len(widgets) != 5 || len(ways) != 3 {
			t.Errorf("widgets %v, ways of collecting %v; want all five and all three", widgets, ways)
		}
		if ways[obligations.DirectQuestion] < len(d.Obligations)-4 {
			t.Errorf("ways of collecting %v; most should be asked directly", ways)
		}
	})
}

// TestShippedWording holds every text that is said to the rules of a reply: one
// question mark in a question, none elsewhere, no exclamation.
func TestShippedWording(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		for _, o := range d.Obligations {
			for _, q := range append([]string{o.Prompt}, d.Pools[o.PoolID]...) {
				wantMarks(t, o.Key, q, 1)
			}
			wantMarks(t, o.Key+" why", o.Why, 0)
			if !strings.HasPrefix(o.Why, "So that ") {
				t.Errorf("why of %s does not begin with \"So that\": %q", o.Key, o.Why)
			}
		}
		wantMarks(t, "greeting", d.Greeting, 0)
		for _, p := range []sessions.Phase{sessions.Opening, sessions.Exploration, sessions.Validation, sessions.Closing} {
			c := p.In(d.Phases)
			wantMarks(t, string(p)+" goal", c.Goal, 0)
			if c.Entry != "" || p != sessions.Opening {
				wantMarks(t, string(p)+" entry", c.Entry, 0)
			}
		}
	})
}

func wantMarks(t *testing.T, what, text string, marks int) {
	t.Helper()
	if strings.TrimSpace(text) == "" || strings.Contains(text, "!") || strings.Count(text, "?") != marks {
		t.Errorf("%s: want a text with %d question marks and no exclamation, got %q", what, marks, text)
	}
}

func TestShippedObligationsAreComplete(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		for _, o := range d.Obligations {
			pool := slices.Compact(slices.Sorted(slices.Values(append([]string{o.Prompt}, d.Pools[o.PoolID]...))))
			for what, missing := range map[string]bool{
				"a label":                       o.Label == "",
				"a category":                    o.Category == "",
				"a follow-up":                   o.FollowUpStrategy == "",
				"cues":                          len(o.Cues) == 0,
				"two to four examples":          len(o.Examples) < 2 || len(o.Examples) > 4,
				"two other wordings":            len(pool) < 3,
				"choices only where they fit":   (len(o.Choices) > 0) != (o.Widget == obligations.ChoiceOne || o.Widget == obligations.MultiSelect),
				"a unit and a least number":     o.Widget == obligations.Number && (o.Unit == "" || o.Min == nil),
				"a kind of research":            o.Collection == obligations.Research && o.ResearchType == "",
				"an expert for what we look up": o.Collection == obligations.Research && o.ExpertiseRequired == "",
			} {
				if missing {
					t.Errorf("%s lacks %s", o.Key, what)
				}
			}
		}
	})
}

// TestShippedPoolsAreUsed finds wordings nobody would ever hear.
func TestShippedPoolsAreUsed(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		used := map[string]int{}
		for _, o := range d.Obligations {
			used[o.PoolID]++
		}
		for id := range d.Pools {
			if used[id] != 1 {
				t.Errorf("pool %q is used by %d obligations, want 1", id, used[id])
			}
		}
	})
}

// TestShippedChoicesAreDistinct makes sure that no word stands for two choices of
// one obligation: an answer would be read by chance.
func TestShippedChoicesAreDistinct(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		for _, o := range d.Obligations {
			owner := map[string]string{}
			for _, c := range o.Choices {
				if len(c.Synonyms) < 3 {
					t.Errorf("%s: %q has %d synonyms, want at least 3", o.Key, c.Value, len(c.Synonyms))
				}
				for _, word := range words(c) {
					if first, ok := owner[word]; ok && first != c.Value {
						t.Errorf("%s: %q stands for both %q and %q", o.Key, word, first, c.Value)
					}
					owner[word] = c.Value
				}
				if n := slices.Compact(slices.Sorted(slices.Values(c.Synonyms))); len(n) != len(c.Synonyms) {
					t.Errorf("%s: %q repeats a synonym", o.Key, c.Value)
				}
			}
		}
	})
}

// words returns all that names c, folded: its value in words, its label, its
// synonyms.
func words(c obligations.Choice) []string {
	out := []string{strings.ReplaceAll(c.Value, "_", " "), strings.ToLower(c.Label)}
	for _, s := range c.Synonyms {
		out = append(out, strings.ToLower(s))
	}
	return out
}

// TestShippedCuesAreDistinct makes sure that a cue is lower case and announces
// one obligation only.
func TestShippedCuesAreDistinct(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		owner := map[string]string{}
		for _, o := range d.Obligations {
			for _, cue := range o.Cues {
				if cue != strings.ToLower(strings.TrimSpace(cue)) || cue == "" {
					t.Errorf("%s: the cue %q is not trimmed lower case", o.Key, cue)
				}
				if first, ok := owner[cue]; ok {
					t.Errorf("the cue %q announces both %s and %s", cue, first, o.Key)
				}
				owner[cue] = o.Key
			}
		}
	})
}

// TestShippedExamplesSatisfy makes sure that what we offer as an example would be
// taken as an answer.
func TestShippedExamplesSatisfy(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		for _, o := range d.Obligations {
			for _, example := range o.Examples {
				switch o.Widget {
				case obligations.Text:
					wantSatisfied(t, d, o.Key, example)
				case obligations.ChoiceOne, obligations.MultiSelect:
					if !o.AllowOther && !namesChoice(o, example) {
						t.Errorf("%s: the example %q names none of its choices", o.Key, example)
					}
				case obligations.Number:
					if !strings.ContainsAny(example, "0123456789") {
						t.Errorf("%s: the example %q holds no number", o.Key, example)
					}
				case obligations.Date:
				default:
					t.Errorf("%s has the unknown widget %q", o.Key, o.Widget)
				}
			}
		}
	})
}

func wantSatisfied(t *testing.T, d objectives.Definition, key, text string) {
	t.Helper()
	list := begin(d)
	value, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	list = tell(list, key, value, 1)
	if o := obligations.Find(list, key); o.Status != obligations.Satisfied {
		t.Errorf("%s is %s after its example %q, want satisfied", key, o.Status, text)
	}
}

func namesChoice(o obligations.Template, text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(o.Choices, func(c obligations.Choice) bool {
		return slices.ContainsFunc(words(c), func(w string) bool { return strings.Contains(w, text) || strings.Contains(text, w) })
	})
}

func TestShippedOpensWithAnInvitation(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		ranked := obligations.Rank(begin(d), obligations.SelectionContext{})
		first := ranked[0]

		if first.Obligation.Widget != obligations.Text || first.Obligation.Collection != obligations.DirectQuestion {
			t.Errorf("the first question is %s, a %s", first.Obligation.Key, first.Obligation.Widget)
		}
		if obligations.Form(ranked) != nil {
			t.Error("the conversation opens with a form")
		}
		if len(ranked) < 2 {
			t.Error("nothing else can be asked when the first question is put off")
		}
	})
}

// TestShippedInterview answers every question in turn, plainly and for certain.
// With -v it prints the interview.
func TestShippedInterview(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		list, phase := begin(d), sessions.Opening
		visited := []sessions.Phase{phase}
		for turn := 1; ; turn++ {
			o, ok := obligations.Next(list)
			if !ok {
				break
			}
			if turn > len(d.Obligations) {
				t.Fatalf("turn %d asks %s again", turn, o.Key)
			}
			wantReady(t, list, o)
			list = tell(list, o.Key, answerTo(t, *o.Template), turn)
			wantKnown(t, list, o.Key)
			phase = sessions.PhaseFor(d.Completion.Score(list).Progress, phase)
			visited = append(visited, phase)
			t.Logf("%2d %-11s %-20s %s", turn, phase, o.Category, o.Prompt)
		}

		got := d.Completion.Score(list)
		if !got.Met || got.Satisfied != got.Total || got.Progress != 1 {
			t.Errorf("at the end the interview stands at %+v, want all satisfied and the criteria met", got)
		}
		want := []sessions.Phase{sessions.Opening, sessions.Exploration, sessions.Validation, sessions.Closing}
		if diff := cmp.Diff(want, slices.Compact(visited)); diff != "" {
			t.Errorf("phases (-want +got):\n%s", diff)
		}
	})
}

func wantReady(t *testing.T, list []obligations.Obligation, o obligations.Obligation) {
	t.Helper()
	for _, key := range o.Dependencies {
		if !obligations.Find(list, key).Resolved() {
			t.Errorf("%s is asked before %s, which it depends on", o.Key, key)
		}
	}
}

func wantKnown(t *testing.T, list []obligations.Obligation, key string) {
	t.Helper()
	if o := obligations.Find(list, key); o.Status != obligations.Satisfied || o.Confidence != obligations.Of(0.92) {
		t.Fatalf("%s is %s at %s after a plain answer, want satisfied at 0.92", key, o.Status, o.Confidence)
	}
}

// TestShippedFormsSaveTurns walks the interview as the chat does, with compact
// forms: there is one at least, after the talk has begun, and it saves turns.
func TestShippedFormsSaveTurns(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		list, forms, turn := begin(d), 0, 0
		for {
			ranked := obligations.Rank(list, obligations.SelectionContext{})
			if len(ranked) == 0 {
				break
			}
			turn++
			asked := obligations.Form(ranked)
			if asked == nil {
				asked = ranked[:1]
			} else if forms++; turn < 4 {
				t.Errorf("a form appears at turn %d already", turn)
			}
			t.Logf("%2d %s", turn, strings.Join(keysOf(asked), ", "))
			for _, key := range keysOf(asked) {
				list = tell(list, key, answerTo(t, *obligations.Find(list, key).Template), turn)
			}
		}

		if forms == 0 || turn > len(d.Obligations)-2*forms {
			t.Errorf("%d forms, %d turns for %d obligations", forms, turn, len(d.Obligations))
		}
	})
}

func keysOf(list []obligations.Candidate) []string {
	keys := make([]string, len(list))
	for i, c := range list {
		keys[i] = c.Obligation.Key
	}
	return keys
}

// TestShippedBriefInterview answers only what is required; the rest does not
// apply. The objective is complete all the same and closing is reached.
func TestShippedBriefInterview(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		list := begin(d)
		for turn := 1; turn <= len(d.Obligations); turn++ {
			o, ok := obligations.Next(list)
			if !ok {
				t.Fatalf("nothing to ask at turn %d", turn)
			}
			if slices.Contains(d.Completion.Required, o.Key) {
				list = tell(list, o.Key, answerTo(t, *o.Template), turn)
				continue
			}
			list = do(list, turn, obligations.Finding{Key: o.Key, Act: obligations.Skip, Skip: obligations.NotApplicable})
		}

		got := d.Completion.Score(list)
		if phase := sessions.PhaseFor(got.Progress, sessions.Validation); !got.Met || phase != sessions.Closing {
			t.Errorf("with only the required ones answered: %+v in %s, want met in closing", got, phase)
		}
	})
}

// TestShippedEveryoneGetsThrough lets people answer, skip and put off at will:
// nothing is asked too early, and in the end everything is resolved.
func TestShippedEveryoneGetsThrough(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		rapid.Check(t, func(r *rapid.T) {
			list := begin(d)
			for turn := 1; turn <= 2*len(d.Obligations); turn++ {
				o, ok := obligations.Next(list)
				if !ok {
					break
				}
				if !obligations.Ready(list, &o) {
					r.Fatalf("%s is asked before what it depends on", o.Key)
				}
				list = anyReply(r, t, list, o, turn)
			}
			if open := d.Completion.Score(list).OpenKeys; len(open) > 0 {
				r.Fatalf("never resolved: %v", open)
			}
		})
	})
}

// anyReply answers o, skips it, or puts it off when that has not happened yet.
func anyReply(r *rapid.T, t *testing.T, list []obligations.Obligation, o obligations.Obligation, turn int) []obligations.Obligation {
	switch rapid.SampledFrom([]string{"answer", "decline", "later"}).Draw(r, o.Key) {
	case "later":
		if o.Attempts == 0 {
			return do(list, turn, obligations.Finding{Key: o.Key, Act: obligations.Asked}, obligations.Finding{Key: o.Key, Act: obligations.Defer})
		}
	case "decline":
		return do(list, turn, obligations.Finding{Key: o.Key, Act: obligations.Skip, Skip: obligations.Declined})
	}
	return tell(list, o.Key, answerTo(t, *o.Template), turn)
}

// begin returns the obligations of a new session of d.
func begin(d objectives.Definition) []obligations.Obligation {
	list := make([]obligations.Obligation, len(d.Obligations))
	for i, tmpl := range d.Obligations {
		list[i] = obligations.Obligation{Template: &tmpl, Status: obligations.Pending, Position: i}
	}
	return do(list, 0)
}

// tell asks key and has the person state value in the same turn.
func tell(list []obligations.Obligation, key string, value json.RawMessage, turn int) []obligations.Obligation {
	said := string(value)
	span, quote, _ := obligations.Locate(said, said)
	return do(list, turn,
		obligations.Finding{Key: key, Act: obligations.Asked},
		obligations.Finding{Key: key, Act: obligations.Tell, Value: value, Evidence: obligations.Evidence{
			Kind: obligations.Stated, Message: "turn", Span: &span, Quote: quote,
		}})
}

func do(list []obligations.Obligation, turn int, findings ...obligations.Finding) []obligations.Obligation {
	return obligations.Merge(list, obligations.Apply(list, findings, turn))
}

// answerTo returns a plain answer of the right shape.
func answerTo(t *testing.T, o obligations.Template) json.RawMessage {
	t.Helper()
	var answer any
	switch o.Widget {
	case obligations.Text:
		answer = o.Examples[0]
	case obligations.ChoiceOne:
		answer = o.Choices[0].Value
	case obligations.MultiSelect:
		answer = []string{o.Choices[0].Value, o.Choices[1].Value}
	case obligations.Date:
		answer = "2030-06"
	case obligations.Number:
		answer = *o.Min + 10
	default:
		t.Fatalf("%s has the unknown widget %q", o.Key, o.Widget)
	}
	value, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
