package packdrafts

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"quaestor/internal/llm"
)

//go:embed prompts
var files embed.FS

var (
	prompts       = template.Must(template.ParseFS(files, "prompts/*.tmpl"))
	sectionSchema = mustSchema("pack_section", "prompts/section.schema.json")
	areasSchema   = mustSchema("pack_areas", "prompts/areas.schema.json")
)

func mustSchema(name, file string) llm.Schema {
	body, err := files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	s, err := llm.NewSchema(name, body)
	if err != nil {
		panic(err)
	}
	return s
}

// Bounds of what a model is shown and may write.
const (
	shownTables  = 40
	shownColumns = 40
	shownSource  = 6000  // bytes of a document
	shownSources = 24000 // of all
	draftTokens  = 4000
)

// tasks say what belongs into a section.
var tasks = map[string]string{
	About:           `Give "name", what the pack is called, and "description", one or two sentences on what it is for.`,
	Context:         `Give "text": markdown that begins with "# The field: " and its name, then two or three paragraphs on what the records describe, which figures matter, and what outsiders get wrong.`,
	Exploration:     `Give "text": markdown that begins with "## Where to look", then a list of which tables, times, measures and groups to begin with, and what misleads in them.`,
	Recommendations: `Give "text": markdown that begins with "## Good advice", then a paragraph on what good advice is in this field and to whom it goes.`,
	Profile:         `Give "fields": three to ten questions about the organisation's data that the tables do not answer, each with "name" (small letters, digits and _), "title" (the question) and "list" (whether several answers are usual).`,
}

const (
	areaTask  = `Give "name", "description" (one sentence), "keywords" (at least ten words by which steps about it are recognised: of tables, columns and the field) and "text": "Ask of the results:" and a list of three to six questions.`
	areasTask = `Give "areas": three to six areas worth exploring, each with a name, a description of one sentence and at least ten keywords. One of them is about the quality of the data.`
)

// taskOf returns what belongs into a section.
func taskOf(key string) string {
	if _, ok := areaID(key); ok {
		return areaTask
	}
	return tasks[key]
}

// modelled plans the areas with a model.
func modelled(ctx context.Context, m *llm.Client, from Material) ([]Section, error) {
	var out struct {
		Areas []struct {
			Name, Description string
			Keywords          []string
		}
	}
	if err := ask(ctx, m, "pack_areas", map[string]any{"Section": "the areas", "Task": areasTask}, dataOf(from), areasSchema, &out); err != nil {
		return nil, err
	}
	var list []Section
	for _, a := range out.Areas {
		s := Section{Key: areaKey(slugOf(a.Name)), Content: Content{Name: a.Name, Description: a.Description, Keywords: distinct(a.Keywords)}}
		probe := s.Content
		probe.Text = "-" // it is written later
		if s.Key != areaPrefix && len(probe.Faults(s.Key)) == 0 && !slices.ContainsFunc(list, func(o Section) bool { return o.Key == s.Key }) {
			list = append(list, s)
		}
	}
	if len(list) < leastAreas {
		return nil, fmt.Errorf("the model planned %d areas that may be used", len(list))
	}
	return list, nil
}

// written writes a section with a model. A section with faults is an error: it is not taken.
func written(ctx context.Context, m *llm.Client, from Material, s Section) (Content, error) {
	data := dataOf(from)
	if s.Feedback != "" || s.Content.Text != "" || len(s.Content.Fields) > 0 {
		data["current"], data["feedback"] = s.Content, s.Feedback
	} else if s.Content.Name != "" {
		data["current"] = s.Content
	}
	var out Content
	if err := ask(ctx, m, "pack_section", map[string]any{"Section": s.Title(), "Task": taskOf(s.Key), "Again": s.Feedback != ""}, data, sectionSchema, &out); err != nil {
		return out, err
	}
	out = only(s.Key, out)
	if faults := out.Faults(s.Key); len(faults) > 0 {
		return out, fmt.Errorf("the model's section has faults: %s", faults[0])
	}
	return out, nil
}

// only returns the fields of a content that a section has.
func only(key string, c Content) Content {
	_, isArea := areaID(key)
	switch {
	case isArea:
		return Content{Name: c.Name, Description: c.Description, Text: c.Text, Keywords: distinct(c.Keywords)}
	case key == About:
		return Content{Name: c.Name, Description: c.Description}
	case key == Profile:
		return Content{Fields: c.Fields}
	}
	return Content{Text: c.Text}
}

// dataOf returns what a model is shown: tables, metrics, and documents without passages that give
// orders.
func dataOf(m Material) map[string]any {
	tables := []string{}
	for _, t := range subjects(m)[:min(shownTables, len(m.Tables))] {
		line := t.Ref()
		if t.Comment != "" {
			line += " (" + clean(clippedTo(t.Comment, 200)) + ")"
		}
		var columns []string
		for _, c := range t.Columns[:min(shownColumns, len(t.Columns))] {
			one := c.Name + " " + c.Type
			if list := t.Categories[c.Name]; len(list) > 0 {
				one += " [" + strings.Join(list, ", ") + "]"
			}
			columns = append(columns, one)
		}
		tables = append(tables, line+": "+strings.Join(columns, ", "))
	}
	documents, left := []map[string]string{}, shownSources
	for _, s := range m.Sources {
		text := headBytes(clean(s.Text), min(shownSource, left))
		left -= len(text)
		if text != "" {
			documents = append(documents, map[string]string{"name": clippedTo(s.Name, 200), "text": text})
		}
	}
	return map[string]any{"pack": m.Name, "tables": tables, "metrics": m.Metrics, "documents": documents}
}

// ask asks the model for JSON: the rules as a system message, and the data as JSON in another.
func ask(ctx context.Context, m *llm.Client, purpose string, rules, data map[string]any, s llm.Schema, out any) error {
	var b strings.Builder
	if err := prompts.ExecuteTemplate(&b, "section.tmpl", rules); err != nil {
		return fmt.Errorf("write a prompt: %w", err)
	}
	body, err := json.Marshal(data)
	if err != nil {
		return err
	}
	steady := 0.0
	_, err = m.JSON(ctx, llm.Request{Purpose: purpose, Messages: []llm.Message{{Role: "system", Content: b.String()}, {Role: "user", Content: string(body)}}, MaxTokens: draftTokens, Temperature: &steady}, s, out)
	return err
}
