package analyst

import (
	"embed"
	"strings"
	"text/template"
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

// prompts are the words around what steps gave.
var prompts = template.Must(template.ParseFS(promptFiles, "prompts/*.tmpl"))

// render fills one of the prompts, which cannot fail with the values given here.
func render(name string, values any) string {
	var b strings.Builder
	if err := prompts.ExecuteTemplate(&b, name, values); err != nil {
		panic("analyst: prompt " + name + ": " + err.Error())
	}
	return b.String()
}

// data returns what somebody else wrote so that it closes nothing it stands in: no
// mark ends within it. In JSON it still says the same.
func data(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "</", `<\/`)
}
