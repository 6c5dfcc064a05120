package sessions

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// Format is a form a session's result is exported in.
type Format string

// The formats.
const (
	JSON     Format = "json"
	CSV      Format = "csv"
	Markdown Format = "md"   // a brief to read, as the next two; see package brief
	DOCX     Format = "docx" // Word
	PDF      Format = "pdf"

	// SchemaInstance is an instance of the JSON Schema that the objective was made
	// from; only objectives that were have it.
	SchemaInstance Format = "json-schema-instance"
)

// Formats names the formats that every session has, to people.
const Formats = "json, csv, md, docx or pdf"

// MediaType returns the format's media type, or "" when there is no such format.
func (f Format) MediaType() string {
	switch f {
	case JSON, SchemaInstance:
		return "application/json"
	case Markdown:
		return "text/markdown; charset=utf-8"
	case CSV:
		return "text/csv; charset=utf-8"
	case DOCX:
		return "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case PDF:
		return "application/pdf"
	}
	return ""
}

// IsBrief reports whether f is a brief for people, not data.
func (f Format) IsBrief() bool { return f == Markdown || f == DOCX || f == PDF }

// Extension is how the name of a file in the format ends.
func (f Format) Extension() string {
	if f == SchemaInstance {
		return "json"
	}
	return string(f)
}

// Export renders the values of a session as data. JSON is shaped by the
// obligations' field paths, with currencies, units and the like under "$details", and leaves
// out what is not founded; CSV has a line an
// obligation, with cells that a spreadsheet would take for formulas made plain text.
// For a JSON Schema's instance see [Instance]; the formats for people are package
// brief's.
func Export(f Format, d *objectives.Definition, list []obligations.Obligation) ([]byte, error) {
	switch f {
	case JSON:
		return exportJSON(list)
	case CSV:
		return exportCSV(list)
	case SchemaInstance:
		return objectives.Instance(d, list)
	}
	return nil, fmt.Errorf("%q is no format of data", f)
}

// detailsName is the member of an export that has what was said of numbers and dates beside
// their values, by field path. No field path begins like that.
const detailsName = "$details"

func exportJSON(list []obligations.Obligation) ([]byte, error) {
	root, details := map[string]any{}, map[string]*obligations.Details{}
	for i := range list {
		o := &list[i]
		if !o.Founded() {
			continue
		}
		place(root, strings.Split(o.FieldPath, "."), o.Value)
		if d := o.Details(); d != nil {
			details[o.FieldPath] = d
		}
	}
	if len(details) > 0 {
		root[detailsName] = details
	}
	out, err := json.MarshalIndent(root, "", "  ")
	return append(out, '\n'), fault.Wrap(err, "export session")
}

// place puts v at path. Paths do not clash within an objective; one that clashes
// with an obligation that came up later keeps its value under "value".
func place(node map[string]any, path []string, v json.RawMessage) {
	for _, name := range path[:len(path)-1] {
		next, ok := node[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			if old, held := node[name]; held {
				next["value"] = old
			}
			node[name] = next
		}
		node = next
	}
	last := path[len(path)-1]
	if folder, ok := node[last].(map[string]any); ok {
		folder["value"] = v
		return
	}
	node[last] = v
}

// Words returns an obligation's value as people read it, or why there is none.
func Words(o *obligations.Obligation) string {
	if o.Value == nil {
		switch {
		case o.SkipReason == obligations.NotApplicable:
			return "does not apply"
		case o.SkipReason == obligations.NoPreference:
			return "no preference"
		case o.SkipReason == obligations.Declined:
			return "not said"
		}
		return "open"
	}
	var v any
	if json.Unmarshal(o.Value, &v) != nil {
		return string(o.Value)
	}
	return valueWords(o, v)
}

func valueWords(o *obligations.Obligation, v any) string {
	switch v := v.(type) {
	case string:
		if c := o.Pick(v); c != nil {
			return c.Label
		}
		return v
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = valueWords(o, v[i])
		}
		return strings.Join(words, ", ")
	case float64:
		return strings.TrimSpace(plainFigure(v) + " " + UnitWords(o.Unit))
	case map[string]any:
		low, hasLow := v["min"].(float64)
		high, hasHigh := v["max"].(float64)
		if hasLow && hasHigh {
			return strings.TrimSpace(plainFigure(low) + " to " + plainFigure(high) + " " + UnitWords(o.Unit))
		}
	}
	return string(o.Value)
}

// plainFigure writes x as spreadsheets read it: all of its digits, and no commas.
func plainFigure(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// UnitWords returns what stands behind a number of that unit: nothing behind an amount of
// money, whose currency is told apart.
func UnitWords(unit string) string {
	if unit == "money" {
		return ""
	}
	return unit
}

func yesOrEmpty(yes bool) string {
	if yes {
		return "yes"
	}
	return ""
}

// boundOf returns whether a value is a lower or an upper bound; "" for neither.
func boundOf(d *obligations.Details) string {
	switch {
	case d.Least:
		return "at least"
	case d.Most:
		return "at most"
	}
	return ""
}

func exportCSV(list []obligations.Obligation) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"key", "label", "category", "field_path", "status", "value", "confidence", "band", "evidence_kind", "turn", "quote", "source", "by",
		"currency", "period", "unit", "approximate", "bound"}}
	for i := range list {
		o := &list[i]
		row := []string{o.Key, o.Name(), o.Category, o.FieldPath, string(o.Status), "", o.Confidence.String(), string(o.Confidence.Band()), "", "", "", "", "", "", "", "", "", ""}
		if o.Value != nil {
			row[5] = InCurrency(o, Words(o))
		}
		if n := len(o.Evidence); n > 0 {
			e := o.Evidence[n-1]
			row[8], row[9], row[10], row[11], row[12] = string(e.Kind), fmt.Sprint(e.Turn), e.Quote, e.Source, e.By
		}
		if d := o.Details(); d != nil {
			row[13], row[14], row[15], row[16], row[17] = d.Currency, d.Period, d.Unit, yesOrEmpty(d.Approximate), boundOf(d)
		}
		rows = append(rows, row)
	}
	for _, row := range rows {
		for i := range row {
			row[i] = PlainCell(row[i])
		}
		if err := w.Write(row); err != nil {
			return nil, fmt.Errorf("export session: %w", err)
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// PlainCell returns s so that no spreadsheet takes it for a formula, even behind white space and invisible
// characters that it would trim, and neither what follows a semicolon or a tab, which separate cells where the
// comma separates decimals.
func PlainCell(s string) string {
	s = cellSigns.ReplaceAllString(s, "$1'$2")
	start := strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) })
	first, _ := utf8.DecodeRuneInString(start)
	if start != "" && strings.ContainsRune(formulaSigns, first) || s != "" && strings.ContainsRune("\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}

// formulaSigns begin formulas; spreadsheets take the wide ones for the others.
const formulaSigns = "=+-@＝＋－＠"

// cellSigns matches such a sign at the beginning of a cell for those who separate cells otherwise.
var cellSigns = regexp.MustCompile(`([;\t]\s*)([=+\-@＝＋－＠])`)
