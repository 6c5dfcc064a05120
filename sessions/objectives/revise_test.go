package objectives_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

func questionKeys(d *objectives.Definition) []string {
	var out []string
	for _, t := range d.Obligations {
		out = append(out, t.Key)
	}
	return out
}

func lettered() *objectives.Definition {
	return &objectives.Definition{
		Obligations: []obligations.Template{{Key: "a", PoolID: "p"}, {Key: "b", PoolID: "p", Dependencies: []string{"a"}}, {Key: "c", PoolID: "own", Dependencies: []string{"a", "b"}}},
		Pools:       map[string][]string{"p": {"One?"}, "own": {"Two?"}}, Completion: obligations.Criteria{Required: []string{"a", "c"}}}
}

func TestMoveKeepsAllQuestions(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		d := lettered()
		from, to := rapid.IntRange(-1, 4).Draw(t, "from"), rapid.IntRange(-1, 4).Draw(t, "to")

		d.Move(from, to)

		if got := questionKeys(d); !slices.Equal(slices.Sorted(slices.Values(got)), []string{"a", "b", "c"}) {
			t.Fatalf("after Move(%d, %d) there are %v", from, to, got)
		}
		if inside := min(from, to) >= 0 && max(from, to) < 3; inside && d.Obligations[to].Key != questionKeys(lettered())[from] {
			t.Fatalf("after Move(%d, %d) the order is %v", from, to, questionKeys(d))
		}
	})
}

func TestRemoveTakesWhatIsItsAlone(t *testing.T) {
	t.Parallel()

	d := lettered()
	d.Remove(0)
	d.Remove(1)

	if diff := cmp.Diff(map[string][]string{"p": {"One?"}}, d.Pools); diff != "" {
		t.Errorf("pools (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b"}, questionKeys(d)); diff != "" || len(d.Completion.Required) != 0 {
		t.Errorf("left are %v, required %v", questionKeys(d), d.Completion.Required)
	}
}

func TestRenameFollowsThoseThatWait(t *testing.T) {
	t.Parallel()

	d := lettered()
	d.Obligations[0].Key = "first"
	d.Rename("a", "first")

	if diff := cmp.Diff([]string{"first", "b"}, d.Obligations[2].Dependencies); diff != "" {
		t.Errorf("dependencies (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"first", "c"}, d.Completion.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

func TestStepOfChanges(t *testing.T) {
	t.Parallel()

	number := func(v float64) *float64 { return &v }
	for _, tt := range []struct {
		name   string
		change func(*objectives.Definition)
		want   objectives.VersionStep
	}{
		{"nothing", func(*objectives.Definition) {}, objectives.Patch},
		{"a wording", func(d *objectives.Definition) { d.Obligations[0].Prompt = "What?" }, objectives.Patch},
		{"the wordings of a pool", func(d *objectives.Definition) { d.Pools["p"] = []string{"Else?"} }, objectives.Patch},
		{"a name", func(d *objectives.Definition) { d.DisplayName = "Other" }, objectives.Patch},
		{"the words of a choice", func(d *objectives.Definition) { d.Obligations[1].Choices[0].Label = "Yes!" }, objectives.Patch},
		{"a priority", func(d *objectives.Definition) { d.Obligations[0].Priority = 9 }, objectives.Minor},
		{"a question more", func(d *objectives.Definition) {
			d.Obligations = append(d.Obligations, obligations.Template{Key: "z"})
		}, objectives.Minor},
		{"a choice more", func(d *objectives.Definition) {
			d.Obligations[1].Choices = append(d.Obligations[1].Choices, obligations.Choice{Value: "perhaps", Label: "Perhaps"})
		}, objectives.Minor},
		{"a bound less", func(d *objectives.Definition) { d.Obligations[2].Max = nil }, objectives.Minor},
		{"the order", func(d *objectives.Definition) { d.Move(0, 2) }, objectives.Minor},
		{"a question less", func(d *objectives.Definition) { d.Remove(0) }, objectives.Major},
		{"a choice less", func(d *objectives.Definition) { d.Obligations[1].Choices = d.Obligations[1].Choices[:1] }, objectives.Major},
		{"another kind of answer", func(d *objectives.Definition) { d.Obligations[0].Widget = obligations.Date }, objectives.Major},
		{"a bound more", func(d *objectives.Definition) { d.Obligations[2].Min = number(1) }, objectives.Major},
		{"another unit", func(d *objectives.Definition) { d.Obligations[2].Unit = "" }, objectives.Major},
		{"another place", func(d *objectives.Definition) { d.Obligations[0].FieldPath = "x.y" }, objectives.Major},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			make := func() *objectives.Definition {
				d := lettered()
				d.Obligations[1].Choices = []obligations.Choice{{Value: "yes", Label: "Yes"}, {Value: "no", Label: "No"}}
				d.Obligations[2].Max, d.Obligations[2].Unit = number(12), "months"
				return d
			}
			after := make()
			tt.change(after)
			diff, err := objectives.DiffOf(make(), after)
			if err != nil {
				t.Fatal(err)
			}

			if got := diff.Step(); got != tt.want {
				t.Errorf("Step of %+v = %s, want %s", diff.Changes, got, tt.want)
			}
		})
	}
}

func TestNextVersion(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		held []string
		step objectives.VersionStep
		want string
	}{
		{nil, objectives.Major, "1.0.0"},
		{[]string{"1.2.0"}, objectives.Patch, "1.2.1"},
		{[]string{"1.9.3", "1.10.0"}, objectives.Minor, "1.11.0"},
		{[]string{"2.0.0", "1.0.0"}, objectives.Major, "3.0.0"},
	} {
		if got := objectives.NextVersion(tt.held, tt.step); got != tt.want {
			t.Errorf("NextVersion(%v, %s) = %s, want %s", tt.held, tt.step, got, tt.want)
		}
	}
}
