package runs

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/llm"
)

// FindingAnswer is an answer to a question about the findings of a project.
type FindingAnswer struct {
	Sentences []CitedSentence `json:"sentences" nullable:"false"`
	Findings  []Finding       `json:"findings" nullable:"false" doc:"those that sentences cite, by their number from 1"`
	Quoted    bool            `json:"quoted" doc:"no model answered: the findings that fit best are quoted"`
	Note      string          `json:"note,omitempty" doc:"why they are quoted, or what was left out"`
	By        string          `json:"by" doc:"rules, or the name of the model"`
}

// CitedSentence is a sentence with the numbers of the findings that say so.
type CitedSentence struct {
	Text  string `json:"text"`
	Cites []int  `json:"cites" nullable:"false"`
}

// Bounds of an answer.
const (
	shownFindings = 8 // that a model is shown
	quotedMost    = 3 // that are quoted
	answerTokens  = 1200
)

//go:embed prompts/answer.md
var answerPrompt string

var answerSchema = mustSchema("finding_answer", `{"type": "object", "additionalProperties": false, "required": ["sentences"], "properties": {"sentences": {"type": "array", "maxItems": 8, "items": {
	"type": "object", "additionalProperties": false, "required": ["text", "cites"], "properties": {"text": {"type": "string"}, "cites": {"type": "array", "maxItems": 8, "items": {"type": "integer"}}}}}}}`)

// mustSchema compiles a schema of the program. A mistake in one is a mistake in the program.
func mustSchema(name, schema string) llm.Schema {
	s, err := llm.NewSchema(name, []byte(schema))
	if err != nil {
		panic("runs: " + err.Error())
	}
	return s
}

// Ask answers a question from the findings of a project. With a model, each sentence of the answer cites
// findings that were found and states no figure that they do not have; sentences that do otherwise are
// left out. Without a model, or when nothing of its answer is left, the best findings are quoted.
func (s *Searcher) Ask(ctx context.Context, tenant, project, question string) (FindingAnswer, error) {
	found, err := s.Search(ctx, tenant, project, question)
	if err != nil {
		return FindingAnswer{}, err
	}
	if len(found) == 0 {
		return FindingAnswer{Sentences: []CitedSentence{}, Findings: []Finding{}, Quoted: true, Note: "No finding of this project is about that.", By: "rules"}, nil
	}
	found = found[:min(len(found), shownFindings)]
	var model *llm.Client
	if s.Model != nil {
		model = s.Model(ctx, tenant)
	}
	if model == nil {
		return quoteFindings(found, "No language model is set up, so these are the findings that fit best, in their own words."), nil
	}
	said, err := s.say(ctx, model, question, found)
	if ctx.Err() != nil {
		return FindingAnswer{}, ctx.Err()
	}
	if err != nil {
		s.log().WarnContext(ctx, "answer from findings", "tenant", tenant, "project", project, "err", err)
		return quoteFindings(found, "The language model gave no answer, so these are the findings that fit best, in their own words."), nil
	}
	kept := slices.DeleteFunc(slices.Clone(said), func(c CitedSentence) bool { return !c.holds(found) })
	if len(kept) == 0 {
		return quoteFindings(found, "Nothing that the language model said could be held against a finding, so these are the findings that fit best, in their own words."), nil
	}
	out := FindingAnswer{Sentences: kept, Findings: found, By: "model " + model.Model()}
	if n := len(said) - len(kept); n > 0 {
		out.Note = fmt.Sprintf("%d of %d sentences were left out, because no finding says them.", n, len(said))
	}
	return out, nil
}

// quoteFindings is the answer that quotes the best findings, and recommendations only if there is no
// insight among what was found.
func quoteFindings(found []Finding, note string) FindingAnswer {
	insights := slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.Kind != InsightFinding })
	if len(insights) > 0 {
		found = insights
	}
	found = found[:min(len(found), quotedMost)]
	out := FindingAnswer{Findings: found, Quoted: true, Note: note, By: "rules"}
	for i, f := range found {
		out.Sentences = append(out.Sentences, CitedSentence{strings.TrimSuffix(f.Title, ".") + ".", []int{i + 1}})
	}
	return out
}

// say asks the model for an answer.
func (s *Searcher) say(ctx context.Context, model *llm.Client, question string, found []Finding) ([]CitedSentence, error) {
	type shown struct {
		Number int         `json:"number"`
		Kind   FindingKind `json:"kind"`
		Title  string      `json:"title"`
		Text   string      `json:"text"`
		Date   string      `json:"date"`
	}
	var list []shown
	for i, f := range found {
		list = append(list, shown{i + 1, f.Kind, f.Title, f.Text, f.At.UTC().Format("2006-01-02")})
	}
	data, err := json.Marshal(map[string]any{"question": question, "findings": list})
	if err != nil {
		return nil, fmt.Errorf("encode findings: %w", err)
	}
	steady := 0.0
	var answer struct {
		Sentences []CitedSentence `json:"sentences"`
	}
	_, err = model.JSON(ctx, llm.Request{Purpose: "findings", MaxTokens: answerTokens, Temperature: &steady,
		Messages: []llm.Message{{Role: "system", Content: answerPrompt}, {Role: "user", Content: "<findings>\n" + string(data) + "\n</findings>"}}}, answerSchema, &answer)
	for i := range answer.Sentences {
		t := &answer.Sentences[i].Text
		*t = strings.TrimSpace(bracketed.ReplaceAllString(clean(*t), ""))
	}
	return answer.Sentences, err
}

// figures matches the numbers in a text.
var figures = regexp.MustCompile(`\d[\d.,]*\d|\d`)

// holds reports whether a sentence cites findings that there are, and states no figure that these do not
// have.
func (c *CitedSentence) holds(found []Finding) bool {
	if c.Text == "" || len(c.Cites) == 0 {
		return false
	}
	known := map[string]bool{}
	for _, n := range c.Cites {
		if n < 1 || n > len(found) {
			return false
		}
		for _, f := range figures.FindAllString(found[n-1].Title+" "+found[n-1].Text, -1) {
			known[f] = true
		}
	}
	for _, f := range figures.FindAllString(c.Text, -1) {
		if !known[f] {
			return false
		}
	}
	return true
}

// bracketed matches citations.
var bracketed = regexp.MustCompile(`\s*\[\d+(?:,\s*\d+)*\]`)
