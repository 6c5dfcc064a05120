package llm

import (
	"embed"
	"strings"
	"text/template"
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

// prompts are the few texts that this package itself sends to a model.
var prompts = template.Must(template.ParseFS(promptFiles, "prompts/*.tmpl"))

// prompt renders one of the prompts, which cannot fail with the values given here.
func prompt(name string, values map[string]any) string {
	var b strings.Builder
	if err := prompts.ExecuteTemplate(&b, name, values); err != nil {
		panic("llm: prompt " + name + ": " + err.Error())
	}
	return strings.TrimSpace(b.String())
}
