package repair

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"quaestor/internal/llm"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packs"
)

// PromptVersion numbers the wording of the prompts. It is raised with every change in what the
// model is told.
const PromptVersion = 1

//go:embed prompts/*.md
var promptFiles embed.FS

// The placeholders. Every prompt must contain all of them.
const (
	originalSQL         = "ORIGINAL_SQL"
	errorClass          = "ERROR_CLASS"
	errorMessage        = "ERROR_MESSAGE"
	schemaInfo          = "SCHEMA_INFO"
	filterRule          = "FILTER"
	attempts            = "ATTEMPTS"
	verificationContext = "VERIFICATION_CONTEXT"
)

// placeholders are the names that a repair prompt may use.
var placeholders = []string{originalSQL, errorClass, errorMessage, schemaInfo, filterRule, attempts, verificationContext}

// dialects are the dialects that have a prompt.
var dialects = []guard.Dialect{guard.PostgreSQL, guard.Redshift, guard.MySQL, guard.MariaDB, guard.DuckDB, guard.ClickHouse, guard.SQLServer, guard.BigQuery, guard.Snowflake}

// templates are the built-in prompts, by dialect.
var templates = loadTemplates()

// loadTemplates parses the embedded prompts. A mistake in one is a mistake in the program.
func loadTemplates() map[guard.Dialect]*packs.PromptTemplate {
	out := map[guard.Dialect]*packs.PromptTemplate{}
	for _, d := range dialects {
		file := "prompts/" + string(d) + ".md"
		text, err := promptFiles.ReadFile(file)
		if err != nil {
			panic("repair: " + err.Error())
		}
		if out[d], err = packs.NewTemplate(string(text), placeholders); err != nil {
			panic("repair: " + file + ": " + err.Error())
		}
	}
	return out
}

const (
	// The bounds keep prompts small on wide schemas and long runs. A reply holds one statement.
	maxTokens       = 4096  // of a reply
	maxShownColumns = 150   // columns shown of a table
	maxShownTables  = 12    // tables shown for a statement
	maxSimilar      = 8     // tables suggested for an unknown name
	maxEvidence     = 32000 // bytes
)

// ask asks the model for a corrected statement. It is empty if the reply contains none. The
// prompt holds the statement, the fault, the columns of the tables it names and the earlier
// attempts. Messages of the warehouse are quoted, because they are data and may hold text of
// others. The usage is returned beside an error, too. Temperature is zero, so that a repair is as
// repeatable as the model allows.
func (f Fixer) ask(ctx context.Context, c *repairLoop, fault *warehouse.QueryError) (string, warehouse.TokenUsage, error) {
	t := templates[c.src.Dialect()]
	if t == nil {
		return "", warehouse.TokenUsage{}, fmt.Errorf("no prompt for dialect %q", c.src.Dialect())
	}
	prompt, err := t.Fill(packs.Values{
		originalSQL:         c.question.SQL,
		errorClass:          string(fault.Class),
		errorMessage:        strconv.Quote(fault.Message),
		schemaInfo:          columnsOf(c.src.Catalog(), c.src.Dialect(), c.question.SQL),
		filterRule:          c.src.Filter().Column,
		attempts:            past(c.fixes),
		verificationContext: latest(c.options.Evidence, maxEvidence),
	})
	if err != nil {
		return "", warehouse.TokenUsage{}, err
	}
	zero := 0.0
	reply, err := f.Model.Stream(ctx, llm.Request{Purpose: "mend", Messages: []llm.Message{{Role: "user", Content: prompt}}, MaxTokens: maxTokens, Temperature: &zero},
		func(string) error { return nil })
	spent := warehouse.TokenUsage{In: reply.Usage.PromptTokens, Out: reply.Usage.CompletionTokens, Calls: max(1, reply.Attempts)}
	if err != nil {
		return "", spent, err
	}
	return statementIn(reply.Text), spent, nil
}

// latest returns the end of s that fits into limit, starting at a line. The beginning is dropped
// because the latest evidence matters most. Without a line break it may begin inside a line.
func latest(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = s[len(s)-limit:]
	if at := strings.IndexByte(s, '\n'); at >= 0 {
		return s[at+1:]
	}
	return strings.ToValidUTF8(s, "")
}

// past lists the earlier attempts, oldest first. It is empty for the first attempt.
func past(fixes []warehouse.Fix) string {
	var b strings.Builder
	for i, f := range fixes {
		fmt.Fprintf(&b, "%d. %s\n   failed: %s %s\n", i+1, f.From, f.Class, strconv.Quote(f.Error))
	}
	return b.String()
}

// columnsOf writes a line with the columns of each table that a statement names. For an unknown
// name it suggests similar tables. At most maxShownTables names are described, each once; names
// that WITH defines are skipped.
func columnsOf(x *catalog.Index, d guard.Dialect, sql string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, r := range lex(d, sql).relations(x) {
		switch {
		case r.query || seen[r.ref] || len(seen) >= maxShownTables:
		case r.table != nil:
			writeColumns(&b, d, r.table)
		default:
			fmt.Fprintf(&b, "There is no table %s. Tables like it: %s\n", strconv.Quote(r.ref), strings.Join(similar(x, r.ref), ", "))
		}
		seen[r.ref] = true
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// writeColumns writes a table with the types of its columns.
func writeColumns(b *strings.Builder, d guard.Dialect, t *catalog.Table) {
	b.WriteString(writtenTable(d, t) + " (")
	for i, c := range t.Columns[:min(len(t.Columns), maxShownColumns)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(written(d, c.Name) + " " + c.Type)
	}
	if more := len(t.Columns) - maxShownColumns; more > 0 {
		fmt.Fprintf(b, ", and %d more", more)
	}
	b.WriteString(")\n")
}

// similar returns tables whose names resemble the last part of ref, or "none". Names resemble
// each other if one contains the other, regardless of number and separators, or if they differ by
// at most three edits. At most maxSimilar are returned, in the order of the catalog.
func similar(x *catalog.Index, ref string) []string {
	var out []string
	want := squeezed(lastPart(ref))
	for i := range x.Len() {
		t := x.Table(i)
		have := squeezed(t.Name)
		if strings.Contains(have, singular(want)) || strings.Contains(want, singular(have)) || edits(want, have, 3) <= 3 {
			if out = append(out, t.Ref()); len(out) == maxSimilar {
				break
			}
		}
	}
	if out == nil {
		return []string{"none"}
	}
	return out
}

// statementIn extracts the statement from a model's reply: the last object with fixed_sql, else
// the last code fence, else the whole reply if it is a query. It is empty if the reply holds
// none. Whatever it returns still has to pass the guard.
func statementIn(reply string) string {
	if sql := lastFixed(reply); sql != "" {
		return sql
	}
	if all := fenced.FindAllStringSubmatch(reply, -1); all != nil {
		return strings.TrimSpace(all[len(all)-1][1])
	}
	reply = strings.TrimSpace(reply)
	if s := lex(guard.PostgreSQL, reply); s.at(0).isAny("SELECT", "WITH") {
		return reply
	}
	return ""
}

// lastFixed returns fixed_sql of the last JSON object in reply that has it. Earlier objects may
// be drafts, so the last one counts. Braces that begin no valid object are skipped.
func lastFixed(reply string) (sql string) {
	for rest := reply; ; {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			return sql
		}
		var answer struct {
			SQL string `json:"fixed_sql"`
		}
		d := json.NewDecoder(strings.NewReader(rest[at:]))
		if d.Decode(&answer) == nil && strings.TrimSpace(answer.SQL) != "" {
			sql = strings.TrimSpace(answer.SQL)
			at += int(d.InputOffset()) - 1
		}
		rest = rest[at+1:]
	}
}
