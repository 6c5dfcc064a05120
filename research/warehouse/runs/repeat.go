package runs

import (
	"fmt"
	"strings"

	"quaestor/research/warehouse"
)

// asksAgain returns an earlier step with the same query whose answer is still valid,
// or nil. A failure that may be temporary is not.
func asksAgain(steps []warehouse.Step, query string) *warehouse.Step {
	key := normalised(query)
	for i := range steps {
		s := &steps[i]
		if s.Type == warehouse.QueryStep && s.Repeats == 0 && (s.Error == "" || s.Class.Repairable()) && len(s.Query) > 0 && normalised(s.Query) == key {
			return s
		}
	}
	return nil
}

// repeat answers a step with the result of an earlier one.
func repeat(s, was *warehouse.Step) {
	s.Repeats, s.SQL, s.Tables, s.Rows, s.More, s.Digest = was.N, was.SQL, was.Tables, was.Rows, was.More, was.Digest
	s.Error, s.Class = was.Error, was.Class
	s.Answer = fmt.Sprintf("This is the query of step %d again; what came of it stands. Ask for something else.", was.N)
}

// searchesAgain returns an earlier step with the same search as s, or nil.
func searchesAgain(steps []warehouse.Step, s *warehouse.Step) *warehouse.Step {
	for i := range steps {
		was := &steps[i]
		if was.Type == warehouse.SearchStep && was.Repeats == 0 && was.Error == "" && was.TopK >= s.TopK && strings.EqualFold(oneLine(was.Search), oneLine(s.Search)) {
			return was
		}
	}
	return nil
}

// oneLine collapses all white space of s into single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// normalised removes from a query what makes no difference in any dialect: white
// space outside quotes, and trailing semicolons. A query with comments, or with
// quotes that dialects interpret differently, is returned unchanged.
func normalised(query string) string {
	query = strings.Trim(strings.TrimRight(query, " \n\t\r;"), " \n\t\r")
	if strings.ContainsAny(query, `\$#[`) || strings.Contains(query, "--") || strings.Contains(query, "/*") {
		return query
	}
	var b strings.Builder
	b.Grow(len(query))
	for i := 0; i < len(query); {
		end := i + 1
		switch c := query[i]; {
		case c == '\'' || c == '"' || c == '`':
			end = quoted(query, i)
			b.WriteString(query[i:end])
		case !isSpace(c):
			b.WriteByte(c)
		case !isSpace(query[i-1]): // i > 0, because the query is trimmed
			b.WriteByte(' ')
		}
		i = end
	}
	return b.String()
}

// quoted returns the end of the quoted text that begins at i.
func quoted(query string, i int) int {
	if at := strings.IndexByte(query[i+1:], query[i]); at >= 0 {
		return i + at + 2
	}
	return len(query)
}

// isSpace reports whether c is white space in SQL.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
