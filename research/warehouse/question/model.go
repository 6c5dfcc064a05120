package question

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/internal/llm"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/metrics"
	"quaestor/research/warehouse/repair"
)

//go:embed prompts
var files embed.FS

var (
	prompts     = template.Must(template.ParseFS(files, "prompts/*.tmpl"))
	writeSchema = mustSchema("warehouse_query", "prompts/write.schema.json")
	tellSchema  = mustSchema("warehouse_answer", "prompts/tell.schema.json")
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
	shownTables = 8
	writeTokens = 3000
	tellTokens  = 1500
	maxSentence = 400 // characters
)

// Why the rules answer in place of a model.
var (
	errNoSQL         = errors.New("the model wrote no query")
	errOwnDefinition = errors.New("the model's query does not follow the definition of the metric")
	errNoName        = errors.New("the model does not name the day of the week")
)

// asking is a question that a model answers.
type asking struct {
	gateway warehouse.Gateway
	text    Text
	options Options
	defined []metrics.Match // definitions that the question names
}

// askModel is the answer of a model: its statement, guarded and repaired like every other, and its
// sentence if the figures in it are those of the result.
func askModel(ctx context.Context, g warehouse.Gateway, q Text, o Options) (*Answer, error) {
	shown, must := definitionsOf(q, g.Catalog())
	m := asking{g, q, o, shown}
	sql, err := m.write(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range must {
		if !d.follows(sql) {
			return nil, errOwnDefinition
		}
	}
	answer, fixes, err := repair.Run(ctx, repair.Fixer{Model: o.Model}, g, warehouse.Query{SQL: sql}, repair.Options{})
	if err != nil {
		return nil, err
	}
	a := &Answer{SQL: sql, Sent: answer.Sent.SQL, Fixes: fixes, By: "model " + o.Model.Model(), At: q.Now, Table: strings.Join(answer.Sent.Tables, ", "), Result: compact(answer.Result)}
	if err := m.tell(ctx, a); err != nil {
		return nil, err
	}
	l := messages.In(q.Language)
	for _, d := range must {
		a.Metric = d.Name
		a.Sentence += " " + l.Text("data.defined-model", messages.Args{"metric": messages.Quote(d.Title()), "definition": messages.Text(d.words(l))})
	}
	return a, nil
}

// definitionsOf returns the definitions that a question names, and the metrics among them that the
// statement has to be written by: the one that the rules read, or, where they read nothing, all that
// are not just the name of a table.
func definitionsOf(q Text, x *catalog.Index) (shown []metrics.Match, must []*metric) {
	shown = metrics.Find(q.Defined, clauseOf(q.Words, q.Names...))
	read, unclear := Read(q, x)
	if unclear == nil {
		if read.metric != nil {
			must = append(must, read.metric)
		}
		return shown, must
	}
	r := &reader{Text: q}
	for _, d := range withoutTables(shown) {
		if d.Kind == metrics.Metric {
			must = append(must, r.metricOf(d.Spec))
		}
	}
	return shown, must
}

// write asks for the statement.
func (m asking) write(ctx context.Context) (string, error) {
	hits, err := m.gateway.Search(ctx, clauseOf(m.text.Words, m.text.Names...), shownTables)
	if err != nil {
		return "", err
	}
	refs, definitions := m.definedOver(), []string(nil)
	for _, d := range m.defined {
		definitions = append(definitions, d.Says())
		for _, part := range (&reader{Text: m.text}).metricOf(d.Spec).parts {
			if d.IsRatio() {
				definitions = append(definitions, part.Line())
			}
			if part.Time != "" {
				definitions = append(definitions, part.Name+" goes by the time "+part.Time)
			}
		}
	}
	for _, h := range hits {
		if !slices.Contains(refs, h.Ref) {
			refs = append(refs, h.Ref)
		}
	}
	found, err := m.gateway.Lookup(ctx, refs)
	if err != nil {
		return "", err
	}
	var tables []string
	for _, t := range found.Tables {
		tables = append(tables, t.Text)
	}
	if len(tables) == 0 {
		return "", errNoSQL
	}
	data := map[string]any{"question": m.text.Words, "tables": tables}
	if len(definitions) > 0 {
		data["definitions"] = definitions
	}
	var out struct{ SQL string }
	err = m.ask(ctx, "warehouse_query", "write.tmpl", map[string]any{"Dialect": m.gateway.Dialect(), "MaxRows": mostGroups, "Today": day(m.text.Now), "Defined": len(definitions) > 0},
		data, writeTokens, writeSchema, &out)
	if err == nil && strings.TrimSpace(out.SQL) == "" {
		return "", errNoSQL
	}
	return out.SQL, err
}

// definedOver returns the tables of the definitions that the question names.
func (m asking) definedOver() []string {
	r := &reader{Text: m.text}
	var out []string
	for _, d := range m.defined {
		for _, part := range r.metricOf(d.Spec).parts {
			if !slices.Contains(out, part.Table) {
				out = append(out, part.Table)
			}
		}
	}
	return out
}

// ask asks the model for JSON: the rules as a system message, and the data as JSON in another.
func (m asking) ask(ctx context.Context, purpose, prompt string, rules, data map[string]any, tokens int, s llm.Schema, out any) error {
	var b strings.Builder
	if err := prompts.ExecuteTemplate(&b, prompt, rules); err != nil {
		return fmt.Errorf("write prompt %s: %w", prompt, err)
	}
	body, err := json.Marshal(data)
	if err != nil {
		return err
	}
	steady := 0.0
	_, err = m.options.Model.JSON(ctx, llm.Request{Purpose: purpose, Messages: []llm.Message{{Role: "system", Content: b.String()}, {Role: "user", Content: string(body)}}, MaxTokens: tokens, Temperature: &steady}, s, out)
	return err
}

// told is what a model says of a result.
type told struct {
	Row      int
	Column   string
	Sentence string
}

// tell asks for the sentence, and writes another where the model's does not hold.
func (m asking) tell(ctx context.Context, a *Answer) error {
	if len(a.Result.AllRows) == 0 {
		return errEmpty
	}
	var out told
	err := m.ask(ctx, "warehouse_answer", "tell.tmpl", map[string]any{"Language": m.text.Language}, map[string]any{"question": m.text.Words, "sql": a.Sent, "result": string(a.Result.AppendPrompt(nil))}, tellTokens, tellSchema, &out)
	if err != nil && ctx.Err() != nil {
		return err
	}
	at := slices.IndexFunc(a.Result.Columns, func(c digest.ColumnSummary) bool { return c.Name == out.Column })
	if err != nil || at < 0 || out.Row < 1 || out.Row > len(a.Result.AllRows) {
		out.Row, at, out.Sentence = 1, firstNumber(a.Result), ""
	}
	if at < 0 {
		return errEmpty
	}
	cell := a.Result.AllRows[out.Row-1][at]
	figure, ok := numberOf(cell)
	if !ok {
		return errEmpty
	}
	a.Figure, a.Exact, a.Cell = figure, strings.Trim(string(cell), `"`), Cell{Row: out.Row, Column: a.Result.Columns[at].Name}
	l := messages.In(m.text.Language)
	a.Sentence = language.OneLine(out.Sentence)
	if !holds(a, m.text) {
		a.Sentence = l.Text("data.model-answer", messages.Args{"figure": messages.Text(l.Number(Rounded(figure))), "column": messages.Quote(a.Cell.Column), "table": messages.Text(a.Table)})
	}
	if numbersDays(a.Sent) && !namesWeekday(l, a.Sentence) {
		return errNoName
	}
	a.Sentence = l.Text("data.according", messages.Args{"warehouse": messages.Quote(m.options.Name), "text": messages.Text(a.Sentence)})
	return nil
}

// dayNumbers matches the functions of SQL that number the days of the week.
var dayNumbers = regexp.MustCompile(`(?i)\b(?:isodow|dow|isodayofweek|dayofweek|dayofweekiso|todayofweek|weekday)\b`)

// numbersDays reports whether a statement has groups by the number of the day of the week.
func numbersDays(sql string) bool {
	upper := strings.ToUpper(sql)
	list, _, _ := strings.Cut(upper, "FROM") // EXTRACT(DOW FROM …) has its part before it
	return strings.Contains(upper, "GROUP BY") && dayNumbers.MatchString(list)
}

// namesWeekday reports whether a sentence names a day of the week.
func namesWeekday(l *messages.Language, sentence string) bool {
	for n := range 7 {
		if strings.Contains(sentence, l.Weekday(n+1)) {
			return true
		}
	}
	return false
}

// firstNumber returns the first column whose first cell is a number; -1 for none.
func firstNumber(d *digest.CompactResult) int {
	return slices.IndexFunc(d.AllRows[0], func(cell json.RawMessage) bool { _, ok := numberOf(cell); return ok })
}

// numerals matches numbers as people write them.
var numerals = regexp.MustCompile(`\d+(?:[.,'’  ]\d+)*`)

// foreign matches what no sentence about a figure has: addresses, markup.
var foreign = regexp.MustCompile("(?i)https?:|www\\.|@|[<>`\\[\\]]")

// holds reports whether a sentence may be told: it names the figure of its cell, and every other
// number in it stands in the result, the statement or the question.
func holds(a *Answer, q Text) bool {
	if a.Sentence == "" || utf8.RuneCountInString(a.Sentence) > maxSentence || foreign.MatchString(a.Sentence) {
		return false
	}
	known := numerals.FindAllString(q.Words+" "+a.Sent+" "+string(a.Result.AppendPrompt(nil)), -1)
	named := false
	for _, n := range numerals.FindAllString(a.Sentence, -1) {
		switch {
		case isFigure(n, a.Figure):
			named = true
		case slices.Contains(known, n), slices.ContainsFunc(a.Result.AllRows, func(row digest.Row) bool { return rowHas(row, n) }):
		default:
			return false
		}
	}
	return named
}

// rowHas reports whether a number stands in a row.
func rowHas(row digest.Row, n string) bool {
	return slices.ContainsFunc(row, func(cell json.RawMessage) bool {
		v, ok := numberOf(cell)
		return ok && isFigure(n, v)
	})
}

// isFigure reports whether a number, as people write it, is v to as many digits as it has. What
// groups thousands and what parts decimals differ by language, so both readings count.
func isFigure(n string, v float64) bool {
	for _, point := range []string{".", ","} {
		whole, fraction, _ := strings.Cut(n, point)
		if strings.ContainsAny(fraction, ".,'’  ") {
			whole, fraction = n, ""
		}
		plain := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, whole)
		if fraction != "" {
			plain += "." + fraction
		}
		got, err := strconv.ParseFloat(plain, 64)
		scale := math.Pow10(len(fraction))
		if err == nil && math.Abs(math.Round(math.Abs(v)*scale)/scale-got) < 1e-9*math.Max(1, got) {
			return true
		}
	}
	return false
}
