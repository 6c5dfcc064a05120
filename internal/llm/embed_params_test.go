package llm

import (
	"testing"

	"github.com/openai/openai-go/v3/packages/param"
)

func TestEmbedParamsOnTheWire(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name string
		in   embedParams
		want string
	}{
		{"whole", embedParams{Model: "m", Input: []string{"a", "<b>"}, Dimensions: param.NewOpt(int64(512))}, `{"input":["a","<b>"],"model":"m","dimensions":512}`},
		{"the model chooses", embedParams{Model: "m", Input: []string{""}}, `{"input":[""],"model":"m"}`},
		{"nothing set", embedParams{}, `{}`},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			got, err := tc.in.MarshalJSON()
			if err != nil || string(got) != tc.want {
				t.Errorf("MarshalJSON() = %s, %v, want %s", got, err, tc.want)
			}
		})
	}
}
