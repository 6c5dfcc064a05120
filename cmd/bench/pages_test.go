package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAssets(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name, at, in string
		want         []string
	}{
		{"a page", "/s/1", `<link rel="stylesheet" href="/static/app.1f.css"><script type="module" src="/static/chat.2e.js"></script><a href="/review">r</a>`,
			[]string{"/static/app.1f.css", "/static/chat.2e.js"}},
		{"a module", "/static/chat.2e.js", "import \"./theme.3d.js\";\nimport { a } from \"./steps.4c.js\";\nfetch(\"/api\");",
			[]string{"/static/theme.3d.js", "/static/steps.4c.js"}},
		{"nothing", "/", "words", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if diff := cmp.Diff(tt.want, assets(tt.at, []byte(tt.in))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
