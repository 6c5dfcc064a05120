package analyst

import (
	"embed"
	"strings"
	"text/template"
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

// prompts are the texts around the outcomes of steps.
var prompts = template.Must(template.ParseFS(promptFiles, "prompts/*.tmpl"))

// render fills one of the prompts. It cannot fail with the values used here.
func render(name string, values any) string {
	var b strings.Builder
	if err := prompts.ExecuteTemplate(&b, name, values); err != nil {
		panic("analyst: prompt " + name + ": " + err.Error())
	}
	return b.String()
}

// data escapes a text from outside so that no tag can be closed within it. JSON keeps its meaning.
func data(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "</", `<\/`)
}
