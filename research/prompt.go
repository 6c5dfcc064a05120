package research

import (
	"bytes"
	"embed"
	"encoding/json"
	"strings"
	"text/template"
	"unicode"

	"quaestor/internal/llm"
	"quaestor/research/claims"
)

// PromptVersion is the version of the researcher's prompts. It rises with every
// change that alters what a model is told; each file states it in its first line.
const PromptVersion = 1

//go:embed prompts/*
var promptFiles embed.FS

// prompts are the parsed templates, one per message of a prompt.
var prompts = template.Must(template.New("").Funcs(template.FuncMap{"json": promptJSON}).ParseFS(promptFiles, "prompts/*.tmpl"))

var (
	planSchema    = mustSchema("searches", "prompts/plan.schema.json")
	claimsSchema  = mustSchema("claims", "prompts/claims.schema.json")
	proposeSchema = mustSchema("proposal", "prompts/propose.schema.json")
)

// mustSchema parses an embedded JSON schema; a bad one is a programming error.
func mustSchema(name, file string) llm.Schema {
	text, err := promptFiles.ReadFile(file)
	if err != nil {
		panic("research: " + err.Error())
	}
	schema, err := llm.NewSchema(name, text)
	if err != nil {
		panic("research: " + file + ": " + err.Error())
	}
	return schema
}

// promptLimits are the limits a prompt states. The templates take them from here,
// the values the code enforces, so that the two cannot differ.
type promptLimits struct {
	Queries    int // searches of a plan
	QueryRunes int
	Drafts     int // claims of one source
	ValueRunes int // of a value
	TextRunes  int // of a source
	Choices    int
}

// limits are the values in force. QueryRunes is the length to which
// claims.CleanQuery cuts.
var limits = promptLimits{Queries: maxQueries, QueryRunes: 380, Drafts: 6, ValueRunes: 600, TextRunes: 24_000, Choices: 60}

// promptJSON encodes v on one line. It escapes <, > and &, so that no text in the
// data can imitate the tag that ends it.
func promptJSON(v any) (string, error) {
	out, err := json.Marshal(v)
	return string(out), err
}

// render executes a prompt template.
func render(name string, data any) string {
	var b bytes.Buffer
	if err := prompts.ExecuteTemplate(&b, name, data); err != nil { // only a fault of the template itself, which the tests rule out
		panic("research: prompt " + name + ": " + err.Error())
	}
	return strings.TrimSpace(b.String())
}

// brief is the data of the prompt templates.
type brief struct {
	Limits   promptLimits
	Question claims.ResearchQuestion
	Steering []string

	Title, Published, Text string // of a source
	Cut                    bool

	Prompt string // of an obligation
	Form   any
	Claims []claimBrief
}

// claimBrief is a claim as the model sees it.
type claimBrief struct {
	N       int    `json:"n"`
	Says    string `json:"says"`
	Source  string `json:"source"`
	Against []int  `json:"saidOtherwiseBy,omitempty"`
}

// brief returns what every prompt of the task shows: the question and where to look.
func (w *taskRun) brief() brief {
	b := brief{Limits: limits, Question: w.question}
	for _, s := range w.task.Steering {
		b.Steering = append(b.Steering, s.Text)
	}
	return b
}

// promptMessages puts the parts of a prompt in their places: only the rules speak as the
// system, and the data is a message of its own.
func promptMessages(system, data, now string) []llm.Message {
	return []llm.Message{
		{Role: "system", Content: system},
		{Role: "user", Content: data},
		{Role: "assistant", Content: render("read", nil)},
		{Role: "user", Content: now},
	}
}

// excerpt cuts a text to at most limit characters: it keeps the paragraphs that
// share most words with the question, in order, with … where some are left out.
func excerpt(text string, q claims.ResearchQuestion, limit int) (out string, cut bool) {
	if len(text) <= limit {
		return text, false
	}
	wanted := words(q.Text + " " + strings.Join(q.Terms, " ") + " " + strings.Join(q.Only, " "))
	parts := strings.Split(text, "\n\n")
	keep := best(parts, wanted, limit)
	var b strings.Builder
	for i, p := range parts {
		switch {
		case keep[i]:
			b.WriteString(p + "\n\n")
		case i == 0 || keep[i-1]:
			b.WriteString("…\n\n")
		}
	}
	return strings.TrimSpace(b.String()), true
}

// best marks the paragraphs worth showing, those with the most wanted words for
// their length, until limit is used up.
func best(parts []string, wanted map[string]bool, limit int) []bool {
	keep, score := make([]bool, len(parts)), make([]float64, len(parts))
	for i, p := range parts {
		seen := words(p)
		for word := range seen {
			if wanted[word] {
				score[i]++
			}
		}
		score[i] /= 1 + float64(len(seen))/200
	}
	for {
		at := -1
		for i, p := range parts {
			if !keep[i] && len(p) <= limit && (at < 0 || score[i] > score[at]) {
				at = i
			}
		}
		if at < 0 {
			return keep
		}
		keep[at], limit = true, limit-len(parts[at])
	}
}

// words returns the words of a text that are long enough to carry meaning.
func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(word) > 3 {
			out[word] = true
		}
	}
	return out
}
