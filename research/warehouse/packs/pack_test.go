package packs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/packs"
)

func TestBuiltinPacksHaveNoFault(t *testing.T) {
	t.Parallel()

	var slugs []string
	for _, p := range packs.Builtin() {
		slugs = append(slugs, p.Slug)
		for _, f := range p.Faults() {
			t.Errorf("%s: %s", p.Slug, f)
		}
	}
	if diff := cmp.Diff([]string{"ecommerce", "gaming", "operations", "social", "system-test"}, slugs); diff != "" {
		t.Errorf("the packs that come along (-want +got):\n%s", diff)
	}
}

func TestBuiltinAreasHaveTenToThirteenKeywords(t *testing.T) {
	t.Parallel()

	for _, p := range packs.Builtin() {
		for _, c := range append(p.Categories, packs.Category{}) {
			kit, faults := p.For(c.ID, nil)
			if len(faults) > 0 {
				t.Fatalf("%s, %q: %v", p.Slug, c.ID, faults)
			}
			for _, a := range kit.Areas {
				if n := len(a.Keywords); n < 10 || n > 13 || a.Description == "" {
					t.Errorf("%s: area %s has %d keywords and says %q", p.Slug, a.ID, n, a.Description)
				}
			}
		}
	}
}

func TestBuiltinPackSurvivesExportAndParse(t *testing.T) {
	t.Parallel()

	for _, p := range packs.Builtin() {
		out, err := p.Export()
		if err != nil {
			t.Fatal(err)
		}
		got, faults := packs.Parse(out)
		if len(faults) > 0 {
			t.Fatalf("%s: %v", p.Slug, faults)
		}
		again, err := got.Export()
		if err != nil || !bytes.Equal(out, again) {
			t.Errorf("%s is another pack after Export and Parse (%v)", p.Slug, err)
		}
		if len(out) > packs.MaxBytes/4 {
			t.Errorf("%s has %d bytes", p.Slug, len(out))
		}
	}
}

func TestFormatVersionMayBeANumber(t *testing.T) {
	t.Parallel()

	p, _ := packs.BuiltinBySlug("gaming")
	out, err := p.Export()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		version string
		faults  int
	}{{`1`, 0}, {`"1"`, 0}, {`"1.0"`, 0}, {`2`, 1}, {`"two"`, 1}, {`null`, 1}} {
		document := strings.Replace(string(out), `"format_version": "1"`, `"token_totals": {"all": 9}, "format_version": `+tt.version, 1)
		if _, faults := packs.Parse([]byte(document)); len(faults) != tt.faults {
			t.Errorf("Parse with format_version %s: %v, want %d faults", tt.version, faults, tt.faults)
		}
	}
}

// broken is the pack gaming with one thing changed.
func broken(t *testing.T, change func(pack map[string]any)) []byte {
	t.Helper()
	p, _ := packs.BuiltinBySlug("gaming")
	out, err := p.Export()
	if err != nil {
		t.Fatal(err)
	}
	var envelope map[string]any
	if err := json.Unmarshal(out, &envelope); err != nil {
		t.Fatal(err)
	}
	change(envelope["pack"].(map[string]any))
	if out, err = json.Marshal(envelope); err != nil {
		t.Fatal(err)
	}
	return out
}

// in returns what lies at a path of keys and numbers.
func in(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(map[string]any)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	return v
}

func TestFaultsOfPacksNameTheirPlace(t *testing.T) {
	t.Parallel()

	area := func(m map[string]any, i int) map[string]any {
		return in(m, "analysis_areas", "base", i).(map[string]any)
	}
	exploration := func(m map[string]any) map[string]any { return in(m, "prompts", "base").(map[string]any) }
	for _, tt := range []struct {
		name   string
		change func(m map[string]any)
		want   string
	}{
		{"slug", func(m map[string]any) { m["slug"] = "My Pack" }, "pack.slug: must be small letters"},
		{"version with @", func(m map[string]any) { m["version"] = "1@2" }, "pack.version: "},
		{"name of another type", func(m map[string]any) { m["name"] = 7 }, "pack.name: must be a text"},
		{"area is a text", func(m map[string]any) { in(m, "analysis_areas").(map[string]any)["base"].([]any)[1] = "churn" }, "pack.analysis_areas.base[1]: must be an object"},
		{"keyword is a number", func(m map[string]any) { area(m, 0)["keywords"].([]any)[3] = 4 }, "pack.analysis_areas.base[0].keywords[3]: must be a text"},
		{"few keywords", func(m map[string]any) { area(m, 2)["keywords"] = []any{"a", "b", "A", "b ", "c", "d", "e", "f", "g"} }, "pack.analysis_areas.base[2].keywords: must be at least 8 different words, there are 7"},
		{"id twice", func(m map[string]any) { area(m, 1)["id"] = "churn" }, "pack.analysis_areas.base[1].id: stands twice"},
		{"id of base in category", func(m map[string]any) {
			in(m, "analysis_areas", "categories", "idle", 0).(map[string]any)["id"] = "churn"
		}, "pack.analysis_areas.categories.idle[0].id: stands twice"},
		{"few areas", func(m map[string]any) {
			in(m, "analysis_areas").(map[string]any)["base"] = in(m, "analysis_areas", "base").([]any)[:2]
		}, `pack.analysis_areas: category "" has 2 areas`},
		{"no results", func(m map[string]any) { area(m, 0)["prompt"] = "Say something." }, "pack.analysis_areas.base[0].prompt: must hold {{QUERY_RESULTS}}"},
		{"unknown placeholder", func(m map[string]any) { area(m, 0)["prompt"] = "{{QUERY_RESULTS}} {{QUERY_RESULT}}" }, "there is no placeholder {{QUERY_RESULT}}"},
		{"placeholder of another prompt", func(m map[string]any) { area(m, 0)["prompt"] = "{{QUERY_RESULTS}} {{SCHEMA_INFO}}" }, "there is no placeholder {{SCHEMA_INFO}}"},
		{"open part", func(m map[string]any) { area(m, 0)["prompt"] = "{{QUERY_RESULTS}} {{#FILTER}}" }, "{{#FILTER}} has no {{/FILTER}}"},
		{"number instead of limit", func(m map[string]any) {
			e := exploration(m)
			e["exploration"] = strings.ReplaceAll(e["exploration"].(string), "{{MAX_LOOKUPS}}", "30")
		}, "pack.prompts.base.exploration: must hold {{MAX_LOOKUPS}}"},
		{"action left out", func(m map[string]any) {
			e := exploration(m)
			e["exploration"] = strings.ReplaceAll(e["exploration"].(string), `"search_tables"`, "search")
		}, `pack.prompts.base.exploration: must tell of the action "search_tables"`},
		{"prompt missing", func(m map[string]any) { delete(exploration(m), "recommendations") }, "pack.prompts.base.recommendations: is missing"},
		{"no such category", func(m map[string]any) { m["categories"] = []any{} }, `pack.categories: has no "casual"`},
		{"schema", func(m map[string]any) {
			in(m, "profile_schema", "base").(map[string]any)["type"] = "thing"
		}, "pack.profile_schema.base: is not a JSON Schema"},
		{"reference out of the schema", func(m map[string]any) {
			in(m, "profile_schema", "base").(map[string]any)["$ref"] = "https://example.org/x.json"
		}, "pack.profile_schema.base: is not a JSON Schema"},
		{"field of an area", func(m map[string]any) { area(m, 0)["promt"] = "x" }, "pack.analysis_areas.base[0].promt: is not known here"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			p, faults := packs.Parse(broken(t, tt.change))
			if p == nil {
				t.Fatalf("Parse gave no pack: %v", faults)
			}
			faults = append(faults, p.Faults()...)
			if all := fmt.Sprint(faults); !strings.Contains(all, tt.want) {
				t.Errorf("faults = %s, want one with %q", all, tt.want)
			}
			if err := packs.Refuse(faults); !fault.Is(err, fault.Unprocessable) {
				t.Errorf("Refuse = %v, want unprocessable", err)
			}
		})
	}
}

func TestOneBadAreaDoesNotLoseTheOthers(t *testing.T) {
	t.Parallel()

	p, faults := packs.Parse(broken(t, func(m map[string]any) { in(m, "analysis_areas").(map[string]any)["base"].([]any)[0] = 12 }))
	if len(faults) != 1 || len(p.Areas.Base) != 2 || p.Areas.Base[0].ID != "engagement" {
		t.Errorf("Parse kept %d areas with %v, want 2 and 1 fault", len(p.Areas.Base), faults)
	}
}

func TestParseRefusesWhatIsNoPack(t *testing.T) {
	t.Parallel()

	for _, in := range []string{"", "null", "[]", "{}", `{"format":"x","format_version":1}`, `{"pack":3,"format":"x","format_version":1}`, strings.Repeat(" ", packs.MaxBytes+1), "{\"format\":\"\xff\"}"} {
		if p, faults := packs.Parse([]byte(in)); p != nil || len(faults) == 0 {
			t.Errorf("Parse(%.40q) = %v, %v; want no pack and faults", in, p, faults)
		}
	}
}

func TestAreasComeByPriorityThenID(t *testing.T) {
	t.Parallel()

	p, _ := packs.BuiltinBySlug("operations")
	kit, faults := p.For("transport", nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	var got []string
	for _, a := range kit.Areas {
		got = append(got, fmt.Sprint(a.Priority, " ", a.ID))
	}
	want := []string{"1 data_quality", "2 volume_trends", "3 delays_and_duration", "4 concentration", "4 network", "5 seasonality", "6 comparison"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("areas (-want +got):\n%s", diff)
	}
}

// values are a value for every placeholder there is.
func values() packs.Values {
	v := packs.Limits(77, 12)
	for _, name := range []string{packs.Profile, packs.PreviousContext, packs.Language, packs.Dataset, packs.Dialect, packs.DialectNotes, packs.Filter, packs.FilterContext, packs.FilterRule,
		packs.AnalysisAreas, packs.Ref, packs.SchemaInfo, packs.TotalQueries, packs.QueryResults, packs.DiscoveryDate, packs.InsightsSummary, packs.InsightsData} {
		v[name] = "<" + strings.ToLower(name) + ">"
	}
	return v
}

func TestExplorationPromptNamesTheBoundsOfTheCode(t *testing.T) {
	t.Parallel()

	for _, p := range packs.Builtin() {
		kit, _ := p.For("", nil)
		got, err := kit.Exploration(values())
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"at most 77 steps", "before step 12",
			fmt.Sprintf("of up to %d tables", warehouse.MaxLookupTables), fmt.Sprintf("There are %d such calls in a run", warehouse.MaxLookups),
			fmt.Sprintf("There are %d such calls;", warehouse.MaxSearches), fmt.Sprintf("is %d unless you say so, and %d at most", warehouse.DefaultSearchTopK, warehouse.MaxSearchTopK),
			"<schema_info>", "<profile>", "<previous_context>", "query_purpose", "still data",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: the exploration prompt lacks %q", p.Slug, want)
			}
		}
		if strings.Contains(got, "{{") || strings.Contains(got, "}}") {
			t.Errorf("%s: braces are left in the prompt", p.Slug)
		}
	}
}

// The shapes that the prompt shows a model are read by the parser as what they are.
func TestShapesOfThePromptAreActions(t *testing.T) {
	t.Parallel()

	p, _ := packs.BuiltinBySlug("operations")
	kit, _ := p.For("", nil)
	prompt, err := kit.Exploration(values())
	if err != nil {
		t.Fatal(err)
	}
	var got []warehouse.ActionKind
	for line := range strings.Lines(prompt) {
		if strings.HasPrefix(line, `{"`) {
			a, err := warehouse.ParseAction(line, warehouse.AllActions)
			if err != nil {
				t.Errorf("ParseAction(%s): %v", line, err)
			}
			got = append(got, a.Kind)
		}
	}
	if diff := cmp.Diff([]warehouse.ActionKind{warehouse.QueryData, warehouse.LookupSchema, warehouse.SearchTables, warehouse.Complete}, got); diff != "" {
		t.Errorf("actions of the prompt (-want +got):\n%s", diff)
	}
}

func TestPartsWithoutAValueAreLeftOut(t *testing.T) {
	t.Parallel()

	p, _ := packs.BuiltinBySlug("gaming")
	kit, _ := p.For("match3", nil)
	v := values()
	for _, name := range []string{packs.Profile, packs.PreviousContext, packs.FilterRule, packs.FilterContext, packs.DialectNotes, "MIN_STEPS"} {
		v[name] = ""
	}
	got, err := kit.Exploration(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"What earlier runs found", "What the owners say", "Do not finish before step"} {
		if strings.Contains(got, gone) {
			t.Errorf("the prompt has %q without a value", gone)
		}
	}
	if !strings.Contains(got, "Match-3 games") {
		t.Error("the category's part is not in the prompt")
	}
}

func TestOverridesTakeThePlaceOfTexts(t *testing.T) {
	t.Parallel()

	p, _ := packs.BuiltinBySlug("gaming")
	kit, faults := p.For("", map[string]string{packs.AreaText("churn"): "Only this: {{QUERY_RESULTS}} of {{REF:players}}"})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	v := values()
	v[packs.Ref] = "game"
	got, err := kit.Analysis("churn", v)
	if err != nil || !strings.HasSuffix(got, "Only this: <query_results> of game.players") {
		t.Errorf("Analysis = %q, %v", got, err)
	}
	for name, text := range map[string]string{"areas.levels": "{{QUERY_RESULTS}}", "areas.churn": "{{NONE}}", packs.ExplorationText: "Explore.", packs.RecommendationsText: "", packs.ContextText: "{{#PROFILE}}"} {
		if _, faults := p.For("", map[string]string{name: text}); len(faults) == 0 || !strings.HasPrefix(faults[0].Path, "prompts."+name) {
			t.Errorf("For with %s = %q: faults %v, want one at prompts.%s", name, text, faults, name)
		}
	}
}

func TestProfileNamesAllFaults(t *testing.T) {
	t.Parallel()

	p, _ := packs.BuiltinBySlug("gaming")
	kit, _ := p.For("match3", nil)
	for _, tt := range []struct {
		name, profile string
		want          []string
	}{
		{"nothing", ``, nil},
		{"sound", `{"game":"A game","platforms":["ios"],"levels_total":200,"metrics":[{"name":"D1","target":"40 %"}]}`, nil},
		{"three faults", `{"platforms":["ios","fax"],"levels_total":0,"metrics":[{"target":"x"}]}`, []string{"profile.levels_total", "profile.metrics[0]", "profile.platforms[1]"}},
		{"of another category", `{"ad_formats":["banner"]}`, []string{"profile"}},
		{"not an object", `[1]`, []string{"profile"}},
		{"not JSON", `{`, []string{"profile"}},
	} {
		got := map[string]bool{}
		for _, f := range kit.Form.Faults(json.RawMessage(tt.profile)) {
			got[f.Path] = true
			if f.Message == "" {
				t.Errorf("%s: the fault of %s says nothing", tt.name, f.Path)
			}
		}
		want := map[string]bool{}
		for _, path := range tt.want {
			want[path] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: places of faults (-want +got):\n%s", tt.name, diff)
		}
	}
}
