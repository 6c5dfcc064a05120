package data

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs"
	"quaestor/sessions"
	"quaestor/web"
)

// findings are what a run found and recommends, as a file has it.
type findings struct {
	Run             string               `json:"runId"`
	Project         string               `json:"project"`
	RunType         runs.Outcome         `json:"runType,omitempty"` // how much came of the run
	Nothing         string               `json:"nothing,omitempty"` // why no finding stands; absent if one does
	Gaps            []string             `json:"gaps"`              // what was not searched or checked, in sentences
	Unsearched      []runs.Unsearched    `json:"unsearched"`
	Insights        []insightBody        `json:"insights"`
	Recommendations []recommendationBody `json:"recommendations"`

	at        time.Time // when the run ended, or was made
	dialect   string    // of its statements; empty if its warehouse is not connected any more
	warehouse string    // name
}

// findingFormats are the formats of findings. Programs that ask for none get JSON.
var findingFormats = map[string]struct {
	media string
	write func(*bytes.Buffer, findings) error
}{
	"json":  {"application/json", func(b *bytes.Buffer, f findings) error { return json.NewEncoder(b).Encode(f) }},
	"md":    {"text/markdown; charset=utf-8", writeFindings},
	"csv":   {"text/csv; charset=utf-8", writeFindingTable},
	"pdf":   {"application/pdf", writeFindingPDF},
	"ipynb": {"application/x-ipynb+json", writeNotebook},
}

// findingsOf answers with what a run found: as JSON, or as a file when a format is asked for.
func (s *Handlers) findingsOf(w http.ResponseWriter, r *http.Request) error {
	asked := r.URL.Query().Get("format")
	format, ok := findingFormats[cmp.Or(asked, "json")]
	if !ok {
		return fault.New(fault.Unprocessable, "format is json, md, csv, pdf or ipynb, not %q", web.Clip(asked)).At("format")
	}
	v, all, err := s.insightList(r)
	if err != nil {
		return err
	}
	list, err := runs.Recommendations(r.Context(), s.Pool, v.Tenant, runs.Selection{Run: v.ID})
	if err != nil {
		return err
	}
	f := findings{Run: v.ID, Project: v.ProjectName, Insights: web.Map(all, func(i InsightView) insightBody { return toInsightBody(i.Insight) }), Recommendations: web.Map(list, toRecommendationBody)}
	f.RunType, f.Gaps, f.Unsearched = v.Outcome, listed(v.gaps()), listed(v.Left)
	if v.Fallen == len(all) {
		f.Nothing = v.nothing()
	}
	f.at, f.warehouse = v.Created, v.WarehouseName
	if v.Ended != nil {
		f.at = *v.Ended
	}
	if v.Warehouse != "" {
		if house, err := s.Connections.Find(r.Context(), v.Tenant, v.Warehouse); err == nil {
			f.dialect = string(house.Kind)
		}
	}
	var body bytes.Buffer
	if err := format.write(&body, f); err != nil {
		return fmt.Errorf("findings of run %s: %w", v.ID, err)
	}
	if asked != "" {
		w.Header().Set("Content-Disposition", `attachment; filename="findings-`+v.ID[:8]+"."+asked+`"`)
	}
	w.Header().Set("Content-Type", format.media)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body.Bytes()) // nobody is left to be told when the reader has gone
	return nil
}

// extent says what the findings are not about: why there are none, and what was not searched or checked.
func (f findings) extent() []string {
	var out []string
	if f.RunType == runs.PartialOutcome || f.RunType == runs.NoOutcome && len(f.Gaps) > 0 {
		out = append(out, "This is not complete.")
	}
	if f.Nothing != "" {
		out = append(out, f.Nothing)
	}
	return append(out, f.Gaps...)
}

// writeFindings writes a document that people read.
func writeFindings(b *bytes.Buffer, f findings) error {
	fmt.Fprintf(b, "# Findings for %s\n", web.MarkdownText(f.Project))
	for _, s := range f.extent() {
		fmt.Fprintf(b, "\n%s\n", web.MarkdownText(s))
	}
	for _, i := range f.Insights {
		fmt.Fprintf(b, "\n## %s\n\n%s\n\n", web.MarkdownText(i.Name), web.MarkdownText(i.Text))
		fmt.Fprintf(b, "- Severity: %s. Records: %s. Check: %s. %s\n", i.Severity, countWords(i.Affected), cmp.Or(string(i.Review.Status), "none yet"), web.MarkdownText(i.Review.Reason))
		for _, g := range i.Figures {
			fmt.Fprintf(b, "- %s: %s\n\n  ```sql\n  %s\n  ```\n", web.MarkdownText(g.Name), web.MarkdownText(g.Text), fenced.Replace(g.SQL))
		}
	}
	if len(f.Recommendations) > 0 {
		b.WriteString("\n# Recommendations\n")
	}
	for _, c := range f.Recommendations {
		fmt.Fprintf(b, "\n## %s\n\n%s\n\n", web.MarkdownText(c.Title), web.MarkdownText(c.Text))
		fmt.Fprintf(b, "- Expected: %s: %s. %s\n- Effort: %s. Status: %s. Rests on %s.\n\n", web.MarkdownText(c.Impact.Metric), web.MarkdownText(c.Impact.Improvement), web.MarkdownText(c.Impact.Reasoning), c.Effort, c.Status, strings.Join(c.Insights, ", "))
		for n, a := range c.Actions {
			fmt.Fprintf(b, "%d. %s\n", n+1, web.MarkdownText(a))
		}
	}
	return nil
}

// fenced indents a statement and keeps it from ending the block that it stands in.
var fenced = strings.NewReplacer("\r\n", "\n  ", "\r", "\n  ", "\n", "\n  ", "```", "` ` `")

// writeFindingTable writes one row for each figure of each insight, and one of the kind not_searched for each table
// that was not searched.
func writeFindingTable(b *bytes.Buffer, f findings) error {
	w := csv.NewWriter(b)
	rows := [][]string{{"id", "area", "kind", "severity", "finding", "table", "segment", "from", "to", "affected", "verified", "status", "standing", "figure", "value", "unit", "sql", "recommendations"}}
	for _, i := range f.Insights {
		var from, to string
		if i.Period != nil {
			from, to = i.Period.From, i.Period.To
		}
		segment := strings.Join(web.Map(i.Segment, func(c insight.Condition) string { return c.Column + "=" + c.Value }), "; ")
		for _, g := range i.Figures {
			rows = append(rows, []string{i.ID, i.Area, string(i.Kind), string(i.Severity), i.Name, i.Table, segment, from, to, strconv.FormatInt(i.Affected, 10), strconv.FormatInt(i.Review.Verified, 10),
				string(i.Review.Status), string(i.Standing), g.Name, strconv.FormatFloat(g.Value, 'f', -1, 64), string(g.Unit), g.SQL, strings.Join(i.Related, "; ")})
		}
	}
	for _, u := range f.Unsearched {
		row := make([]string, len(rows[0]))
		row[2], row[4], row[5] = "not_searched", strings.Join(runs.UnsearchedWords([]runs.Unsearched{u}), " "), u.Table
		rows = append(rows, row)
	}
	for n, row := range rows {
		if n > 0 {
			row = web.Map(row, plainCell)
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// plainCell keeps a spreadsheet from taking a cell for a formula, unless it is a number.
func plainCell(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return sessions.PlainCell(s)
}

// describeFindings adds the file of findings to the description of the API.
func describeFindings(doc *huma.OpenAPI) {
	id := &huma.Param{Name: "id", In: "path", Required: true, Description: "id of the run", Schema: &huma.Schema{Type: "string", Format: "uuid"}}
	format := &huma.Param{Name: "format", In: "query", Description: "json, md, csv, pdf or ipynb (a notebook, nbformat 4); named, the answer is a file", Schema: &huma.Schema{Type: "string", Enum: []any{"json", "md", "csv", "pdf", "ipynb"}}}
	content := map[string]*huma.MediaType{}
	for _, f := range findingFormats {
		content[strings.TrimSuffix(f.media, "; charset=utf-8")] = &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
	}
	doc.AddOperation(&huma.Operation{OperationID: "run-findings", Method: http.MethodGet, Path: "/api/v1/runs/{id}/findings", Summary: "What a run found and recommends, as JSON or a file",
		Tags: []string{"runs"}, Parameters: []*huma.Param{id, format}, Responses: map[string]*huma.Response{"default": web.DescribeRefusal(doc, "Refused"), "200": {Description: "OK", Content: content}}})
}
