package objectives_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// bakery is an objective in two languages.
const bakery = `{
  "contextType": "bakery", "version": "1.0.0", "language": "en", "displayName": "Bakery", "description": "A bakery.", "greeting": "Hello.",
  "obligations": [
    {"key": "bread", "prompt": "Which bread do you bake?", "label": "Bread", "why": "So that I know.", "priority": 5, "category": "Goods", "poolId": "bread", "widgetType": "choice",
     "examples": ["Rye"], "cues": ["we bake"],
     "choices": [{"value": "rye", "label": "Rye bread", "synonyms": ["rye"]}, {"value": "wheat", "label": "Wheat bread", "synonyms": ["wheat"]}]},
    {"key": "ovens", "prompt": "How many ovens are there?", "label": "Ovens", "why": "So that I know.", "priority": 4, "widgetType": "number", "category": "Means"}
  ],
  "pools": {"bread": ["What do you bake?"]},
  "constraints": [{"name": "no_oven", "when": "ovens < 1", "message": "There is no oven."}],
  "phases": {"opening": {"goal": "Begin."}, "exploration": {"goal": "Learn.", "entry": "Let us go on."}, "validation": {"goal": "Check."}, "closing": {"goal": "End."}},
  "completion": {"minObligationsSatisfied": 1, "minConfidenceScore": 0.5, "requiredObligations": []},
  "translations": {
    "de": {
      "displayName": "Bäckerei", "description": "Eine Bäckerei.", "greeting": "Guten Tag.", "phases": {"exploration": "Gehen wir weiter."},
      "categories": {"Goods": "Waren", "Means": "Mittel"}, "constraints": {"no_oven": "Es gibt keinen Ofen."}, "pools": {"bread": ["Was backen Sie?"]},
      "obligations": {
        "bread": {"label": "Brot", "prompt": "Welches Brot backen Sie?", "why": "Damit ich es weiß.", "examples": ["Roggen"], "cues": ["wir backen"],
          "choices": {"rye": {"label": "Roggenbrot", "synonyms": ["roggen"]}, "wheat": {"label": "Weizenbrot", "synonyms": ["weizen"]}}},
        "ovens": {"label": "Öfen", "prompt": "Wie viele Öfen gibt es?", "why": "Damit ich es weiß."}
      }
    }
  }
}`

func bakeryIn(t *testing.T, old, replacement string) []byte {
	t.Helper()
	if !strings.Contains(bakery, old) {
		t.Fatalf("the bakery has no %s", old)
	}
	return []byte(strings.Replace(bakery, old, replacement, 1))
}

func mustParse(t *testing.T, data []byte) objectives.Definition {
	t.Helper()
	d, err := objectives.ParseDefinition(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestInSpeaksEveryText(t *testing.T) {
	t.Parallel()

	d := mustParse(t, []byte(bakery))
	before, _ := d.JSON()
	de := d.In("de")

	bread := de.Template("bread")
	got := []string{de.Language, de.DisplayName, de.Description, de.Greeting, de.Phases.Exploration.Entry, de.Constraints[0].Message, de.Pools["bread"][0],
		bread.Label, bread.Prompt, bread.Why, bread.Category, bread.Examples[0], bread.Cues[0], bread.Choices[0].Label, bread.Choices[0].Synonyms[0], de.Template("ovens").Prompt}
	want := []string{"de", "Bäckerei", "Eine Bäckerei.", "Guten Tag.", "Gehen wir weiter.", "Es gibt keinen Ofen.", "Was backen Sie?",
		"Brot", "Welches Brot backen Sie?", "Damit ich es weiß.", "Waren", "Roggen", "wir backen", "Roggenbrot", "roggen", "Wie viele Öfen gibt es?"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("In(de) (-want +got):\n%s", diff)
	}
	if bread.Choices[0].Value != "rye" || de.Version != d.Version || bread.FieldPath != d.Template("bread").FieldPath {
		t.Error("a translation changed a value, the version or a field path")
	}
	if after, _ := d.JSON(); string(before) != string(after) {
		t.Error("In changed the definition it was called on")
	}
	if d.In("fr") != &d || d.In("en") != &d || d.In("") != &d {
		t.Error("In of a language that the objective has no translation to is not the objective itself")
	}
}

func TestMissingPiecesAreSaidInTheObjectivesOwnLanguage(t *testing.T) {
	t.Parallel()

	data := bakeryIn(t, `"prompt": "Welches Brot backen Sie?", `, "")
	d := mustParse(t, data)
	if got := d.In("de").Template("bread").Prompt; got != "Which bread do you bake?" {
		t.Errorf("the prompt without a translation is %q", got)
	}

	remarks := objectives.Lint(data)
	if len(remarks) != 1 || remarks[0].Severity != objectives.LintWarning || remarks[0].Path != "translations.de.obligations.bread" || !strings.Contains(remarks[0].Message, "prompt") {
		t.Errorf("lint says %v, want a warning that the prompt is missing, at its obligation", remarks)
	}
	for _, r := range objectives.Lint([]byte(bakery)) {
		t.Errorf("the whole translation: %s", r)
	}
}

func TestLintListsWhatIsNotTranslated(t *testing.T) {
	t.Parallel()

	i := strings.Index(bakery, `"translations"`)
	remarks := objectives.Lint([]byte(bakery[:i] + `"translations": {"de": {"displayName": "Bäckerei"}}}`))
	if len(remarks) != 1 || objectives.Broken(remarks) {
		t.Fatalf("lint says %v, want one warning", remarks)
	}
	for _, want := range []string{"description", "greeting", "phases.exploration", "Goods", "no_oven", "pools not translated: bread", "obligations not translated: bread, ovens"} {
		if !strings.Contains(remarks[0].Message, want) {
			t.Errorf("the warning %q does not name %q", remarks[0].Message, want)
		}
	}
}

func TestTranslationsThatNameWhatIsNotThere(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, old, replacement, path, says string }{
		{"obligation", `"ovens": {"label": "Öfen"`, `"oven": {"label": "Öfen"`, "translations.de.obligations.oven", "there are: bread, ovens"},
		{"choice", `"rye": {"label": "Roggenbrot"`, `"roggen": {"label": "Roggenbrot"`, "translations.de.obligations.bread.choices.roggen", "there are: rye, wheat"},
		{"choice of an open question", `"label": "Öfen"`, `"label": "Öfen", "choices": {"one": {"label": "Einer"}}`, "translations.de.obligations.ovens.choices.one", "remove it"},
		{"pool", `"pools": {"bread": ["Was`, `"pools": {"brot": ["Was`, "translations.de.pools.brot", "there are: bread"},
		{"category", `{"Goods": "Waren"`, `{"Ware": "Waren"`, "translations.de.categories.Ware", "Goods"},
		{"constraint", `{"no_oven": "Es`, `{"nooven": "Es`, "translations.de.constraints.nooven", "no_oven"},
		{"no tag", `"de": {`, `"german!": {`, "translations.german!", "BCP 47"},
		{"another spelling", `"de": {`, `"DE": {`, "translations.DE", `"de"`},
		{"its own language", `"language": "en"`, `"language": "de"`, "translations.de", "already"},
		{"empty wording", `"Was backen Sie?"`, `" "`, "translations.de.pools.bread[0]", "empty"},
		{"own tag", `"language": "en"`, `"language": "englisch, bitte"`, "language", "BCP 47"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			data := bakeryIn(t, tt.old, tt.replacement)
			if _, err := objectives.ParseDefinition(data); err == nil {
				t.Fatal("the definition is accepted")
			}
			for _, r := range objectives.Lint(data) {
				if r.Severity == objectives.LintError && r.Path == tt.path && strings.Contains(r.Message, tt.says) && r.Line > 1 {
					return
				}
			}
			t.Errorf("lint says %v, want an error at %s with %q", objectives.Lint(data), tt.path, tt.says)
		})
	}
}

func TestUnknownFieldOfATranslationIsRefused(t *testing.T) {
	t.Parallel()

	data := bakeryIn(t, `"label": "Brot"`, `"titel": "Brot"`)
	remarks := objectives.Lint(data)
	unknown := func(r objectives.Diagnostic) bool {
		return r.Severity == objectives.LintError && strings.Contains(r.Message, "titel")
	}
	if !slices.ContainsFunc(remarks, unknown) {
		t.Errorf("lint says %v", remarks)
	}
}

// A layer that says a text anew takes its translations away: they are of other words.
func TestLayersDropTranslationsOfWhatTheySayAnew(t *testing.T) {
	t.Parallel()

	base := mustParse(t, []byte(bakery))
	o, err := objectives.ParseOverlay([]byte(`{"version": "2.0.0", "greeting": "Welcome.",
		"obligations": [{"key": "bread", "prompt": "Which bread sells best?", "priority": 7, "choices": [{"value": "rye", "label": "Rye bread"}, {"value": "spelt", "label": "Spelt bread"}]}],
		"remove": ["ovens"], "constraints": [{"name": "no_oven", "remove": true}], "pools": {"bread": ["What sells?"]},
		"translations": {"de": {"obligations": {"bread": {"choices": {"spelt": {"label": "Dinkelbrot"}}}}}, "fr": {"displayName": "Boulangerie"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	d, err := objectives.Merge(&base, o)
	if err != nil {
		t.Fatal(err)
	}

	de := d.In("de")
	bread := de.Template("bread")
	got := []string{de.DisplayName, de.Greeting, bread.Prompt, bread.Label, bread.Choices[0].Label, bread.Choices[1].Label, de.Pools["bread"][0], d.In("fr").DisplayName}
	want := []string{"Bäckerei", "Welcome.", "Which bread sells best?", "Brot", "Roggenbrot", "Dinkelbrot", "What sells?", "Boulangerie"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the merged objective in German (-want +got):\n%s", diff)
	}
	if again := mustParse(t, []byte(bakery)); cmp.Diff(again, base) != "" {
		t.Error("Merge changed the layer below")
	}
}

func TestLayersMayNotTranslateWhatIsNotThere(t *testing.T) {
	t.Parallel()

	base := mustParse(t, []byte(bakery))
	o, err := objectives.ParseOverlay([]byte(`{"version": "2.0.0", "translations": {"de": {"obligations": {"cake": {"label": "Kuchen"}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := objectives.Merge(&base, o); err == nil || !strings.Contains(err.Error(), "cake") {
		t.Errorf("Merge says %v, want that there is no cake", err)
	}
}

func TestEditsKeepTranslations(t *testing.T) {
	t.Parallel()

	d := mustParse(t, []byte(bakery))
	d.Move(0, 1)
	d.Obligations[1].Prompt = "Which bread do you sell?"
	if got := d.In("de").Template("bread").Prompt; got != "Welches Brot backen Sie?" {
		t.Errorf("an edited question has the translation %q", got)
	}
	d.Obligations[0].Key = "stoves"
	d.Rename("ovens", "stoves")
	if got := d.In("de").Template("stoves").Label; got != "Öfen" {
		t.Errorf("a renamed question is called %q", got)
	}
	d.Remove(0)
	if _, there := d.Translations["de"].Obligations["stoves"]; there || d.Translations["de"].Categories["Means"] != "" {
		t.Error("the translation of a removed question is still there")
	}
}

func TestTranslationsAreAPatch(t *testing.T) {
	t.Parallel()

	a, b := mustParse(t, []byte(bakery)), mustParse(t, bakeryIn(t, "Welches Brot backen Sie?", "Was für Brot backen Sie?"))
	diff, err := objectives.DiffOf(&a, &b)
	if err != nil || len(diff.Changes) != 1 || diff.Changes[0].Path != "translations.de.obligations.bread.prompt" || diff.Step() != objectives.Patch {
		t.Errorf("the difference is %+v (%v), want one patch", diff, err)
	}
}

func TestOwnLanguage(t *testing.T) {
	t.Parallel()

	german := objectives.Definition{Obligations: []obligations.Template{{Prompt: "Wie viele Menschen arbeiten im Betrieb?"}, {Prompt: "Was ist Ihr Ziel und warum?"}}}
	for _, tt := range []struct {
		d    objectives.Definition
		want string
	}{{objectives.Definition{}, "en"}, {german, "de"}, {objectives.Definition{Language: "fr"}, "fr"}} {
		if got := tt.d.OwnLanguage(); got != tt.want {
			t.Errorf("OwnLanguage() = %q, want %q", got, tt.want)
		}
	}
	d := mustParse(t, []byte(bakery))
	if got := d.Languages(); !slices.Equal(got, []string{"en", "de"}) {
		t.Errorf("Languages() = %v", got)
	}
}

// TestShippedSpeakGerman makes sure that nothing of a shipped objective is left in English.
func TestShippedSpeakGerman(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		data, _ := objectives.ShippedJSON(d.ContextType)
		for _, r := range objectives.Lint(data) {
			t.Errorf("lint: %s", r)
		}
		de := d.Translations["de"]
		for _, o := range d.Obligations {
			words, there := de.Obligations[o.Key]
			if !there || words.Label == "" || words.Prompt == "" || words.Why == "" || len(words.Examples) != len(o.Examples) || len(words.Cues) < 2 {
				t.Errorf("%s is not translated whole", o.Key)
			}
			if got, want := len(de.Pools[o.PoolID]), len(d.Pools[o.PoolID]); got != want {
				t.Errorf("%s has %d wordings in German, want %d", o.Key, got, want)
			}
			if got, want := slices.Sorted(maps.Keys(words.Choices)), valuesOf(o); !slices.Equal(got, want) {
				t.Errorf("%s: choices %v, want %v", o.Key, got, want)
			}
			if words.Prompt == o.Prompt || strings.Contains(words.Prompt, " your ") || !strings.HasPrefix(words.Why, "Damit ") {
				t.Errorf("%s: %q, %q", o.Key, words.Prompt, words.Why)
			}
		}
	})
}

func valuesOf(o obligations.Template) []string {
	var out []string
	for _, c := range o.Choices {
		out = append(out, c.Value)
	}
	slices.Sort(out)
	return out
}

// TestShippedGermanWording holds the German texts to the rules of the English ones.
func TestShippedGermanWording(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		de := d.In("de")
		cues := map[string]string{}
		for _, o := range de.Obligations {
			for _, q := range append([]string{o.Prompt}, de.Pools[o.PoolID]...) {
				wantMarks(t, o.Key, q, 1)
				if found, ok := language.Detect(q, []string{"en", "de"}); ok && found != "de" {
					t.Errorf("%s: %q is taken for %s", o.Key, q, found)
				}
			}
			wantMarks(t, o.Key+" why", o.Why, 0)
			for _, cue := range o.Cues {
				if first, twice := cues[cue]; twice || cue != strings.ToLower(strings.TrimSpace(cue)) {
					t.Errorf("the cue %q of %s is not lower case, or announces %s too", cue, o.Key, first)
				}
				cues[cue] = o.Key
			}
			owner := map[string]string{}
			for _, c := range o.Choices {
				for _, word := range append([]string{strings.ToLower(c.Label)}, c.Synonyms...) {
					if first, there := owner[word]; there && first != c.Value || len(c.Synonyms) < 3 || word != strings.ToLower(word) {
						t.Errorf("%s: %q stands for %q and %q, or has too few synonyms", o.Key, word, first, c.Value)
					}
					owner[word] = c.Value
				}
			}
			for _, example := range o.Examples {
				if closed := o.Widget == obligations.ChoiceOne || o.Widget == obligations.MultiSelect; closed && !o.AllowOther && !namesChoice(o, example) {
					t.Errorf("%s: the example %q names none of its choices", o.Key, example)
				}
			}
		}
		wantMarks(t, "greeting", de.Greeting, 0)
	})
}

// TestShippedGermanInterview answers every question of the German objective with its
// German examples.
func TestShippedGermanInterview(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		de := *d.In("de")
		list := begin(de)
		for turn := 1; turn <= len(de.Obligations); turn++ {
			o, ok := obligations.Next(list)
			if !ok {
				t.Fatalf("nothing to ask at turn %d", turn)
			}
			list = tell(list, o.Key, answerTo(t, *o.Template), turn)
			wantKnown(t, list, o.Key)
		}
		if got := de.Completion.Score(list); !got.Met {
			t.Errorf("at the end the interview stands at %+v", got)
		}
	})
}

// The import of a JSON Schema leaves translations to be added, and an objective made of
// one keeps them.
func TestObjectiveOfASchemaKeepsTranslations(t *testing.T) {
	t.Parallel()

	d, _, err := objectives.FromSchema([]byte(`{"title": "Order", "type": "object", "properties": {"name": {"type": "string", "title": "Name"}}}`), objectives.SchemaOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d.Translations = map[string]objectives.Translation{"de": {DisplayName: "Bestellung", Obligations: map[string]objectives.TemplateTranslation{d.Obligations[0].Key: {Label: "Name"}}}}
	body, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	again := mustParse(t, body)
	if diff := cmp.Diff(d.Translations, again.Translations); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
	if !json.Valid(again.Schema) {
		t.Error("the schema is gone")
	}
}
